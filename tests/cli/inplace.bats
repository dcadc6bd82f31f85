# --in-place: the image itself is changed, and a run that is ended at any point is completed by the
# next one.
load helpers

IV=f0f1f2f3f4f5f6f7f8f9fafbfffffffd
WINDOW=4194304
SLOT=$((WINDOW + 4096))

setup_file() {
    export IMAGE_FOLDER=$BATS_FILE_TMPDIR
    head -c $((9 * 1024 * 1024 + 1536)) <(seq 9999999 2>/dev/null) >"$IMAGE_FOLDER/plain"
    "$FCRYPT" keygen --xts 256 -o "$IMAGE_FOLDER/key"
    "$FCRYPT" enc --xts -k "$IMAGE_FOLDER/key" -o "$IMAGE_FOLDER/cipher" "$IMAGE_FOLDER/plain"
    mkdir "$IMAGE_FOLDER/ctr"
    cd "$IMAGE_FOLDER/ctr" || return
    cat ../plain <(printf 12345) >plain
    head -c 24 /dev/urandom >key
    "$FCRYPT" enc --ctr -k key --iv $IV -o cipher plain
}

MODE=(--xts -k key)

# by_ctr: from here on the image and what is done with it are CTR's.
by_ctr() {
    IMAGE_FOLDER=$IMAGE_FOLDER/ctr
    MODE=(--ctr -k key --iv $IV)
}

# image NAME: a fresh copy of it, as the image, and the key.
image() {
    cp "$IMAGE_FOLDER/$1" image
    cp "$IMAGE_FOLDER/key" key
}

# is NAME: whether the image is that, and no journal is left.
is() {
    cmp image "$IMAGE_FOLDER/$1" || fail "the image is not $1"
    assert_not_exist image.fcrypt-journal
}

in_place() { fcrypt "$1" "${MODE[@]}" --in-place -q "${@:2}" image; }

# killed CALL N COMMAND...: kills it when it makes that system call for the Nth time, which is then
# not made. False where it makes fewer.
killed() {
    local result=0
    # Sanitizers look for leaks the way strace looks at them.
    ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o trace -e "inject=$1:signal=KILL:when=$2" "$FCRYPT" "${@:3}" >strace.out 2>&1 ||
        result=$?
    [ "$result" -eq 137 ] || [ "$result" -eq 0 ] || fail "status $result: $(cat strace.out)"
    [ "$result" -eq 137 ]
}

need_strace() {
    strace -qq -o trace true 2>/dev/null || skip "strace is not installed, or may not trace here"
}

@test "enc and dec in place give what they give elsewhere" {
    image plain
    succeeds fcrypt enc --xts -k key --in-place -q image
    is cipher
    run --separate-stderr fcrypt dec --xts -k key --in-place image
    expect_status 0
    said "decrypted in place" # always: whoever interrupts it must know whether it was too late
    is plain
}

@test "the image keeps its inode and mode" {
    image plain
    chmod 640 image
    before=$(stat -c '%i %a' image)
    in_place enc
    assert_equal "$(stat -c '%i %a' image)" "$before"
}

@test "only a range is changed" {
    image plain
    in_place enc --range 1M:5M
    cmp <(head -c 1M image) <(head -c 1M "$IMAGE_FOLDER/plain")
    cmp <(tail -c +1048577 image | head -c 5M) <(tail -c +1048577 "$IMAGE_FOLDER/cipher" | head -c 5M)
    cmp <(tail -c +6291457 image) <(tail -c +6291457 "$IMAGE_FOLDER/plain")
    in_place dec --range 1M:5M
    is plain
}

@test "an empty image, and an empty range" {
    image plain
    in_place enc --range 1M:0
    is plain
    : >image
    in_place enc
    assert_equal "$(stat -c %s image)" 0
    assert_not_exist image.fcrypt-journal
}

# every_point CALL MIN: killed at each of its calls in turn, and once more while it goes on, the run
# is completed by the next. Where the journal is gone everything was done. It makes MIN or more.
every_point() {
    local call=$1 n
    for ((n = 1; n < 100; n++)); do
        image plain
        killed "$call" "$n" enc "${MODE[@]}" --in-place image || break
        [ ! -e image.fcrypt-journal ] || killed "$call" 1 enc "${MODE[@]}" --in-place -q image || true
        [ ! -e image.fcrypt-journal ] || in_place enc
        is cipher
    done
    [ "$n" -gt "$2" ] && [ "$n" -lt 100 ]
}

@test "killed at every write" {
    need_strace
    every_point pwritev 6
}

@test "killed at every sync" {
    need_strace
    every_point fdatasync 6
    every_point fsync 2
}

@test "killed while the journal is made, and while it goes" {
    need_strace
    every_point fallocate 1
    every_point unlink 1
}

@test "decryption, killed at every write" {
    need_strace
    for n in 1 2 3 4 5 6 7 8; do
        image cipher
        killed pwritev $n dec --xts -k key --in-place image
        in_place dec
        is plain
    done
}

@test "a window that was torn is written again" {
    need_strace
    for n in 4 6 8; do # the writes to the image
        image plain
        killed pwritev $n enc --xts -k key --in-place image
        dd if=/dev/urandom of=image bs=4096 seek=$(((n - 4) / 2 * WINDOW / 4096)) \
            count=$((n == 8 ? 256 : 512)) conv=notrunc status=none
        in_place enc
        is cipher
    done
}

@test "a record that was torn does no harm" {
    need_strace
    for n in 3 5 7; do # the writes of records with windows
        image plain
        killed pwritev $n enc --xts -k key --in-place image
        dd if=/dev/urandom of=image.fcrypt-journal bs=1024 count=70 \
            seek=$(((n + 1) / 2 % 2 * SLOT / 1024 + 2)) conv=notrunc status=none
        in_place enc
        is cipher
    done
}

@test "another key, direction or parameter cannot go on" {
    need_strace
    image plain
    killed pwritev 5 enc --xts -k key --in-place image
    fcrypt keygen --xts 256 -o other
    refused 3 fcrypt enc --xts -k other --in-place image
    said "another key"
    refused 2 fcrypt dec --xts -k key --in-place image
    said "finish that encryption first"
    refused 2 fcrypt enc --xts -k key --in-place --first-sector 1 image
    refused 2 fcrypt enc --xts -k key --in-place --iv-large-sectors image
    refused 2 fcrypt enc --xts -k key --in-place --range 0:512 image
    run --separate-stderr fcrypt enc --xts -k key --in-place image
    expect_status 0
    said "was interrupted: going on at byte"
    is cipher
}

@test "the journal is found by every path and link to the image" {
    need_strace
    image plain
    mkdir folder
    ln -s ../image folder/link
    killed pwritev 5 enc --xts -k key --in-place folder/link
    assert_exist image.fcrypt-journal
    assert_equal "$(stat -c %a image.fcrypt-journal)" 600
    in_place enc
    is cipher
}

@test "a damaged journal is refused" {
    need_strace
    image plain
    killed pwritev 5 enc --xts -k key --in-place image
    dd if=/dev/zero of=image.fcrypt-journal bs=1 count=8 conv=notrunc status=none
    dd if=/dev/zero of=image.fcrypt-journal bs=1 count=8 seek=$SLOT conv=notrunc status=none
    refused 4 fcrypt enc --xts -k key --in-place image
    said "journal"
}

@test "what cannot be changed in place is refused" {
    image plain
    truncate -s 1000 odd
    refused 2 fcrypt enc --xts -k key --in-place odd
    refused 4 fcrypt dec --xts -k key --in-place odd
    ln image second
    refused 5 fcrypt enc --xts -k key --in-place image
    said "hard links"
    rm second
    refused 5 fcrypt enc --xts -k key --in-place missing
    mkfifo fifo
    for file in /dev/null fifo .; do
        refused 5 fcrypt enc --xts -k key --in-place $file
        said "regular file"
    done
    head -c 32 /dev/urandom >raw
    ln -s raw link
    for file in raw link; do
        refused 5 fcrypt enc --ctr -k raw --iv $IV --in-place $file
        said "key file"
        refused 5 fcrypt enc --ctr -k $file --iv $IV --in-place raw
    done
    refused 2 fcrypt enc --xts -k key --in-place
    refused 2 fcrypt enc --xts -k key --in-place -o out image
    refused 2 fcrypt enc --xts -k key --in-place -c image
    refused 2 fcrypt enc --in-place image
    refused 5 flock image "$FCRYPT" enc --xts -k key --in-place image
    said "in use"
}

@test "an image attached to a loop device is left alone" {
    image plain
    device=$(losetup --find --show image 2>/dev/null) || skip "no loop device to be had"
    run --separate-stderr fcrypt enc --xts -k key --in-place image
    losetup --detach "$device"
    assert_equal "$status" 5
    said "loop device"
    is plain
    succeeds fcrypt enc -q --xts -k key --in-place image
    is cipher
}

@test "a full disk is found before the image is touched" {
    image plain
    refused 5 bash -c 'ulimit -f 100; "$FCRYPT" enc --xts -k key --in-place image'
}

@test "one FILE at a time: what is done could not be told from what is not" {
    image plain
    cp image other
    refused 2 fcrypt enc --xts -k key --in-place image other
    refused 2 fcrypt enc --xts -k key --in-place image image
}

# interrupted N: the image, whose Nth window is in the journal and not yet written.
interrupted() {
    need_strace
    image plain
    killed pwritev $((2 * $1 + 2)) enc --xts -k key --in-place -q image || fail "not interrupted"
    assert_exists image.fcrypt-journal
}

@test "an image that was put back from a backup is not half encrypted" {
    interrupted 3
    cat "$IMAGE_FOLDER/plain" >image
    refused 4 fcrypt enc --xts -k key --in-place image
    said 'put the image back'
}

@test "a record that lost a bit after its window was written is not taken for a torn one" {
    interrupted 3
    # Its record goes; the window is in the image: as if the bit had gone afterwards.
    dd if=image.fcrypt-journal of=image bs=4096 skip=1 seek=2048 count=1 conv=notrunc status=none
    damage image.fcrypt-journal 5000
    refused 4 fcrypt enc --xts -k key --in-place image
}

@test "a journal cut short, of somebody else, or as the image itself" {
    interrupted 2
    cp -p image.fcrypt-journal journal
    refused 2 fcrypt enc --xts -k key --in-place image.fcrypt-journal
    chmod 644 image.fcrypt-journal
    refused 5 fcrypt enc --xts -k key --in-place image
    chmod 600 image.fcrypt-journal
    truncate -s 4096 image.fcrypt-journal
    refused 4 fcrypt enc --xts -k key --in-place image
    cp -p journal image.fcrypt-journal
    in_place enc
    is cipher
}

@test "a journal of which a slot is gone is refused" {
    for windows in 1 2; do
        interrupted $windows
        cp -p image.fcrypt-journal journal
        for len in 4096 2000000 $SLOT $((SLOT + 1)); do
            cp -p journal image.fcrypt-journal
            truncate -s $len image.fcrypt-journal
            refused 4 fcrypt enc --xts -k key --in-place image
        done
        for slot in 0 1; do
            cp -p journal image.fcrypt-journal
            dd if=/dev/zero of=image.fcrypt-journal bs=4096 seek=$((slot * SLOT / 4096)) count=1025 \
                conv=notrunc status=none
            refused 4 fcrypt enc --xts -k key --in-place image
            said 'journal'
        done
        cp -p journal image.fcrypt-journal
        in_place enc
        is cipher
    done
}

@test "an image that is half changed is not read without a word" {
    interrupted 2
    run --separate-stderr fcrypt dec --xts -k key -o out image
    expect_status 0
    said 'it has a journal'
}

@test "CTR: enc and dec in place give what they give elsewhere, for every length" {
    by_ctr
    image plain
    succeeds in_place enc
    is cipher
    succeeds in_place dec
    is plain
    in_place enc --range 1000003:5000001
    cmp <(head -c 1000003 image) <(head -c 1000003 "$IMAGE_FOLDER/plain")
    cmp <(tail -c +1000004 image | head -c 5000001) \
        <(tail -c +1000004 "$IMAGE_FOLDER/cipher" | head -c 5000001)
    cmp <(tail -c +6000005 image) <(tail -c +6000005 "$IMAGE_FOLDER/plain")
    in_place dec --range 1000003:5000001
    is plain
    for size in 0 1 7 15 16 17 511 513; do
        head -c $size "$IMAGE_FOLDER/plain" >image
        in_place enc
        cmp image <(head -c $size "$IMAGE_FOLDER/cipher")
        assert_not_exist image.fcrypt-journal
    done
}

@test "CTR: killed at every write" {
    need_strace
    by_ctr
    every_point pwritev 6
}

@test "CTR: killed at every write to a part at odd bounds" {
    need_strace
    by_ctr
    part=(--range 5:9000001)
    image plain
    in_place enc "${part[@]}"
    mv image want
    for n in 1 2 3 4 5 6 7 8; do
        image plain
        killed pwritev $n enc "${MODE[@]}" "${part[@]}" --in-place image
        in_place enc "${part[@]}"
        cmp image want
        assert_not_exist image.fcrypt-journal
    done
}

@test "CTR: short images, killed at every write" {
    need_strace
    by_ctr
    for size in 1 7 8 17 520; do
        for n in 1 2 3 4; do
            head -c $size "$IMAGE_FOLDER/plain" >image
            cp "$IMAGE_FOLDER/key" key
            killed pwritev $n enc "${MODE[@]}" --in-place image
            in_place enc
            cmp image <(head -c $size "$IMAGE_FOLDER/cipher")
            assert_not_exist image.fcrypt-journal
        done
    done
}

@test "CTR: torn windows and records" {
    need_strace
    by_ctr
    for n in 4 6 8; do # the writes to the image
        image plain
        killed pwritev $n enc "${MODE[@]}" --in-place image
        dd if=/dev/urandom of=image bs=4096 seek=$(((n - 4) / 2 * WINDOW / 4096)) \
            count=$((n == 8 ? 256 : 512)) conv=notrunc status=none
        in_place enc
        is cipher
    done
    for n in 3 5 7; do # the writes of records with windows
        image plain
        killed pwritev $n enc "${MODE[@]}" --in-place image
        dd if=/dev/urandom of=image.fcrypt-journal bs=1024 count=70 \
            seek=$(((n + 1) / 2 % 2 * SLOT / 1024 + 2)) conv=notrunc status=none
        in_place enc
        is cipher
    done
}

@test "CTR: another key, direction, IV, part or mode cannot go on" {
    need_strace
    by_ctr
    image plain
    killed pwritev 5 enc "${MODE[@]}" --in-place image
    head -c 24 /dev/urandom >other
    head -c 16 key >shorter
    cat key key | head -c 32 >xts
    for k in other shorter; do
        refused 3 fcrypt enc --ctr -k $k --iv $IV --in-place image
        said "another key"
    done
    # The direction makes no other bytes; that the command is the same is asked for all the same.
    refused 2 fcrypt dec "${MODE[@]}" --in-place image
    said "finish that encryption first"
    refused 2 fcrypt enc --ctr -k key --iv ${IV/f0/f1} --in-place image
    refused 2 fcrypt enc "${MODE[@]}" --range 0:512 --in-place image
    refused 2 fcrypt dec --xts -k xts --range 0:512 --in-place image
    in_place enc
    is cipher
}

@test "CTR: an image that was put back from a backup is not half encrypted" {
    need_strace
    by_ctr
    image plain
    killed pwritev 7 enc "${MODE[@]}" --in-place -q image
    cat "$IMAGE_FOLDER/plain" >image
    refused 4 fcrypt enc "${MODE[@]}" --in-place image
    said 'put the image back'
}
