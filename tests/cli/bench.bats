# bench: what it prints, never how fast anything is.
load helpers

# One group, a single lap.
QUICK=(bench --rounds 1 --filter 'ctr-128 1K')

# rows FILE EXPRESSION: the expression over d, bench's JSON, and rows.
rows() {
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
rows = d["rows"]
print(eval(sys.argv[2]))' "$@"
}

@test "text: the machine, a row for each tier, a summary; 100 columns" {
    succeeds fcrypt "${QUICK[@]}"
    assert_line --regexp '^cpu: .'
    assert_line --regexp '^tiers: generic'
    assert_line --regexp '^operation +size +tier +c/B +q1 +q3 +GB/s +% limit +limit$'
    assert_line --regexp '^ctr-128 +1K +generic +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$'
    assert_line --regexp '^summary: clock (un)?steady, '
    refute_line --regexp '^ctr-128 +1K +limit'
    [ "$(awk 'length > 100' <<<"$output")" = "" ] || fail "wide: $output"
}

@test "every default measurement once" {
    succeeds fcrypt bench --rounds 1
    for operation in 'gcmsiv-(256|128) (seal|seal x16|open) +(64|1K|8K|64K)' \
        'ctr-(128|192|256) +(50|1K|8K)' 'xts-(256|128) (en|de)crypt x1 +(512|4K|8K)' \
        'blake2b +(128|1K|32K)' 'blake2b x8 +(4K|1024K)'; do
        assert_line --regexp "^$operation +generic +[0-9]"
    done
    refute_line --partial FAILED
    [ "$(awk 'length > 100' <<<"$output")" = "" ] || fail "wide: $output"
}

@test "--json" {
    fcrypt "${QUICK[@]}" --json >out
    assert_equal "$(rows out '{(r["operation"], r["size"]) for r in rows}')" "{('ctr-128', '1K')}"
    assert_equal "$(rows out 'all(r["cycles_per_byte"] > 0 and r["gb_per_s"] > 0 for r in rows)')" True
    assert_equal "$(rows out 'all(r["laps"] == 1 for r in rows)')" True
    assert_equal "$(rows out '"cpu" in d and "summary" in d')" True
    assert_equal "$(rows out '[r["percent_of_limit"] for r in rows if r["who"] == "generic"]')" '[None]'
}

@test "--csv has the same rows, comments aside" {
    fcrypt "${QUICK[@]}" --csv >out
    fcrypt "${QUICK[@]}" --json >json
    python3 - <<'EOT'
import csv, json
lines = [line for line in open("out") if not line.startswith("#")]
table = list(csv.DictReader(lines))
rows = json.load(open("json"))["rows"]
assert [r["who"] for r in table] == [r["who"] for r in rows]
assert list(table[0]) == list(rows[0])
assert all(float(r["cycles_per_byte"]) > 0 for r in table)
EOT
}

@test "the last of --csv and --json counts" {
    fcrypt "${QUICK[@]}" --csv --json >out
    rows out 'len(rows)'
}

@test "--tier, for every tier" {
    fcrypt "${QUICK[@]}" --json >out
    for tier in generic sse41 aesni bmi2 avx2 avx512; do
        if [ "$(rows out "any(r['who'] == '$tier' for r in rows)")" = True ]; then
            succeeds fcrypt "${QUICK[@]}" --tier $tier
            assert_line --regexp "^ctr-128 +1K +$tier "
            assert_equal "$(grep -c '^ctr-128' <<<"$output")" 1
        else
            refused 2 fcrypt "${QUICK[@]}" --tier $tier
            said '^hint: '
        fi
    done
    refused 2 fcrypt "${QUICK[@]}" --tier AVX2
    said 'avx512'
}

@test "FCRYPT_TIER" {
    FCRYPT_TIER=generic succeeds fcrypt "${QUICK[@]}"
    assert_line 'tiers: generic'
    assert_equal "$(grep -c '^ctr-128' <<<"$output")" 1
    FCRYPT_TIER=generic refused 2 fcrypt bench --tier aesni
    FCRYPT_TIER=mmx refused 2 fcrypt "${QUICK[@]}"
}

@test "--list, and with --all more of it" {
    succeeds fcrypt bench --list
    assert_line 'gcmsiv-256 seal 64K'
    assert_line 'xts-128 decrypt x1 512'
    refute_line --partial src+
    refute_line --partial kernel
    few=${#lines[@]}
    succeeds fcrypt bench --list --all
    [ "${#lines[@]}" -gt "$few" ]
    for line in 'gcmsiv-128 open 1121' 'ctr-192 97' 'ctr-256 src+97 1024K' 'gcmsiv-256 kernel pair 8K'; do
        assert_line "$line"
    done
    succeeds fcrypt bench --list --filter 'ctr-256 8K'
    assert_output 'ctr-256 8K'
    succeeds fcrypt bench --all --rounds 1 --filter 'gcmsiv-256 open 97'
    assert_line --regexp '^gcmsiv-256 open +97 +generic '
}

@test "a filter that nothing has in it: status 2 and what there is" {
    refused 2 fcrypt bench --filter nothing
    said "'nothing'"
    said '^hint: .*gcmsiv-256 seal, .*blake2b x8'
    refused 2 fcrypt bench --filter 'kernel pair'
    said '^hint: .*--all'
    refused 2 fcrypt bench --list --filter nothing
}

@test "what is no use of it" {
    refused 2 fcrypt bench file
    refused 2 fcrypt bench --filter ctr --filter xts
    for rounds in 0 -1 x 1.5 1000001 ''; do
        refused 2 fcrypt bench --rounds "$rounds"
    done
}

@test "output that cannot be written: status 5" {
    for form in --list --csv --json --all; do
        refused 5 bash -c 'fcrypt bench --rounds 1 --filter ctr-128 "$0" >/dev/full' $form
        said 'standard output: cannot write: No space left on device'
    done
    refused 5 bash -c 'fcrypt bench >&-'
}

@test "a closed pipe is quiet, and ends it" {
    for signals in --default-signal=PIPE --ignore-signal=PIPE; do
        { env $signals "$FCRYPT" bench --rounds 1 --all 2>err &&
            echo 0 >rc || echo $? >rc; } | true
        assert_not_equal "$(cat rc)" 0
        assert_equal "$(cat err)" ""
    done
}

@test "a signal ends it at once, by death" {
    for signal in INT TERM HUP; do
        env --default-signal=INT,TERM,HUP "$FCRYPT" bench --rounds 1000000 >out 3>&- &
        sleep 0.2
        kill -$signal $!
        status=0
        wait $! || status=$?
        assert_equal "$status" $((128 + $(kill -l $signal)))
    done
}
