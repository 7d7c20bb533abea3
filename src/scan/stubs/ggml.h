// ggml: the builders and enumerators that a graph is made of.
#pragma once
#include <gelint/std.h>
#ifdef __cplusplus
extern "C" {
#endif
enum ggml_type { GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_Q4_0, GGML_TYPE_Q8_0, GGML_TYPE_I32, GGML_TYPE_BF16 }; enum ggml_status { GGML_STATUS_SUCCESS };
enum ggml_op { GGML_OP_NONE, GGML_OP_ADD, GGML_OP_MUL, GGML_OP_MUL_MAT, GGML_OP_UNARY, GGML_OP_GLU, GGML_OP_SCALE, GGML_OP_NORM, GGML_OP_SOFT_MAX };
enum ggml_unary_op { GGML_UNARY_OP_ABS, GGML_UNARY_OP_SGN, GGML_UNARY_OP_NEG, GGML_UNARY_OP_STEP, GGML_UNARY_OP_TANH, GGML_UNARY_OP_ELU, GGML_UNARY_OP_RELU, GGML_UNARY_OP_SIGMOID, GGML_UNARY_OP_GELU, GGML_UNARY_OP_GELU_QUICK, GGML_UNARY_OP_SILU, GGML_UNARY_OP_HARDSWISH, GGML_UNARY_OP_HARDSIGMOID, GGML_UNARY_OP_EXP, GGML_UNARY_OP_GELU_ERF, GGML_UNARY_OP_XIELU, GGML_UNARY_OP_SOFTPLUS, GGML_UNARY_OP_COUNT };
enum ggml_glu_op { GGML_GLU_OP_REGLU, GGML_GLU_OP_GEGLU, GGML_GLU_OP_SWIGLU, GGML_GLU_OP_SWIGLU_OAI, GGML_GLU_OP_GEGLU_ERF, GGML_GLU_OP_GEGLU_QUICK, GGML_GLU_OP_COUNT };
struct ggml_context; struct ggml_cgraph; struct ggml_backend; typedef struct ggml_backend* ggml_backend_t; typedef struct ggml_backend_buffer* ggml_backend_buffer_t; struct gguf_context; typedef uint16_t ggml_fp16_t;
struct ggml_tensor { enum ggml_type type; int64_t ne[4]; size_t nb[4]; enum ggml_op op; int32_t op_params[16]; struct ggml_tensor* src[10]; void* data; char name[64]; };
#define GELINT_G1(n) struct ggml_tensor* n(struct ggml_context*, struct ggml_tensor*); struct ggml_tensor* n##_inplace(struct ggml_context*, struct ggml_tensor*);
#define GELINT_G2(n) struct ggml_tensor* n(struct ggml_context*, struct ggml_tensor*, struct ggml_tensor*); struct ggml_tensor* n##_inplace(struct ggml_context*, struct ggml_tensor*, struct ggml_tensor*);
GELINT_G1(ggml_gelu) GELINT_G1(ggml_gelu_erf) GELINT_G1(ggml_gelu_quick) GELINT_G1(ggml_silu) GELINT_G1(ggml_relu) GELINT_G1(ggml_tanh) GELINT_G1(ggml_sigmoid) GELINT_G1(ggml_elu) GELINT_G1(ggml_hardswish) GELINT_G1(ggml_hardsigmoid) GELINT_G1(ggml_exp) GELINT_G1(ggml_neg) GELINT_G1(ggml_abs) GELINT_G1(ggml_sqr) GELINT_G1(ggml_sqrt) GELINT_G1(ggml_log) GELINT_G1(ggml_sin) GELINT_G1(ggml_cos) GELINT_G1(ggml_cont) GELINT_G1(ggml_transpose) GELINT_G1(ggml_soft_max) GELINT_G1(ggml_dup) GELINT_G1(ggml_softplus)
GELINT_G1(ggml_geglu) GELINT_G1(ggml_geglu_erf) GELINT_G1(ggml_geglu_quick) GELINT_G1(ggml_swiglu) GELINT_G1(ggml_reglu) GELINT_G1(ggml_geglu_swapped) GELINT_G1(ggml_swiglu_swapped)
GELINT_G2(ggml_add) GELINT_G2(ggml_sub) GELINT_G2(ggml_mul) GELINT_G2(ggml_div) GELINT_G2(ggml_mul_mat) GELINT_G2(ggml_repeat) GELINT_G2(ggml_get_rows) GELINT_G2(ggml_geglu_split) GELINT_G2(ggml_geglu_erf_split) GELINT_G2(ggml_geglu_quick_split) GELINT_G2(ggml_swiglu_split) GELINT_G2(ggml_reglu_split) GELINT_G2(ggml_cpy)
struct ggml_tensor* ggml_unary(struct ggml_context*, struct ggml_tensor*, enum ggml_unary_op); struct ggml_tensor* ggml_unary_inplace(struct ggml_context*, struct ggml_tensor*, enum ggml_unary_op); struct ggml_tensor* ggml_glu(struct ggml_context*, struct ggml_tensor*, enum ggml_glu_op, bool); struct ggml_tensor* ggml_glu_split(struct ggml_context*, struct ggml_tensor*, struct ggml_tensor*, enum ggml_glu_op);
struct ggml_tensor* ggml_scale(struct ggml_context*, struct ggml_tensor*, float); struct ggml_tensor* ggml_clamp(struct ggml_context*, struct ggml_tensor*, float, float); struct ggml_tensor* ggml_norm(struct ggml_context*, struct ggml_tensor*, float); struct ggml_tensor* ggml_rms_norm(struct ggml_context*, struct ggml_tensor*, float); struct ggml_tensor* ggml_leaky_relu(struct ggml_context*, struct ggml_tensor*, float, bool); struct ggml_tensor* ggml_reshape_2d(struct ggml_context*, struct ggml_tensor*, int64_t, int64_t); struct ggml_tensor* ggml_reshape_3d(struct ggml_context*, struct ggml_tensor*, int64_t, int64_t, int64_t); struct ggml_tensor* ggml_permute(struct ggml_context*, struct ggml_tensor*, int, int, int, int); struct ggml_tensor* ggml_new_tensor_1d(struct ggml_context*, enum ggml_type, int64_t); struct ggml_tensor* ggml_new_tensor_2d(struct ggml_context*, enum ggml_type, int64_t, int64_t);
enum ggml_unary_op ggml_get_unary_op(const struct ggml_tensor*); enum ggml_glu_op ggml_get_glu_op(const struct ggml_tensor*); const char* ggml_unary_op_name(enum ggml_unary_op); const char* ggml_glu_op_name(enum ggml_glu_op); int64_t ggml_nelements(const struct ggml_tensor*); int64_t ggml_nrows(const struct ggml_tensor*); void ggml_set_name(struct ggml_tensor*, const char*); void ggml_build_forward_expand(struct ggml_cgraph*, struct ggml_tensor*); float ggml_fp16_to_fp32(ggml_fp16_t); ggml_fp16_t ggml_fp32_to_fp16(float);
int64_t gguf_find_key(const struct gguf_context*, const char*); bool gguf_get_val_bool(const struct gguf_context*, int64_t); const char* gguf_get_val_str(const struct gguf_context*, int64_t); uint32_t gguf_get_val_u32(const struct gguf_context*, int64_t); float gguf_get_val_f32(const struct gguf_context*, int64_t);
#ifdef __cplusplus
}
#endif
#define GGML_ASSERT(...) ((void)0)
#define GGML_ABORT(...) abort()
#define GGML_API
#define GGML_UNUSED(x) (void)(x)
#define GGML_MAX_NAME 64
#define GGML_FP16_TO_FP32(x) ggml_fp16_to_fp32(x)
#define GGML_FP32_TO_FP16(x) ggml_fp32_to_fp16(x)
