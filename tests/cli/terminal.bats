# Prompts, echo, and what is refused on a terminal. Each script is expect's, on a terminal of its
# own; see terminal.exp.
load helpers

# on_terminal: runs the expect script on stdin behind terminal.exp's procedures.
on_terminal() {
    run expect <(cat "$BATS_TEST_DIRNAME/terminal.exp" -) 3>&-
    [ "$status" -eq 0 ] || fail "$output"
}

setup_files() {
    make_file a 1000
    printf 'correct horse' >pass
    fcrypt enc --passphrase-file pass "${KDF[@]}" -o p.fcrypt a
    fcrypt enc -k key -o k.fcrypt a
}

@test "enc asks twice, dec once; nothing is echoed" {
    setup_files
    on_terminal <<'EOT'
        eval spawn $fcrypt enc -p $kdf a
        answer "correct horse"
        answer "correct horse"
        ends 0
        spawn $fcrypt dec -p -o b a.fcrypt
        answer "correct horse"
        ends 0
        never_shown correct
EOT
    cmp a b
    fcrypt dec --passphrase-file pass -c a.fcrypt | cmp - a
}

@test "without a credential there is a prompt" {
    setup_files
    on_terminal <<'EOT'
        eval spawn $fcrypt enc $kdf a
        answer "correct horse"
        answer "correct horse"
        ends 0
        spawn $fcrypt dec -o b a.fcrypt
        answer "correct horse"
        ends 0
EOT
    cmp a b
}

@test "the prompt takes one line, and data may come and go by pipes" {
    setup_files
    on_terminal <<'EOT'
        eval spawn sh -c \"\\\$FCRYPT enc -p $kdf <a | cat >x\"
        answer "correct horse"
        answer "correct horse"
        ends 0
        spawn sh -c {cat x | $FCRYPT dec -p 2>err | cat >b}
        answer "correct horse"
        ends 0
EOT
    cmp a b
    assert_equal "$(cat err)" ""
}

@test "prompts go to the terminal only, with stdout and stderr elsewhere" {
    setup_files
    on_terminal <<'EOT'
        spawn sh -c {$FCRYPT dec -p p.fcrypt -c >b 2>err}
        answer "correct horse"
        ends 0
EOT
    cmp a b
    assert_equal "$(cat err)" ""
}

@test "two different passphrases, an empty one: status 2 and no output" {
    setup_files
    on_terminal <<'EOT'
        eval spawn $fcrypt enc -p $kdf a
        answer "correct horse"
        answer "correct house"
        want {fcrypt: }
        ends 2
        eval spawn $fcrypt enc -p $kdf a
        answer ""
        expect {
            -re {passphrase[^\n]*: ?$} { send "\r"; exp_continue }
            -re {empty} {}
            timeout { fail "no message" }
        }
        ends 2
EOT
    assert_not_exist a.fcrypt
}

@test "a line that a terminal cannot hold is an error, not cut" {
    setup_files
    on_terminal <<'EOT'
        spawn $fcrypt dec -p -o b p.fcrypt
        answer [string repeat x 5000]
        want {fcrypt: }
        want {hint: .*--passphrase-file}
        ends 2
EOT
    assert_not_exist b
}

@test "a wrong passphrase is status 3" {
    setup_files
    on_terminal <<'EOT'
        spawn $fcrypt dec -p -o b p.fcrypt
        answer "wrong"
        want {fcrypt: p.fcrypt: }
        ends 3
EOT
    assert_not_exist b
}

@test "a typed passphrase keeps blanks and bytes beyond ASCII" {
    setup_files
    printf ' p\303\244ss word ' >pass
    fcrypt enc --passphrase-file pass "${KDF[@]}" -f -o p.fcrypt a
    on_terminal <<'EOT'
        spawn $fcrypt dec -p -o b p.fcrypt
        answer " p\u00e4ss word "
        ends 0
EOT
    cmp a b
}

@test "several files: one prompt" {
    setup_files
    cp a b
    on_terminal <<'EOT'
        eval spawn $fcrypt enc -p $kdf a b
        answer "correct horse"
        answer "correct horse"
        ends 0
        spawn sh -c {$FCRYPT dec -p -c a.fcrypt b.fcrypt >c}
        answer "correct horse"
        ends 0
EOT
    cmp c <(cat a b)
}

@test "Ctrl-C, TERM and HUP give the terminal its echo back and kill" {
    setup_files
    for signal in INT TERM HUP; do
        SIGNAL=$signal on_terminal <<'EOT'
            set name $env(SIGNAL)
            spawn sh -c {
                trap : INT
                sh -c "echo \$\$ >pid; exec \$FCRYPT dec -p -o b p.fcrypt"
                echo "rc=$?"
            }
            want {passphrase[^\n]*: ?$}
            echo_is off
            if {$name eq "INT"} { send "\003" } else { exec sh -c "kill -$name \$(cat pid)" }
            want {rc=(130|143|129)}
            echo_is on
EOT
        assert_not_exist b
    done
}

@test "Ctrl-Z gives echo back; fg asks again without it" {
    setup_files
    on_terminal <<'EOT'
        spawn bash -c {set -m; $FCRYPT dec -p -o b p.fcrypt; echo stopped; read go; fg; echo "rc=$?"}
        want {passphrase[^\n]*: ?$}
        echo_is off
        send "corr\032"
        want {stopped}
        echo_is on
        send "\r"
        want {passphrase[^\n]*: ?$}
        echo_is off
        send "correct horse\r"
        want {rc=0}
        echo_is on
EOT
    cmp a b
}

@test "without a terminal: an error that names the other ways, data untouched" {
    setup_files
    refused 2 without_terminal "$FCRYPT" dec -o b p.fcrypt </dev/null
    said '^hint: .*--passphrase-file'
    said '^hint: .*--passphrase-fd'
    refused 2 without_terminal "$FCRYPT" enc -p -o b a </dev/null
    said '^hint: .*--passphrase-file'
}

@test "dec reads the header first and says which kinds of slot there are" {
    setup_files
    refused 3 without_terminal "$FCRYPT" dec -o b k.fcrypt </dev/null
    said 'key file'
    refused 4 without_terminal "$FCRYPT" dec -o b a </dev/null
}

@test "ciphertext to a terminal is refused without -f; dec may write to one" {
    setup_files
    on_terminal <<'EOT'
        spawn $fcrypt enc -k key -c a
        want {fcrypt: }
        want {hint: }
        ends 5
        spawn sh -c {echo data | $FCRYPT enc -k key}
        want {fcrypt: }
        ends 5
        spawn sh -c {$FCRYPT enc -k key -o /dev/tty a}
        want {fcrypt: }
        ends 5
        spawn $fcrypt enc -k key -f -c a
        want {^fcrypt}
        ends 0
        spawn $fcrypt dec -k key -c k.fcrypt
        want {1\r\n2\r\n3\r\n}
        ends 0
EOT
}

@test "dec does not read from a terminal" {
    setup_files
    on_terminal <<'EOT'
        spawn $fcrypt dec -k key
        want {fcrypt: }
        ends 5
        spawn $fcrypt dec -k key -c /dev/tty
        want {fcrypt: }
        ends 5
EOT
}

@test "progress is shown where it is asked for, and cleared" {
    setup_files
    make_file big 3000000
    on_terminal <<'EOT'
        spawn $fcrypt enc -k key --no-progress -f -o x big
        ends 0
        if {$shown ne ""} { fail "shown: $shown" }
        spawn $fcrypt enc -k key --progress -f -o x big
        want {[0-9]}
        ends 0
EOT
}
