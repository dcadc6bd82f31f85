# Where output goes, with what mode and time, what is refused, and that a failure leaves the target
# as it was.
load helpers

mode_of() { stat -c %a "$1"; }

# start_enc: an enc of a FIFO into `out` that waits for more input; sets pid. fd 9 is the writer.
start_enc() {
    mkfifo fifo
    make_file data 300000
    before=$(find . | LC_ALL=C sort)
    env --default-signal=INT,TERM,HUP,QUIT "$FCRYPT" enc -k key -f -o out fifo 3>&- &
    pid=$!
    exec 9>fifo
    cat data >&9
    eventually temporary_file
}

temporary_file() { [ "$(find . | LC_ALL=C sort)" != "$before" ]; }

# ended_by: waits for pid and sets status.
ended_by() {
    status=0
    wait "$pid" || status=$?
    exec 9>&-
}

# --- existing outputs ---

@test "an existing output is refused without -f, replaced with it" {
    make_file a 1000
    echo old >a.fcrypt
    refused 5 fcrypt enc -k key a
    said '^fcrypt: a\.fcrypt: .*exist'
    said '^hint: .*(-f|--force)'
    succeeds fcrypt enc -k key -f a
    echo old >b
    refused 5 fcrypt dec -k key -o b a.fcrypt
    succeeds fcrypt dec -k key --force -o b a.fcrypt
    cmp a b
}

@test "an existing output is refused before the input is read" {
    echo old >out
    mkfifo fifo
    exec 9<>fifo
    refused 5 timeout 5 "$FCRYPT" enc -k key -o out fifo
    exec 9>&-
}

@test "one input with an existing output does not stop the others" {
    make_file a 10
    make_file b 10
    echo old >a.fcrypt
    fails 5 fcrypt enc -k key a b
    assert_equal "$(cat a.fcrypt)" old
    fcrypt dec -k key -c b.fcrypt | cmp - b
}

@test "the same input twice makes one output" {
    make_file a 10
    fails 5 fcrypt enc -k key a a
    fcrypt dec -k key -c a.fcrypt | cmp - a
}

# --- output that is the input or a secret ---

@test "output equal to input is refused, -f or not, under every name" {
    make_file f 100000
    ln -s f sym
    ln f hard
    mkdir dir
    for force in -q -f; do
        for out in f ./f sym hard dir/../f "$PWD/f"; do
            refused 5 fcrypt enc -k key $force -o "$out" f
            refused 5 fcrypt enc -k key $force -o f "$out"
        done
    done
}

@test "output equal to input is refused for dec too" {
    make_file f 100000
    fcrypt enc -k key -o f.fcrypt f
    ln -s f.fcrypt sym
    ln f.fcrypt hard
    for out in f.fcrypt ./f.fcrypt sym hard; do
        refused 5 fcrypt dec -k key -f -o $out f.fcrypt
        refused 5 bash -c "fcrypt dec -k key -f -o $out <f.fcrypt"
    done
    ln -s f.fcrypt g
    mv f.fcrypt x
    ln -s x g.fcrypt
    rm g
    ln -s x g
    refused 5 fcrypt dec -k key -f g.fcrypt
}

@test "output equal to stdin is refused" {
    make_file f 100000
    ln f hard
    refused 5 bash -c 'fcrypt enc -k key -f -o f <f'
    refused 5 bash -c 'fcrypt enc -k key -f -o hard <f'
    refused 5 bash -c 'fcrypt enc -k key <f >>f'
    refused 5 bash -c 'fcrypt enc -k key -c f 1<>f'
}

@test "output equal to a key or passphrase file is refused, -f or not" {
    make_file f 100
    echo secret >pass
    ln -s key key-link
    ln pass pass-link
    for force in -q -f; do
        refused 5 fcrypt enc -k key $force -o key f
        refused 5 fcrypt enc -k key $force -o key-link f
        refused 5 fcrypt enc -k key-link $force -o key f
        refused 5 fcrypt enc --passphrase-file pass "${KDF[@]}" $force -o pass f
        refused 5 fcrypt enc --passphrase-file pass "${KDF[@]}" $force -o pass-link f
        refused 5 bash -c "fcrypt enc -k - $force -o key f <key"
        refused 5 bash -c "fcrypt enc --passphrase-fd 7 ${KDF[*]} $force -o pass f 7<pass"
    done
    cp pass f.fcrypt
    refused 5 fcrypt enc --passphrase-file f.fcrypt "${KDF[@]}" -f f
}

@test "an empty suffix cannot make the output the input" {
    make_file f 100
    run --separate-stderr fcrypt enc -k key -f --suffix '' f
    assert_not_equal "$status" 0
    make_file g 100
    cmp f g
}

# --- links, devices, FIFOs ---

@test "a symbolic link is followed and what it points to replaced" {
    make_file a 100
    mkdir dir
    echo old >dir/target
    ln -s dir/target link
    refused 5 fcrypt enc -k key -o link a
    succeeds fcrypt enc -k key -f -o link a
    assert_link_exist link
    fcrypt dec -k key -c dir/target | cmp - a
}

@test "a dangling symbolic link makes the file it points to" {
    make_file a 100
    mkdir dir
    ln -s dir/target link
    succeeds fcrypt enc -k key -o link a
    assert_link_exist link
    fcrypt dec -k key -c dir/target | cmp - a
}

@test "with -f, other names of the old target keep the old contents" {
    make_file a 100
    echo old >target
    ln target other
    succeeds fcrypt enc -k key -f -o target a
    assert_equal "$(cat other)" old
}

@test "/dev/null is written without -f and stays a device" {
    make_file a 100
    null=/dev/null
    if [ "$(id -u)" -eq 0 ]; then
        # Not the real one: a test that fails must not take it away.
        mknod null c 1 3 && sh -c ': >null' || skip "cannot make a device here"
        null=null
    fi
    succeeds fcrypt enc -k key -o $null a
    succeeds fcrypt enc -k key -f -o $null a
    [ -c $null ]
}

@test "/dev/stdout in a pipe, and a FIFO, are written without -f" {
    make_file a 100000
    fcrypt enc -k key -o /dev/stdout a | fcrypt dec -k key | cmp - a
    mkfifo fifo
    fcrypt enc -k key -o fifo a 3>&- &
    fcrypt dec -k key -c fifo | cmp - a
    wait $!
    [ -p fifo ]
}

@test "a FIFO, /dev/fd/N and /proc files are read for what they give" {
    make_file a 100000
    mkfifo fifo
    cat a >fifo 3>&- &
    succeeds fcrypt enc -k key -o a.fcrypt fifo
    fcrypt dec -k key -c a.fcrypt | cmp - a
    fcrypt dec -k key -c /dev/fd/8 8<a.fcrypt | cmp - a
    fcrypt dec -k key -c <(cat a.fcrypt) | cmp - a
    fcrypt enc -k key -c /proc/version | fcrypt dec -k key | cmp - /proc/version
}

@test "an input that is read from its current offset" {
    make_file a 100000
    (
        head -c 10 >/dev/null
        fcrypt enc -k key -o x
    ) < <(cat a)
    exec 8<a
    dd bs=10 count=1 <&8 status=none >/dev/null
    fcrypt enc -k key <&8 | fcrypt dec -k key | cmp - <(tail -c +11 a)
    exec 8<&-
}

@test "closed standard descriptors: files are made all the same, pipes fail" {
    make_file a 100000
    for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
        bash -c "fcrypt enc -k key -f a $closed"
        bash -c "fcrypt dec -k key -f -o b a.fcrypt $closed"
        cmp a b
        rm b
    done
    refused 5 bash -c 'fcrypt enc -k key -o out <&-'
    refused 5 bash -c 'fcrypt enc -k key -c a >&-'
    refused 5 bash -c 'fcrypt keygen >&-'
}

# --- modes and times ---

@test "enc keeps the input's mode, without the bits beyond 0777" {
    make_file a 10
    for mode in 600 640 644 400 755 4755; do
        chmod $mode a
        fcrypt enc -k key -f -o out a
        assert_equal "$(mode_of out)" ${mode: -3}
        rm -f out
    done
}

@test "dec, and whatever is made from stdin, is 0600 & ~umask" {
    make_file a 10
    chmod 666 a
    fcrypt enc -k key a
    fcrypt dec -k key -o b a.fcrypt
    assert_equal "$(mode_of b)" 600
    fcrypt enc -k key -o c <a
    assert_equal "$(mode_of c)" 600
    (
        umask 277
        fcrypt dec -k key -o d a.fcrypt
    )
    assert_equal "$(mode_of d)" 400
}

@test "a target replaced with -f keeps its own mode" {
    make_file a 10
    fcrypt enc -k key a
    for mode in 640 666 600; do
        echo old >target
        chmod $mode target
        fcrypt dec -k key -f -o target a.fcrypt
        assert_equal "$(mode_of target)" $mode
    done
}

@test "the temporary file of a dec is never open to others" {
    make_file a 300000
    fcrypt enc -k key a
    mkfifo fifo
    mkdir out
    fcrypt dec -k key -o out/plain fifo 3>&- &
    exec 9>fifo
    head -c 200000 a.fcrypt >&9
    sleep 0.1
    run find out -type f -perm /077
    assert_output ""
    tail -c +200001 a.fcrypt >&9
    exec 9>&-
    wait $!
    cmp a out/plain
}

@test "enc and dec of a FILE keep its time of modification" {
    make_file a 10
    touch -d '2001-02-03 04:05:06.123456789Z' a
    fcrypt enc -k key a
    assert_equal "$(stat -c %.9Y a.fcrypt)" "$(stat -c %.9Y a)"
    fcrypt dec -k key -o b a.fcrypt
    assert_equal "$(stat -c %.9Y b)" "$(stat -c %.9Y a)"
}

# --- failures leave the target as it was ---

@test "a missing input, a directory: status 5, nothing made" {
    mkdir dir
    for command in enc dec; do
        refused 5 fcrypt $command -k key -o out missing.fcrypt
        said '^fcrypt: missing\.fcrypt: .*No such file or directory'
        refused 5 fcrypt $command -k key -o out dir
        said '^fcrypt: dir: .*directory'
    done
}

@test "an output that is a directory, or in a folder that is not there" {
    make_file a 10
    mkdir dir
    refused 5 fcrypt enc -k key -f -o dir a
    refused 5 fcrypt enc -k key -o missing/out a
    said 'No such file or directory'
    refused 5 fcrypt enc -k key -o key/out a
}

@test "wrong key, damage, truncation: no output, and with -f the old one stays" {
    make_file a 300000
    make_key other 2
    fcrypt enc -k key a
    head -c 200000 a.fcrypt >cut.fcrypt
    echo old >target
    refused 3 fcrypt dec -k other -o new a.fcrypt
    refused 3 fcrypt dec -k other -f -o target a.fcrypt
    refused 4 fcrypt dec -k key -o new cut.fcrypt
    refused 4 fcrypt dec -k key -f -o target cut.fcrypt
    refused 4 fcrypt dec -k key -o new a
    refused 4 bash -c 'fcrypt dec -k key -o new <cut.fcrypt'
}

@test "one damaged file does not stop the others" {
    make_file a 1000
    make_file b 1000
    fcrypt enc -k key a b
    rm a b
    damage a.fcrypt 1500
    fails 4 fcrypt dec -k key a.fcrypt b.fcrypt
    said '^fcrypt: a\.fcrypt: '
    not_said 'b\.fcrypt'
    assert_not_exist a
    assert_file_exist b
}

@test "/dev/full: no space left on device, by name" {
    make_file a 300000
    fcrypt enc -k key a
    for command in 'enc -k key -c a' 'dec -k key -c a.fcrypt' 'keygen' 'info a.fcrypt' \
        '--help' 'help' 'enc --help' '--version'; do
        refused 5 bash -c "fcrypt $command >/dev/full"
        said 'No space left on device'
    done
    refused 5 fcrypt enc -k key -o /dev/full a
    said 'No space left on device'
    make_file empty 0
    refused 5 bash -c 'fcrypt enc -k key -c empty >/dev/full'
}

@test "a full file system: no space left on device, no file, the old target stays" {
    mkdir small
    make_file a 3000000
    fcrypt enc -k key a
    full() {
        mount -t tmpfs -o size=1m,mode=0777 tmpfs small || exit 99
        echo old >small/old
        fcrypt enc -k key -o small/new a && exit 1
        fcrypt enc -k key -f -o small/old a && exit 1
        fcrypt dec -k key -o small/new a.fcrypt && exit 1
        fcrypt dec -k key -f -o small/old a.fcrypt && exit 1
        head -c 1100000 /dev/zero >small/fill 2>/dev/null
        fcrypt keygen -o small/key && exit 1
        [ "$(ls -A small)" = "$(printf 'fill\nold')" ] && [ "$(cat small/old)" = old ]
    }
    export -f full
    run --separate-stderr unshare --mount $([ "$(id -u)" -eq 0 ] || echo --map-root-user) bash -c full
    [ "$status" -ne 99 ] && [[ $stderr != *unshare:* ]] || skip "cannot mount a tmpfs here"
    expect_status 0
    assert_equal "$(grep -c 'No space left on device' <<<"$stderr")" 5
}

@test "a file size limit is an error, not a death" {
    make_file a 3000000
    refused 5 bash -c 'ulimit -f 1000; fcrypt enc -k key -o out a'
    said 'File too large'
}

@test "a folder that may not be written" {
    open_to_nobody
    make_file a 10
    mkdir closed
    chmod 555 closed
    refused 5 as_nobody "$FCRYPT" enc -k key -o closed/out a
    said 'Permission denied'
}

@test "an input that may not be read" {
    open_to_nobody
    make_file a 10
    chmod 000 a
    refused 5 as_nobody "$FCRYPT" enc -k key -o out a
    said '^fcrypt: a: .*Permission denied'
}

@test "a user without rights gets /dev/fd/N, pipes and files like anybody else" {
    open_to_nobody
    make_file a 100000
    as_nobody bash -c 'fcrypt enc -k <(cat key) -o x /dev/fd/9 9<a'
    as_nobody bash -c 'fcrypt dec -k /dev/fd/8 -o /dev/stdout x 8<key | cat' | cmp - a
    as_nobody bash -c 'cat x | fcrypt dec -k key -o y /dev/stdin'
    cmp a y
}

@test "an output is no other input of the same call either" {
    make_file a 1000
    make_file a.fcrypt 2000
    before=$(cksum a.fcrypt)
    run --separate-stderr fcrypt enc -f -k key a a.fcrypt
    expect_status 5
    said 'another input'
    assert_equal "$(cksum a.fcrypt)" "$before"
    fcrypt dec -k key a.fcrypt.fcrypt -o back
    cmp a.fcrypt back
    fcrypt enc -k key a -o b1
    cp b1 b2
    before=$(cksum b2)
    run --separate-stderr bash -c 'fcrypt dec -k key -c b1 b2 >>b2'
    said 'another input'
    assert_equal "$(cksum b2)" "$before"
}

@test "no output is named after a descriptor or a device" {
    refused 2 bash -c 'fcrypt enc -k key /dev/stdin <key'
    refused 2 bash -c 'fcrypt enc -k key /dev/fd/3 3<key'
    refused 2 fcrypt enc -k key /dev/null
}

# --- signals ---

@test "a signal that ends the command removes the temporary file and then kills" {
    for signal in INT TERM HUP QUIT USR1 USR2 ALRM XCPU ABRT; do
        echo old >out
        start_enc
        kill -$signal $pid
        ended_by
        assert_equal "$status" $((128 + $(kill -l $signal)))
        assert_equal "$(find . | LC_ALL=C sort)" "$before"
        assert_equal "$(cat out)" old
        rm -f fifo out
    done
}

@test "KILL leaves the target absent or as it was" {
    start_enc
    kill -KILL $pid
    ended_by
    assert_equal "$status" 137
    assert_not_exist out
    rm fifo
    echo old >out
    start_enc
    kill -KILL $pid
    ended_by
    assert_equal "$(cat out)" old
}

@test "an ignored INT or HUP stays ignored" {
    mkfifo fifo
    make_file data 100000
    env --ignore-signal=INT,HUP "$FCRYPT" enc -k key -o out fifo 3>&- &
    exec 9>fifo
    cat data >&9
    kill -INT $!
    kill -HUP $!
    sleep 0.05
    exec 9>&-
    wait $!
    fcrypt dec -k key -c out | cmp - data
}

@test "a closed pipe is quiet" {
    make_file a 5000000
    fcrypt enc -k key a
    for command in 'enc -k key -c a' 'dec -k key -c a.fcrypt'; do
        status=0
        { env --default-signal=PIPE "$FCRYPT" $command 2>err && echo 0 >rc || echo $? >rc; } |
            head -c 10 >/dev/null
        assert_not_equal "$(cat rc)" 0
        assert_equal "$(cat err)" ""
        { env --ignore-signal=PIPE "$FCRYPT" $command 2>err && echo 0 >rc || echo $? >rc; } |
            head -c 10 >/dev/null
        assert_not_equal "$(cat rc)" 0
        assert_equal "$(cat err)" ""
    done
}
