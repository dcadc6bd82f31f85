# info: what the header says, without a key.
load helpers

setup_files() {
    make_file a 1000
    printf 'secret' >pass
    fcrypt enc --passphrase-file pass --kdf-memory 2 --kdf-passes 3 -q -o p a
    fcrypt enc -k key --cipher aes-128-gcm-siv --chunk-size 32K -o k a
    fcrypt enc -k key --passphrase-file pass "${KDF[@]}" -o both a
}

# json FILE EXPRESSION: the expression over d, info's JSON.
json() {
    fcrypt info --json "$1" | python3 -c 'import json, sys
d = json.load(sys.stdin)
d = d[0] if isinstance(d, list) else d
print(eval(sys.argv[1]))' "$2"
}

@test "text names cipher, chunk size, kind and cost of the slots" {
    setup_files
    succeeds fcrypt info k
    assert_output --partial aes-128-gcm-siv
    assert_output --regexp '32 ?(KiB|768)|32768'
    assert_output --partial 'key file'
    succeeds fcrypt info p
    assert_output --partial aes-256-gcm-siv
    assert_output --partial passphrase
    assert_output --partial '2 MiB'
    assert_output --regexp '3 pass'
    succeeds fcrypt info both
    assert_output --regexp 'passphrase.*key file'
}

@test "--json is JSON whatever the name" {
    setup_files
    for name in p k both; do json $name 'type(d)'; done
    for name in 'quo"te' 'back\slash' $'new\nline' $'esc\e' $'\xff' 'ä'; do
        cp k "$name"
        fcrypt info --json "$name" >out
        python3 -c 'import json, sys; json.load(open("out", encoding="utf-8"))'
    done
}

@test "--json of several files is JSON too" {
    setup_files
    fcrypt info --json p k both >out
    python3 - <<'EOT'
import json
text = open("out").read()
try:
    assert len(json.loads(text)) == 3
except json.JSONDecodeError:
    assert len([json.loads(line) for line in text.splitlines()]) == 3
EOT
}

@test "stdin without FILE, and -" {
    setup_files
    succeeds bash -c 'fcrypt info <k'
    assert_output --partial aes-128-gcm-siv
    succeeds bash -c 'cat k | fcrypt info -'
    assert_output --partial aes-128-gcm-siv
    succeeds bash -c 'head -c 1024 k | fcrypt info'
}

@test "no key is asked for, no key option taken" {
    setup_files
    succeeds without_terminal "$FCRYPT" info p </dev/null
    refused 2 fcrypt info -k key k
}

@test "what is no container, cut, newer or missing" {
    setup_files
    refused 4 fcrypt info a
    : >empty
    refused 4 fcrypt info empty
    head -c 1023 k >cut
    refused 4 fcrypt info cut
    said 'truncated|cut|short|ends'
    python3 "$BATS_TEST_DIRNAME/mend.py" k 7 02
    refused 4 fcrypt info k
    said 'newer'
    refused 5 fcrypt info missing
    refused 5 fcrypt info .
}

@test "a damaged slot is named, status 4; an unknown one is shown" {
    setup_files
    damage both 140
    run --separate-stderr fcrypt info both
    expect_status 4
    assert_regex "$output$stderr" 'damaged'
    run --separate-stderr fcrypt info --json both
    expect_status 4
    python3 -c 'import json, sys; json.loads(sys.argv[1])' "$output"
    python3 "$BATS_TEST_DIRNAME/mend.py" k 256 c0
    run --separate-stderr fcrypt info k
    expect_status 0
    assert_regex "$output$stderr" 'unknown'
}

@test "several files: the bad one does not stop the others" {
    setup_files
    fails 4 fcrypt info p a k
    said '^fcrypt: a: '
    assert_output --partial aes-256-gcm-siv
    assert_output --partial aes-128-gcm-siv
    fails 1 fcrypt info a missing
}
