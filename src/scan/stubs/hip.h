#pragma once
#include <gelint/cuda.h>
typedef cudaStream_t hipStream_t; typedef cudaError_t hipError_t; enum { hipSuccess };
typedef struct gelint_hipblas* hipblasHandle_t; typedef struct gelint_rocblas* rocblas_handle;
enum hipblasLtEpilogue_t { HIPBLASLT_EPILOGUE_DEFAULT, HIPBLASLT_EPILOGUE_RELU, HIPBLASLT_EPILOGUE_BIAS, HIPBLASLT_EPILOGUE_GELU, HIPBLASLT_EPILOGUE_GELU_BIAS, HIPBLASLT_EPILOGUE_RELU_BIAS, HIPBLASLT_EPILOGUE_GELU_AUX, HIPBLASLT_EPILOGUE_GELU_AUX_BIAS, HIPBLASLT_EPILOGUE_DGELU };
template <class... A> hipError_t hipMalloc(A&&...); template <class... A> hipError_t hipMemcpy(A&&...); template <class... A> hipError_t hipFree(A&&...); template <class... A> hipError_t hipLaunchKernelGGL(A&&...);
