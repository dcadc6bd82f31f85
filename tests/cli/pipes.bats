# Pipes that dribble, stall, end early or do not block; and what dec releases before a fault.
load helpers

dribble() { python3 "$BATS_TEST_DIRNAME/dribble.py" "$@"; }

CHUNK=8192

setup_files() {
    make_file a 100000
    fcrypt enc -k key --chunk-size 8K a
}

# released COUNT COMMAND...: the command ends with status 4 and a message, and its stdout was
# exactly the first COUNT bytes of a.
released() {
    local count=$1
    shift
    status=0
    "$@" >out 2>err || status=$?
    mapfile -t stderr_lines <err
    expect_status 4
    said '^fcrypt: '
    cmp out <(head -c "$count" a)
}

@test "a writer that dribbles" {
    setup_files
    for step in 7 1000 8193; do
        dribble write a $step | fcrypt enc -k key >x
        fcrypt dec -k key -c x | cmp - a
        dribble write a.fcrypt $step | fcrypt dec -k key | cmp - a
    done
}

@test "a writer that gives one byte at a time" {
    make_file a 3000
    fcrypt enc -k key a
    dribble write a 1 | fcrypt enc -k key | fcrypt dec -k key | cmp - a
    dribble write a.fcrypt 1 | fcrypt dec -k key | cmp - a
}

@test "a reader that is slow" {
    setup_files
    make_file b 1000000
    fcrypt enc -k key -c b | dribble read 5000 | fcrypt dec -k key | cmp - b
    fcrypt enc -k key -c b | fcrypt dec -k key | dribble read 999 | cmp - b
}

@test "stdin and stdout that do not block" {
    make_file b 400000
    dribble nonblock "$FCRYPT" enc -k key <b >x
    fcrypt dec -k key -c x | cmp - b
    dribble nonblock "$FCRYPT" dec -k key <x | cmp - b
}

@test "a credential that dribbles" {
    setup_files
    printf 'a long secret, in pieces\n' >pass
    fcrypt enc --passphrase-file <(dribble write pass 1) "${KDF[@]}" -f a
    fcrypt dec --passphrase-fd 7 -c a.fcrypt 7< <(dribble write pass 3) | cmp - a
    fcrypt enc -k <(dribble write key 1) -f a
    fcrypt dec -k key -c a.fcrypt | cmp - a
}

@test "an empty pipe, and one that ends within the header" {
    make_file a 0
    fcrypt enc -k key </dev/null | fcrypt dec -k key | cmp - a
    fcrypt enc -k key a
    for length in 0 1 7 8 127 128 1023 1024 1039; do
        released 0 bash -c "head -c $length a.fcrypt | fcrypt dec -k key"
    done
}

@test "dec releases whole verified chunks before a cut, from a pipe and a file" {
    setup_files
    for chunks in 1 2 5 11; do
        at=$((HEADER_LEN + chunks * (CHUNK + TAG_LEN)))
        for cut in 1 15 16 17 4000; do
            head -c $((at + cut)) a.fcrypt >cut
            released $((chunks * CHUNK)) bash -c 'cat cut | fcrypt dec -k key'
            released $((chunks * CHUNK)) fcrypt dec -k key -c cut
        done
    done
}

@test "dec releases whole verified chunks before a damaged one" {
    setup_files
    for chunk in 0 1 7 12; do
        cp a.fcrypt bad
        damage bad $((HEADER_LEN + chunk * (CHUNK + TAG_LEN) + 100))
        for threads in 1 4; do
            released $((chunk * CHUNK)) fcrypt dec -k key -T $threads -c bad
            released $((chunk * CHUNK)) bash -c "cat bad | fcrypt dec -k key -T $threads"
        done
    done
}

@test "dec gives what it has verified without waiting for the end" {
    setup_files
    mkfifo in
    fcrypt dec -k key -c in >out 3>&- &
    exec 9>in
    head -c 90000 a.fcrypt >&9
    eventually test -s out
    tail -c +90001 a.fcrypt >&9
    exec 9>&-
    wait $!
    cmp out a
}

@test "a file that grows or shrinks while it is read ends somewhere" {
    setup_files
    make_file big 3000000
    (for ((i = 0; i < 20; i++)); do echo more >>big; sleep 0.002; done) 3>&- &
    fcrypt enc -k key big
    wait $!
    size=$(fcrypt dec -k key -c big.fcrypt | wc -c)
    assert [ "$size" -ge 3000000 ]
    fcrypt dec -k key -c big.fcrypt | cmp - <(head -c "$size" big)
}
