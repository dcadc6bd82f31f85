# Lengths beyond 32 bits.
load helpers

@test "more than 4 GiB" {
    truncate -s 4G a
    make_file tail 100001
    cat tail >>a
    fcrypt enc -k key -c a | fcrypt dec -k key | cmp - a
}
