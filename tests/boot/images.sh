#!/bin/bash
# images.sh FCRYPT: a Linux kernel opens what FCRYPT wrote, and FCRYPT reads what the kernel wrote.
# Status 77 where something that is needed is missing.
#
# An ext4 file system becomes a LUKS2 image and raw images of several sector sizes. A virtual machine
# (guestfish, whose emulator needs no rights and no device mapper on this machine) opens each with
# cryptsetup, mounts it, reads a file and writes another, which is looked for when it is decrypted.
#
# Needs the packages libguestfs-tools and linux-image-cloud-amd64 (or another kernel), e2fsprogs.
set -eu -o pipefail
PATH=$PATH:/usr/sbin:/sbin

for tool in guestfish mkfs.ext4 debugfs; do
    command -v $tool >/dev/null || {
        echo "images.sh: $tool is missing"
        exit 77
    }
done
compgen -G '/boot/vmlinuz-*' >/dev/null || {
    echo "images.sh: no kernel in /boot"
    exit 77
}

fcrypt=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

mkdir contents
seq 200000 >contents/numbers
mkfs.ext4 -q -b 4096 -d contents plain 16M >/dev/null
sum=$(sha256sum <contents/numbers)

printf 'secret' >pass
"$fcrypt" keygen --xts 256 -o key
"$fcrypt" enc --luks --kdf-memory 64 --kdf-passes 1 -k pass -o luks plain
"$fcrypt" enc --luks --sector-size 512 --key-size 256 --kdf-memory 64 --kdf-passes 1 -k pass \
    -o lukssmall plain
# raw enc|dec IMAGE INPUT OUTPUT: as cryptsetup opens IMAGE below.
raw() {
    local options=()
    case $2 in
    rawlarge) options=(--sector-size 4096) ;;
    rawcounted) options=(--sector-size 4096 --iv-large-sectors) ;;
    esac
    "$fcrypt" "$1" --xts -k key "${options[@]}" -o "$4" "$3"
}

for image in rawsmall rawlarge rawcounted; do
    raw enc $image plain $image
done

# What runs in the machine: one line of output for each image.
cat >guest <<'EOF'
set -e
modprobe -a dm_crypt xts algif_skcipher
head -c 64 /dev/disk/guestfs/key >/tmp/key
printf secret >/tmp/pass
mkdir /tmp/mnt
check() {
    name=$1
    shift
    cryptsetup open "$@" /dev/disk/guestfs/$name $name
    mount /dev/mapper/$name /tmp/mnt
    echo "$name: $(sha256sum </tmp/mnt/numbers)"
    echo "by the kernel in $name" >/tmp/mnt/new
    umount /tmp/mnt
    cryptsetup close $name
}
plain="--type plain --cipher aes-xts-plain64 --key-size 512 --key-file /tmp/key"
check luks --key-file /tmp/pass
check lukssmall --key-file /tmp/pass
check rawsmall $plain
check rawlarge $plain --sector-size 4096
check rawcounted $plain --sector-size 4096 --iv-large-sectors
sync
EOF
truncate -s 512 disk-key
dd if=key of=disk-key conv=notrunc status=none

export LIBGUESTFS_BACKEND=direct LIBGUESTFS_BACKEND_SETTINGS=force_tcg
{
    for image in luks lukssmall rawsmall rawlarge rawcounted; do
        echo "add-drive $image format:raw label:$image"
    done
    echo "add-drive disk-key format:raw readonly:true label:key"
    echo run
    echo "debug sh \"echo $(base64 -w 0 guest) | base64 -d >/tmp/guest; sh /tmp/guest 2>&1 || echo failed\""
} >script
timeout 900 guestfish -f script | tee log

failed=0
for image in luks lukssmall rawsmall rawlarge rawcounted; do
    grep -qxF "$image: $sum" log || {
        echo "$image: the kernel did not read it"
        failed=1
    }
    case $image in
    luks*) "$fcrypt" dec -k pass -o back $image ;;
    *) raw dec $image $image back ;;
    esac
    [ "$(debugfs -R 'cat /new' back 2>/dev/null)" = "by the kernel in $image" ] || {
        echo "$image: what the kernel wrote is not there"
        failed=1
    }
    rm back
done
exit $failed
