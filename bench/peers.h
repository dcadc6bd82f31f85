/*
 * The other libraries that this build has.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "peer.h"

enum { PEER_MAX = 8 };

/* peers_open(peers): fills peers[PEER_MAX] with those this build has; returns their number. To be
 * called before anything else uses a library, since one peer is a forked process that initialises
 * a library in another way. */
size_t peers_open(struct peer *peers);
void peers_close(struct peer *peers, size_t n);

/* Each fills peer; false when the library turns out to be unusable. */
bool peer_gcrypt_open(struct peer *peer);
bool peer_gcrypt_novaes_open(struct peer *peer); /* without VAES and VPCLMULQDQ */
bool peer_crypto_open(struct peer *peer);
bool peer_b2_open(struct peer *peer);

/* peer_remote_open(peer, open): the peer that open gives, opened and run in a child process. */
bool peer_remote_open(struct peer *peer, bool (*open)(struct peer *));

#endif
