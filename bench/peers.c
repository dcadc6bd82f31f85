#include "peers.h"

#include <stddef.h>

#include "cpu.h"

#ifdef FC_HAVE_LIBGCRYPT
static bool gcrypt_novaes_remote(struct peer *peer)
{
    return (fc_cpu_features() & FC_CPU_VAES) != 0 &&
           peer_remote_open(peer, peer_gcrypt_novaes_open);
}
#endif

/* Those in a process of their own come first. */
static bool (*const openers[])(struct peer *) = {
#ifdef FC_HAVE_LIBGCRYPT
    gcrypt_novaes_remote,
    peer_gcrypt_open,
#endif
#ifdef FC_HAVE_LIBCRYPTO
    peer_crypto_open,
#endif
#ifdef FC_HAVE_LIBB2
    peer_b2_open,
#endif
    NULL,
};

size_t peers_open(struct peer *peers)
{
    size_t n = 0;

    for (size_t i = 0; openers[i] != NULL; i++) {
        peers[n] = (struct peer){0};
        if (openers[i](&peers[n]))
            n++;
    }
    return n;
}

void peers_close(struct peer *peers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (peers[i].close != NULL)
            peers[i].close(&peers[i]);
}
