# hash: what is fcrypt's own. hash_differential.py compares the rest with b2sum.
load helpers

b2sum_link() { # as a function, so that bats' own b2sum is not meant
    "$BATS_TEST_TMPDIR/b2sum" "$@"
}
export -f b2sum_link

make_tree() {
    mkdir -p t/b t/a/z t/.h
    for f in t/b/1 t/a/z/2 t/a/1 t/.h/3 t/c; do printf %s "$f" >$f; done
    ln -s c t/link
    ln -s b t/dirlink
    mkfifo t/fifo
}

# names: those in lines of b2sum's form.
names() { sed -E 's/^[0-9a-f]+ [ *]//' <<<"$output"; }

@test "b2sum is fcrypt hash by another name" {
    ln -s "$FCRYPT" ../b2sum
    make_file a 100
    succeeds fcrypt hash a
    local want=$output
    succeeds b2sum_link a
    assert_equal "$output" "$want"
    run --separate-stderr b2sum_link missing
    expect_status 1
    assert_equal "$stderr" 'b2sum: missing: No such file or directory'
    run --separate-stderr fcrypt hash missing
    expect_status 1
    assert_equal "$stderr" 'fcrypt hash: missing: No such file or directory'
    succeeds b2sum_link --version
    assert_output --regexp '^fcrypt [0-9]'
    succeeds b2sum_link --help
    assert_output --regexp '^Usage: b2sum '
}

@test "a known answer, from stdin" {
    succeeds fcrypt hash -l 256 <<<abc
    assert_output '6e25640baa7f9d4186663d80e7d62a82d4851651322ab4e68147533260c13d03  -'
}

@test "usage errors point to help, with status 1" {
    run --separate-stderr fcrypt hash --nonsense
    expect_status 1
    assert_equal "$stderr" "fcrypt hash: unrecognized option '--nonsense'
Try 'fcrypt hash --help' for more information."
    run --separate-stderr fcrypt hash -r -c a
    expect_status 1
    said '--recursive option is meaningless'
    run --separate-stderr fcrypt hash --algorithm md5 a
    expect_status 1
    said "'md5' is not known"
    run --separate-stderr fcrypt hash -T x a
    expect_status 1
}

@test "-r: regular files below, sorted; no links followed; the rest is noted" {
    make_tree
    run --separate-stderr fcrypt hash -r t
    expect_status 0
    assert_equal "$(names)" 't/.h/3
t/a/1
t/a/z/2
t/b/1
t/c'
    assert_equal "$stderr" 'fcrypt hash: t/dirlink: no regular file: skipped
fcrypt hash: t/fifo: no regular file: skipped
fcrypt hash: t/link: no regular file: skipped'
    run --separate-stderr fcrypt hash -r t/c t/a t/link
    expect_status 0
    assert_equal "$(names)" 't/c
t/a/1
t/a/z/2
t/link'
    succeeds fcrypt hash -r t/a/
    assert_equal "$(names)" 't/a/1
t/a/z/2'
    succeeds fcrypt hash --recursive t/dirlink
    assert_equal "$(names)" 't/dirlink/1'
}

@test "-r: what is missing or closed is told, the rest done" {
    make_tree
    rm t/fifo t/link t/dirlink
    run --separate-stderr fcrypt hash -r missing t/b '' t/c
    expect_status 1
    said '^fcrypt hash: missing: No such file'
    said "^fcrypt hash: '': No such file"
    assert_equal "$(names)" 't/b/1
t/c'
    open_to_nobody
    chmod 0 t/a
    run --separate-stderr as_nobody "$FCRYPT" hash -r t
    chmod 755 t/a
    expect_status 1
    said 't/a: Permission denied'
    assert_equal "$(names)" 't/.h/3
t/b/1
t/c'
}

@test "-r writes a list that -c checks" {
    make_tree
    fcrypt hash -r t >list 2>/dev/null
    succeeds fcrypt hash -c --quiet list
    assert_output ''
    echo x >>t/a/1
    run --separate-stderr fcrypt hash -c --quiet list
    expect_status 1
    assert_output 't/a/1: FAILED'
}

@test "--key-file: keygen's key, raw keys, and what is none" {
    make_file a 100
    fcrypt keygen -o k
    printf x >one
    head -c 64 a >raw
    for key in k one raw; do
        succeeds fcrypt hash --key-file $key a
        assert_output --regexp '^[0-9a-f]{128}  a$'
    done
    # Keyed BLAKE2b as Python has it.
    succeeds fcrypt hash --key-file raw -l 256 a
    assert_output "$(python3 -c 'from hashlib import blake2b
print(blake2b(open("a", "rb").read(), key=open("raw", "rb").read(), digest_size=32).hexdigest())')  a"
    succeeds bash -c 'fcrypt hash --key-file - a <one'
    : >none
    head -c 65 a >long
    for key in none long missing .; do
        run --separate-stderr fcrypt hash --key-file $key a
        expect_status 1
        assert_output ''
    done
    sed -i 's/fcrypt-key-1:./fcrypt-key-1:x/' k
    run --separate-stderr fcrypt hash --key-file k a
    expect_status 1
    said '^fcrypt hash: k: '
    for key in - /dev/stdin; do
        run --separate-stderr fcrypt hash --key-file $key <one
        expect_status 1
        said 'only one of data and key'
    done
    # Cut off it must not pass for a raw key.
    fcrypt keygen >text
    for cut in "$(head -c 64 text)" "$(head -c 20 text)" fcrypt-key-1 fcrypt-key-1: '#
fcrypt-key-1:00'; do
        printf %s "$cut" >k
        run --separate-stderr fcrypt hash --key-file k a
        expect_status 1
        assert_output ''
    done
}

@test "-c under a key: a length that can be guessed is none" {
    make_file a 100
    printf key >k
    fcrypt hash --key-file k -l 8 a >list
    run --separate-stderr fcrypt hash -c --key-file k list
    expect_status 1
    said 'no properly formatted'
    said '^hint: .*128 bits'
    succeeds fcrypt hash -c --key-file k -l 8 list
    assert_output 'a: OK'
    fcrypt hash --key-file k -l 128 a >>list
    run --separate-stderr fcrypt hash -c --key-file k list
    assert_output 'a: OK'
    said '1 line is improperly'
    succeeds fcrypt hash -c --key-file k -l 128 --status list
    run --separate-stderr fcrypt hash -c --key-file k -l 512 list
    expect_status 1
    said '^hint: .*-l'
}

@test "what stands behind a stream is read when that has ended" {
    for _ in 1 2 3; do
        rm -f copy
        (sleep 0.2; head -c 300000 /dev/zero) | tee copy | fcrypt hash -T 8 - copy copy >out
        assert_equal "$(cut -c1-128 out | sort -u | wc -l)" 1
        fcrypt hash copy | sed 's/copy/-/' >list
        echo x >late
        fcrypt hash late >>list
        rm late
        { cat copy; echo x >late; } | fcrypt hash -c list
    done
}

@test "-c tells a result before the next line of the list is whole" {
    truncate -s 512M big
    fcrypt hash big >list
    mkfifo pipe
    fcrypt hash -c <pipe >verdicts &
    {
        cat list
        sleep 0.1 # big is being hashed
        printf 0123
        for _ in $(seq 100); do [ -s verdicts ] && break; sleep 0.1; done
        [ -s verdicts ] && touch seen
    } >pipe
    wait $! || true
    assert_exist seen
}

@test "keyed lists: both forms with the key, none of the others" {
    make_file a 100
    printf key >k
    succeeds fcrypt hash --key-file k --tag a
    assert_output --regexp '^BLAKE2b-keyed \(a\) = [0-9a-f]{128}$'
    succeeds fcrypt hash --key-file k --tag -l 256 a
    assert_output --regexp '^BLAKE2b-keyed-256 \(a\) = [0-9a-f]{64}$'
    fcrypt hash --key-file k --tag a >tagged
    fcrypt hash --key-file k a >plain
    cat tagged plain >both
    succeeds fcrypt hash -c --key-file k both
    assert_output 'a: OK
a: OK'
    run --separate-stderr fcrypt hash -c tagged
    expect_status 1
    said '^fcrypt hash: tagged: no properly formatted'
    said '^hint: .*--key-file'
    run --separate-stderr fcrypt hash -c plain
    expect_status 1
    assert_output 'a: FAILED'
    # Without the key anybody could make a line that passes.
    fcrypt hash --tag a >unkeyed
    run --separate-stderr fcrypt hash -c --key-file k unkeyed
    expect_status 1
    said 'no properly formatted'
    said '^hint: .*without a key'
    printf other >k
    run --separate-stderr fcrypt hash -c --key-file k both
    expect_status 1
    assert_output 'a: FAILED
a: FAILED'
}

@test "--algorithm blake2bp: always tagged, checked by its tag" {
    : >e
    make_file a 100000
    succeeds fcrypt hash --algorithm blake2bp e
    assert_output 'BLAKE2bp (e) = b5ef811a8038f70b628fa8b294daae7492b1ebe343a80eaabbf1f6ae664dd67b9d90b0120791eab81dc96985f28849f6a305186a85501b405114bfa678df9380'
    printf key >k
    fcrypt hash --algorithm blake2bp a e >list
    fcrypt hash --algorithm blake2bp -l 128 a >>list
    fcrypt hash -b a >>list
    succeeds fcrypt hash -c list
    assert_output 'a: OK
e: OK
a: OK
a: OK'
    fcrypt hash --algorithm blake2bp --key-file k -l 256 a >keyed
    grep -q '^BLAKE2bp-keyed-256 (a) = ' keyed
    succeeds fcrypt hash -c --key-file k keyed
    # Without tags, as others write it, when it is asked for.
    sed -nE 's/^BLAKE2bp \((.*)\) = (.*)/\2  \1/p' list >untagged
    succeeds fcrypt hash -c --algorithm blake2bp untagged
    run --separate-stderr fcrypt hash -c untagged
    expect_status 1
}

@test "a byte-order mark at the head of a list" {
    make_file a 10
    { printf '\xef\xbb\xbf'; fcrypt hash a; } >list
    succeeds fcrypt hash -c --strict list
    { printf '\xef\xbb\xbf# comment\r\n'; fcrypt hash a; } >list
    succeeds fcrypt hash -c --strict list
    { fcrypt hash a; printf '\xef\xbb\xbf'; fcrypt hash a; } >list
    run --separate-stderr fcrypt hash -c --strict list
    expect_status 1
}

@test "write errors are named" {
    make_file a 10
    run --separate-stderr bash -c 'fcrypt hash a a >/dev/full'
    expect_status 1
    assert_equal "$stderr" 'fcrypt hash: write error: No space left on device'
    run --separate-stderr bash -c 'fcrypt hash --help >/dev/full'
    expect_status 1
    assert_equal "$stderr" 'fcrypt hash: write error: No space left on device'
    run --separate-stderr bash -c 'fcrypt hash a >&-'
    expect_status 1
    said 'write error'
}

@test "a line appears as soon as its file is read" {
    make_file a 10
    mkfifo slow
    fcrypt hash a slow >out &
    exec 8>slow
    eventually grep -q '  a$' out
    exec 8>&-
    wait
    assert_equal "$(wc -l <out)" 2
}

@test "a list is checked while it is written" {
    make_file a 10
    fcrypt hash a >list
    mkfifo slow
    fcrypt hash -c slow >out &
    exec 8>slow
    cat list >&8
    eventually grep -q 'a: OK' out
    exec 8>&-
    wait
}

@test "ten thousand files, few descriptors: the same as one by one" {
    mkdir d
    make_file all 8000
    for i in {0..99}; do head -c $((i * 80)) all >d/$i; done
    local names=()
    for i in {0..99}; do names+=(d/{0..99}); done
    fcrypt hash -T 1 d/{0..99} >once
    for i in {0..99}; do cat once; done >want
    for n in 64 1024; do
        (ulimit -n $n; fcrypt hash -T 2 "${names[@]}") | cmp - want
        (ulimit -n $n; succeeds fcrypt hash -c --quiet -T 2 want)
    done
}

@test "long files, few descriptors: lanes wait for one" {
    local names=({1..20})
    for i in "${names[@]}"; do
        make_file "$i" $((100000 + i))
    done
    b2sum "${names[@]}" >want
    for n in 10 12 16 64; do
        (ulimit -n $n; fcrypt hash -T 64 "${names[@]}") | cmp - want
        (ulimit -n $n; fcrypt hash -c --quiet -T 64 want)
    done
    mkdir d
    cp "${names[@]}" d
    b2sum d/* >want
    prlimit --nofile=4 -- "$FCRYPT" hash d/* 3>&- 4>&- 5>&- | cmp - want
}

@test "a batch with all that is no plain file" {
    mkdir d
    for i in {0..39}; do make_file d/$i $((i * 100)); done
    fcrypt hash d/* >want
    mkfifo d/fifo
    ln -s loop d/loop
    : >d/empty
    printf 'fifo' >d/fifo &
    run --separate-stderr fcrypt hash d/* d/none d /proc/version
    expect_status 1
    diff <(grep -Ev '  (d/(fifo|empty)|/proc/version)$' <<<"$output") want
    assert_equal "$(grep -c -e '  d/fifo$' -e '  d/empty$' -e '  /proc/version$' <<<"$output")" 3
    assert_equal "$(grep ' d/fifo$' <<<"$output")" "$(printf fifo | fcrypt hash | sed 's#-$#d/fifo#')"
    said 'd/loop: Too many levels of symbolic links'
    said 'd/none: No such file'
    said ' d: Is a directory'
}

@test "--progress on stderr, and threads, change no output" {
    make_file a 3000000
    succeeds fcrypt hash a
    local want=$output
    run --separate-stderr fcrypt hash --progress -T 3 a
    expect_status 0
    assert_equal "$output" "$want"
    assert_regex "$stderr" ' B/s'
    succeeds fcrypt hash --threads=0 a
}
