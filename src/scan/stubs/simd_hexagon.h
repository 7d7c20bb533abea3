// Vector types of Hexagon HVX (128 bytes) and the intrinsics that elementwise code uses.
#pragma once
#include <gelint/core.h>
typedef int HVX_Vector __attribute__((vector_size(128))); typedef int HVX_UVector __attribute__((vector_size(128), aligned(4))); typedef int HVX_VectorPred __attribute__((vector_size(128))); typedef int HVX_VectorPair __attribute__((vector_size(256)));
#ifdef __cplusplus
extern "C" {
#endif
#define GELINT_V HVX_Vector
#define GELINT_Q HVX_VectorPred
GELINT_V Q6_V_vsplat_R(int); GELINT_V Q6_V_vzero(void); GELINT_V Q6_V_vmux_QVV(GELINT_Q, GELINT_V, GELINT_V);
#define GELINT_B(o) GELINT_V Q6_Vsf_v##o##_VsfVsf(GELINT_V, GELINT_V); GELINT_V Q6_Vqf32_v##o##_VsfVsf(GELINT_V, GELINT_V); GELINT_V Q6_Vqf32_v##o##_Vqf32Vsf(GELINT_V, GELINT_V); GELINT_V Q6_Vqf32_v##o##_Vqf32Vqf32(GELINT_V, GELINT_V);
GELINT_B(add) GELINT_B(sub) GELINT_B(mpy)
GELINT_V Q6_Vsf_vmin_VsfVsf(GELINT_V, GELINT_V); GELINT_V Q6_Vsf_vmax_VsfVsf(GELINT_V, GELINT_V); GELINT_V Q6_Vsf_vfmin_VsfVsf(GELINT_V, GELINT_V); GELINT_V Q6_Vsf_vfmax_VsfVsf(GELINT_V, GELINT_V); GELINT_V Q6_Vsf_vfneg_Vsf(GELINT_V); GELINT_V Q6_Vsf_vabs_Vsf(GELINT_V);
GELINT_V Q6_Vsf_equals_Vqf32(GELINT_V); GELINT_V Q6_Vqf32_equals_Vsf(GELINT_V); GELINT_V Q6_Vsf_equals_Vw(GELINT_V); GELINT_V Q6_Vw_equals_Vsf(GELINT_V);
GELINT_V Q6_Vw_vadd_VwVw(GELINT_V, GELINT_V); GELINT_V Q6_Vw_vsub_VwVw(GELINT_V, GELINT_V); GELINT_V Q6_Vw_vasl_VwR(GELINT_V, int); GELINT_V Q6_Vw_vasr_VwR(GELINT_V, int); GELINT_V Q6_Vuw_vlsr_VuwR(GELINT_V, int); GELINT_V Q6_Vw_vasr_VwVw(GELINT_V, GELINT_V); GELINT_V Q6_Vw_vaslacc_VwVwR(GELINT_V, GELINT_V, int);
GELINT_V Q6_V_vand_VV(GELINT_V, GELINT_V); GELINT_V Q6_V_vor_VV(GELINT_V, GELINT_V); GELINT_V Q6_V_vxor_VV(GELINT_V, GELINT_V); GELINT_V Q6_V_vnot_V(GELINT_V); GELINT_V Q6_V_vlalign_VVR(GELINT_V, GELINT_V, int);
GELINT_Q Q6_Q_vcmp_gt_VsfVsf(GELINT_V, GELINT_V); GELINT_Q Q6_Q_vcmp_gt_VwVw(GELINT_V, GELINT_V); GELINT_Q Q6_Q_vcmp_eq_VwVw(GELINT_V, GELINT_V); GELINT_Q Q6_Q_vcmp_eq_VbVb(GELINT_V, GELINT_V); GELINT_Q Q6_Q_vsetq_R(int); GELINT_Q Q6_Q_vsetq2_R(int); GELINT_Q Q6_Q_or_QQn(GELINT_Q, GELINT_Q); GELINT_Q Q6_Q_or_QQ(GELINT_Q, GELINT_Q); GELINT_Q Q6_Q_and_QQ(GELINT_Q, GELINT_Q); GELINT_Q Q6_Q_not_Q(GELINT_Q);
void Q6_vmem_QRIV(GELINT_Q, HVX_Vector*, GELINT_V); void Q6_vmem_QnRIV(GELINT_Q, HVX_Vector*, GELINT_V);
#ifdef __cplusplus
}
#endif
