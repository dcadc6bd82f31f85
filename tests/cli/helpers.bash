# What every file of the command's tests shares. FCRYPT names the binary under test.
#
# Constants are for the tests; `run` sets status, output, stderr and stderr_lines.
# shellcheck disable=SC2034,SC2154
bats_require_minimum_version 1.5.0
bats_load_library bats-support
bats_load_library bats-assert
bats_load_library bats-file

: "${FCRYPT:?set FCRYPT to the fcrypt under test}"
export FCRYPT
fcrypt() { "$FCRYPT" "$@"; }
export -f fcrypt

# The cheapest passphrase slot that can be asked for: these tests are about the command.
KDF=(--kdf-memory 1 --kdf-passes 1 -q)

HEADER_LEN=1024
TAG_LEN=16

setup() {
    set -o pipefail
    umask 022
    # A folder below, because bats keeps files of its own in the upper one.
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
    make_key key 1
}

# make_key FILE N: 32 raw bytes, others for each N.
make_key() { printf '\200%031d' "$2" >"$1"; }

# make_file FILE SIZE: SIZE bytes, no two chunks of them alike; at most 70 MB.
make_file() { head -c "$2" <(seq 9999999 2>/dev/null) >"$1"; }

# container_size PLAIN CHUNK: how long the container of PLAIN bytes in chunks of CHUNK must be.
container_size() {
    local chunks=$((($1 + $2 - 1) / $2))
    echo $((HEADER_LEN + $1 + TAG_LEN * (chunks > 0 ? chunks : 1)))
}

# bytes FILE OFFSET LENGTH: that part of the file in hex.
bytes() { od -An -v -tx1 -j "$2" -N "$3" "$1" | tr -d ' \n'; }

# snapshot: every file below the current folder: name, kind, mode, inode, size, times, contents.
snapshot() {
    find . -type d -printf '%p %y %m\n' -o -printf '%p %y %m %i %n %s %T@ %l\n' \
        -type f -readable -exec cksum {} +
}

# unchanged_since SNAPSHOT
unchanged_since() {
    local now
    now=$(snapshot)
    [ "$now" = "$1" ] || fail "files changed:
$(diff <(echo "$1") <(echo "$now"))"
}

# expect_status STATUS: what `run --separate-stderr` must have given.
expect_status() {
    [ "$status" -eq "$1" ] || fail "status $status, expected $1
stdout: ${output:0:200}
stderr: $stderr"
}

# stderr_has PATTERN: whether a line of stderr matches the extended regular expression, in any case.
stderr_has() {
    local line found=1
    shopt -s nocasematch
    for line in "${stderr_lines[@]}"; do
        [[ ! $line =~ $1 ]] || found=0
    done
    shopt -u nocasematch
    return $found
}

said() {
    stderr_has "$1" || fail "stderr has no line with /$1/:
$stderr"
}

not_said() {
    ! stderr_has "$1" || fail "stderr has a line with /$1/:
$stderr"
}

# damage FILE OFFSET: flips that byte.
damage() {
    local byte=$((16#$(bytes "$1" "$2" 1) ^ 255))
    printf %b "\\x$(printf %x $byte)" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# succeeds COMMAND...: status 0 and a silent stderr.
succeeds() {
    run --separate-stderr "$@"
    expect_status 0
    assert_equal "$stderr" ""
}

# fails STATUS COMMAND...: ends with STATUS and says why, in lines that begin with "fcrypt: ",
# "fcrypt COMMAND: " or "hint: " only.
fails() {
    local want=$1 line
    shift
    run --separate-stderr "$@"
    expect_status "$want"
    said '^fcrypt( [a-z]+)?: '
    for line in "${stderr_lines[@]}"; do
        [[ $line =~ ^(fcrypt( [a-z]+)?|hint):\  ]] || fail "stray line on stderr: $line"
    done
}

# refused STATUS COMMAND...: fails; stdout stays empty, and everything below the current folder is
# as it was: no output, no temporary file, inputs unchanged.
refused() {
    local before
    before=$(snapshot)
    fails "$@"
    assert_equal "$output" ""
    unchanged_since "$before"
}

# eventually COMMAND...: waits, ten seconds at most, until the command succeeds.
eventually() {
    local i
    for ((i = 0; i < 500; i++)); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.02
    done
    fail "never came true: $*"
}

# without_terminal COMMAND...: in a session that has no terminal.
without_terminal() { setsid --wait "$@"; }

# with_memory KIB COMMAND...: with an address space of no more.
with_memory() { bash -c 'ulimit -v "$0"; "$@"' "$@"; }

# needs_memory KIB: sanitizers want address space for themselves.
needs_memory() {
    with_memory "$1" "$FCRYPT" --version >/dev/null 2>&1 ||
        skip "this build does not start in so little memory"
}

# as_nobody COMMAND...: root's rights would open what the test wants closed.
as_nobody() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --clear-groups -- "$@"
    else
        "$@"
    fi
}

# open_to_nobody: makes this test's folder writable for as_nobody, and the binary reachable.
open_to_nobody() {
    [ "$(id -u)" -eq 0 ] || return 0
    chmod 711 "$BATS_RUN_TMPDIR"
    chmod 777 .
    cp "$FCRYPT" ../fcrypt
    FCRYPT=$BATS_TEST_TMPDIR/fcrypt
    as_nobody test -x "$FCRYPT" -a -w . || skip "cannot become a user without rights here"
}

# need_vectors NAME: VECTORS is that folder of outside test vectors.
need_vectors() {
    VECTORS=${FCRYPT_VECTORS:-$BATS_TEST_DIRNAME/../../../shared/vectors}/$1
    [ -d "$VECTORS" ] || skip "no test vectors ($1)"
}
