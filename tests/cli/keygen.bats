# keygen: a key file, mode 0600, that is never overwritten.
load helpers

@test "keygen -o makes a file of mode 0600 whatever the umask" {
    for mask in 000 022 077; do
        (
            umask $mask
            succeeds fcrypt keygen -o k$mask
            assert_equal "$output" ""
        )
        assert_equal "$(stat -c %a k$mask)" 600
    done
}

@test "keygen's text: comments and one line with its checksum" {
    fcrypt keygen -o k
    run grep -cE '^fcrypt-key-1:[0-9a-f]{64}:[0-9a-f]{8}$' k
    assert_output 1
    run grep -vE '^(#.*|fcrypt-key-1:.*|)$' k
    assert_output ""
}

@test "keygen to stdout is the same text, and opens what it closed" {
    make_file a 100
    fcrypt keygen >k
    fcrypt enc -k k a
    fcrypt dec -k k -c a.fcrypt | cmp - a
    fcrypt keygen -o - >k2
    grep -q '^fcrypt-key-1:' k2
}

@test "keygen to an open descriptor by its name" {
    fcrypt keygen -o /dev/stdout | grep -q '^fcrypt-key-1:'
    fcrypt keygen -o /dev/fd/7 7>k
    grep -q '^fcrypt-key-1:' k
}

@test "two keys are never alike" {
    assert_not_equal "$(fcrypt keygen | grep ^fcrypt-key)" "$(fcrypt keygen | grep ^fcrypt-key)"
}

@test "keygen never overwrites, through links neither" {
    echo old >k
    ln -s k sym
    ln k hard
    ln -s nowhere dangling
    for name in k sym hard dangling; do
        refused 5 fcrypt keygen -o $name
        said 'exist'
    done
    run fcrypt keygen -f -o k
    assert_not_equal "$status" 0
    assert_equal "$(cat k)" old
}

@test "keygen into a folder that is not there, or that is the name itself" {
    refused 5 fcrypt keygen -o missing/k
    mkdir dir
    refused 5 fcrypt keygen -o dir
}

@test "keygen takes no file names" {
    refused 2 fcrypt keygen k
    refused 2 fcrypt keygen -o k extra
}

@test "keygen into a folder that may not be written" {
    open_to_nobody
    mkdir closed
    chmod 555 closed
    refused 5 as_nobody "$FCRYPT" keygen -o closed/k
    said 'Permission denied'
}

@test "keygen to /dev/full fails" {
    refused 5 bash -c 'fcrypt keygen >/dev/full'
    said 'No space left on device'
}
