// x86 vector types and the intrinsics that elementwise code uses.
#pragma once
#include <gelint/core.h>
typedef float __m128 __attribute__((vector_size(16))); typedef float __m256 __attribute__((vector_size(32))); typedef float __m512 __attribute__((vector_size(64))); typedef double __m128d __attribute__((vector_size(16))); typedef double __m256d __attribute__((vector_size(32))); typedef double __m512d __attribute__((vector_size(64))); typedef long long __m128i __attribute__((vector_size(16))); typedef long long __m256i __attribute__((vector_size(32))); typedef long long __m512i __attribute__((vector_size(64))); typedef unsigned char __mmask8; typedef unsigned short __mmask16; typedef unsigned __mmask32; typedef unsigned long long __mmask64; typedef unsigned short __m128bh_gelint;
#define _MM_FROUND_TO_NEAREST_INT 0
#define _MM_FROUND_NO_EXC 8
#define _CMP_LT_OQ 17
#define _CMP_GT_OQ 30
#define _CMP_LT_OS 1
#define _CMP_GT_OS 14
#define _CMP_LE_OS 2
#define _CMP_GE_OS 13
#define _CMP_EQ_OQ 0
#define _CMP_LE_OQ 18
#define _CMP_GE_OQ 29
#define _CMP_NEQ_UQ 4
#define _CMP_NEQ_OQ 12
#define _CMP_UNORD_Q 3
#ifdef __cplusplus
extern "C" {
#endif
#define GELINT_X(p, V, S) V p##_add_ps(V, V); V p##_sub_ps(V, V); V p##_mul_ps(V, V); V p##_div_ps(V, V); V p##_max_ps(V, V); V p##_min_ps(V, V); V p##_sqrt_ps(V); V p##_rcp_ps(V); V p##_rsqrt_ps(V); V p##_rcp14_ps(V); V p##_rsqrt14_ps(V); V p##_fmadd_ps(V, V, V); V p##_fmsub_ps(V, V, V); V p##_fnmadd_ps(V, V, V); V p##_fnmsub_ps(V, V, V); V p##_set1_ps(float); V p##_setzero_ps(void); V p##_load_ps(const float*); V p##_loadu_ps(const float*); void p##_store_ps(float*, V); void p##_storeu_ps(float*, V); V p##_and_ps(V, V); V p##_or_ps(V, V); V p##_xor_ps(V, V); V p##_andnot_ps(V, V); V p##_exp_ps(V); V p##_tanh_ps(V); V p##_erf_ps(V); V p##_floor_ps(V); V p##_ceil_ps(V); V p##_round_ps(V, int); V p##_roundscale_ps(V, int); V p##_scalef_ps(V, V); V p##_getexp_ps(V); V p##_abs_ps(V); V p##_blendv_ps(V, V, V); V p##_cmp_ps(V, V, int); S p##_castps_##S##_gelint(V);
GELINT_X(_mm, __m128, __m128i) GELINT_X(_mm256, __m256, __m256i) GELINT_X(_mm512, __m512, __m512i)
__m256i _mm256_castps_si256(__m256); __m256 _mm256_castsi256_ps(__m256i); __m512i _mm512_castps_si512(__m512); __m512 _mm512_castsi512_ps(__m512i); __m128i _mm_castps_si128(__m128); __m128 _mm_castsi128_ps(__m128i); __m256i _mm256_cvtps_epi32(__m256); __m256 _mm256_cvtepi32_ps(__m256i); __m512i _mm512_cvtps_epi32(__m512); __m512 _mm512_cvtepi32_ps(__m512i); __m128i _mm_cvtps_epi32(__m128); __m128 _mm_cvtepi32_ps(__m128i); __m256i _mm256_add_epi32(__m256i, __m256i); __m256i _mm256_slli_epi32(__m256i, int); __m256i _mm256_srli_epi32(__m256i, int); __m256i _mm256_set1_epi32(int); __m512i _mm512_add_epi32(__m512i, __m512i); __m512i _mm512_slli_epi32(__m512i, int); __m512i _mm512_set1_epi32(int); __m128i _mm_set1_epi32(int); __m128i _mm_add_epi32(__m128i, __m128i); __m128i _mm_slli_epi32(__m128i, int); __m256i _mm256_sub_epi32(__m256i, __m256i); __m256 _mm256_cvtph_ps(__m128i); __m128i _mm256_cvtps_ph(__m256, int); __m512 _mm512_cvtph_ps(__m256i); __m256i _mm512_cvtps_ph(__m512, int); __mmask16 _mm512_cmp_ps_mask(__m512, __m512, int); __m512 _mm512_mask_blend_ps(__mmask16, __m512, __m512); __m512 _mm512_mask_mov_ps(__m512, __mmask16, __m512); __m512 _mm512_maskz_loadu_ps(__mmask16, const float*); void _mm512_mask_storeu_ps(float*, __mmask16, __m512); __m512 _mm512_mask_sub_ps(__m512, __mmask16, __m512, __m512); __m512 _mm512_mask_add_ps(__m512, __mmask16, __m512, __m512); __m256i _mm256_loadu_si256(const __m256i*); __m128i _mm_loadu_si128(const __m128i*); void _mm_storeu_si128(__m128i*, __m128i); void _mm256_storeu_si256(__m256i*, __m256i); float _mm_cvtss_f32(__m128); __m128 _mm256_castps256_ps128(__m256); __m128 _mm256_extractf128_ps(__m256, int); int _mm256_movemask_ps(__m256); __m256i _mm256_cvtepi16_epi32(__m128i); __m256i _mm256_cvtepu16_epi32(__m128i); float _mm512_reduce_add_ps(__m512); __m256i _mm256_and_si256(__m256i, __m256i); __m256i _mm256_or_si256(__m256i, __m256i); __m256i _mm256_cmpgt_epi32(__m256i, __m256i); __m128 _mm_cmplt_ps(__m128, __m128); __m128 _mm_cmpgt_ps(__m128, __m128); int _mm_movemask_ps(__m128);
#ifdef __cplusplus
}
#endif
