/*
 * Offsets of the structures shared between C and assembly; kern.c asserts that C agrees.
 */
#ifndef FC_KERN_LAYOUT_H
#define FC_KERN_LAYOUT_H

/* struct fc_gcmsiv_key */
#define FC_KEY_RK 0
#define FC_KEY_ROUNDS 240
#define FC_KEY_KEY_LEN 244

/* struct fc_gcmsiv_mk */
#define FC_MK_RK 0
#define FC_MK_ROUNDS 240
#define FC_MK_POWERS 244
#define FC_MK_ACC 256
#define FC_MK_CTR 272
#define FC_MK_HPOW 320
#define FC_MK_HKAR 832
#define FC_MK_SIZE 1344

/* Entries in hpow and hkar: the widest tier's. */
#define FC_MK_MAX_POWERS 32

/* struct fc_blake2b */
#define FC_B2_H 0
#define FC_B2_T 64

/* struct fc_blake2b_lanes */
#define FC_B2L_H 0
#define FC_B2L_T 512
#define FC_B2L_INC 640
#define FC_B2L_LAST 704
#define FC_B2L_WORK 768
#define FC_B2L_SRC 1344

/* struct fc_ctr_key */
#define FC_CTR_RK 0
#define FC_CTR_ROUNDS 240

/* struct fc_xts_key */
#define FC_XTS_ENC 0
#define FC_XTS_DEC 240
#define FC_XTS_TWEAK 480
#define FC_XTS_ROUNDS 720
#define FC_XTS_ROUNDS_FROM_DEC 480
#define FC_XTS_ROUNDS_FROM_TWEAK 240

/* struct fc_xts_work */
#define FC_XTS_NEXT 0
#define FC_XTS_KEPT 512
#define FC_XTS_TWEAKS 1024

#endif
