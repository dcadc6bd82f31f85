#!/bin/bash
# emul.sh INIT PROGRAM [ARGUMENT]...: runs a statically linked program for Linux on x86-64 on a CPU
# with AVX-512, VAES and VPCLMULQDQ, whatever this machine has. Its output (both streams) and exit
# status are those of the program; 77 where something that is needed is missing, 124 when it took
# longer than EMUL_TIMEOUT seconds (900), 125 when the emulated machine failed.
#
# Debian's emulators of programs (qemu-user, valgrind) do not know AVX-512; bochs does, but emulates
# a whole PC. So a CD image is made of ISOLINUX, a kernel as Debian packages it, and an initramfs
# that holds nothing but INIT (init.c), PROGRAM and its arguments, and bochs boots it. The console is
# a serial port that bochs writes to a file.
#
# Needs the packages bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso cpio and a
# kernel: build-emul/vmlinuz, where .ci/install-deps puts one, or the newest in /boot.
#
# Booting takes 0.55e9 instructions, of which bochs manages some 35 million a second.
set -u

bios=/usr/share/bochs/BIOS-bochs-latest
vga_bios=/usr/share/bochs/VGABIOS-lgpl-latest
isolinux=/usr/lib/ISOLINUX/isolinux.bin
ldlinux=/usr/lib/syslinux/modules/bios/ldlinux.c32

# The emulated clock: million instructions in an emulated second. Low, so that the waits of BIOS and
# kernel are short; high, so that timer interrupts are few.
mhz=20

# nokaslr, init_on_alloc, mitigations, cryptomgr: less to do.
# tsc_early_khz: the time stamp counter counts instructions, CPUID has another frequency.
# clearcpuid: bochs 2.7 states sizes of the XSAVE area that contradict each other where there are
# protection keys or the compacted form, and the kernel would then do without AVX; it offers FSRM
# without fast strings, and the kernel's memmove then runs away.
kernel_options="console=ttyS0,115200 loglevel=1 nokaslr init_on_alloc=0 mitigations=off
    cryptomgr.notests tsc_early_khz=${mhz}000 clearcpuid=pku,xsaves,xsavec,fsrm"

missing() {
    echo "emul.sh: $* is missing"
    exit 77
}

find_kernel() {
    local ours
    ours="$(dirname "$0")/../../build-emul/vmlinuz"
    if [ -r "$ours" ]; then
        echo "$ours"
    else
        find /boot -maxdepth 1 -name 'vmlinuz-*' -readable 2>/dev/null | sort -V | tail -n 1
    fi
}

check_needs() {
    local tool file
    for tool in bochs cpio xorriso; do
        command -v "$tool" >/dev/null || missing "$tool"
    done
    for file in "$bios" "$vga_bios" "$isolinux" "$ldlinux"; do
        [ -r "$file" ] || missing "$file"
    done
    [ -n "$kernel" ] || missing "a kernel in build-emul or /boot"
}

# make_image INIT PROGRAM [ARGUMENT]...
make_image() {
    mkdir root cd
    cp "$1" root/init
    cp "$2" root/program
    shift
    printf '%s\0' "$@" >root/args
    (cd root && find . | cpio --quiet -o -H newc -R 0:0) >cd/initrd
    cp "$kernel" cd/vmlinuz
    cp "$isolinux" "$ldlinux" cd
    printf '%s\n' 'DEFAULT linux' 'LABEL linux' 'KERNEL vmlinuz' 'INITRD initrd' \
        "APPEND ${kernel_options//$'\n'/ }" >cd/isolinux.cfg
    xorriso -as mkisofs -quiet -o cd.iso -b isolinux.bin -c boot.cat -no-emul-boot \
        -boot-load-size 4 -boot-info-table cd 2>xorriso.log || {
        cat xorriso.log
        exit 125
    }
}

configure_bochs() {
    cat >bochsrc <<EOF
config_interface: textconfig
display_library: term
cpu: model=corei7_icelake_u, ips=${mhz}000000, reset_on_triple_fault=0
clock: sync=none
memory: guest=256, host=256
romimage: file=$bios, options=fastboot
vgaromimage: file=$vga_bios
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path=cd.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=serial
log: bochs.log
panic: action=fatal
error: action=ignore
info: action=ignore
EOF
}

# Debian's bochs starts in its debugger: c continues. It does not end on SIGTERM. Its own status says
# nothing: 1 after every shutdown.
run_bochs() {
    TERM=dumb timeout -s KILL "${EMUL_TIMEOUT:-900}" bochs -q -f bochsrc >bochs.out 2>&1 <<<c
    bochs_status=$?
    touch serial
}

# Prints what the program wrote and returns its status.
report() {
    local status
    status=$(sed -nE 's/.*emulated: exit status ([0-9]+)\r?$/\1/p' serial | tail -n 1)
    sed -e 's/\r$//' -e '0,/^emulated: start/d' -e '/^emulated: exit status/d' \
        -e 's/emulated: exit status.*//' serial
    if [ -n "$status" ]; then
        return "$status"
    elif [ $bochs_status -eq 137 ]; then
        echo "emul.sh: not done in ${EMUL_TIMEOUT:-900} seconds"
        return 124
    fi
    echo "emul.sh: the emulated machine failed"
    tail -n 20 serial bochs.out bochs.log
    return 125
}

if [ $# -lt 2 ]; then
    echo "usage: $0 INIT PROGRAM [ARGUMENT]..." >&2
    exit 2
fi
kernel=$(find_kernel)
check_needs
init=$(realpath "$1")
program=$(realpath "$2")
kernel=$(realpath "$kernel")
shift 2

work=$(mktemp -d) || exit 125
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 125
make_image "$init" "$program" "$@"
configure_bochs
run_bochs
report
