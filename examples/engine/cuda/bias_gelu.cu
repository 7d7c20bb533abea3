// The feed-forward block of GPT-2 on the device: matrix product, bias and activation.
#include "cuda/bias_gelu.h"

#include <cublasLt.h>
#include <cuda_runtime.h>

#include "cuda/gelu.cuh"

namespace mini::cuda {
namespace {

__global__ void bias_gelu_kernel(const float* in, const float* bias, float* out, int rows,
                                 int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols)
    out[i] = gelu(in[i] + bias[i % cols]);
}

__global__ void gelu_half_kernel(const __half* in, __half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = gelu_half(in[i]);
}

template <float (*Activation)(float)>
__global__ void map_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = Activation(in[i]);
}

constexpr int k_block = 256;

int blocks_for(int n) { return (n + k_block - 1) / k_block; }

} // namespace

void launch_bias_gelu(const float* in, const float* bias, float* out, int rows, int cols,
                      void* stream) {
  bias_gelu_kernel<<<blocks_for(rows * cols), k_block, 0, static_cast<cudaStream_t>(stream)>>>(
      in, bias, out, rows, cols);
}

void launch_gelu_half(const void* in, void* out, int n, void* stream) {
  gelu_half_kernel<<<blocks_for(n), k_block, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const __half*>(in), static_cast<__half*>(out), n);
}

void launch_gelu_fast(const float* in, float* out, int n, void* stream) {
  map_kernel<gelu_fast>
      <<<blocks_for(n), k_block, 0, static_cast<cudaStream_t>(stream)>>>(in, out, n);
}

void launch_gelu_erf(const float* in, float* out, int n, void* stream) {
  map_kernel<gelu_erf>
      <<<blocks_for(n), k_block, 0, static_cast<cudaStream_t>(stream)>>>(in, out, n);
}

int matmul_epilogue(bool activation, bool bias) {
  if (activation)
    return bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
  return bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

} // namespace mini::cuda
