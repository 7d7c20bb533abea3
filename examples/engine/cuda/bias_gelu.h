// Launchers of the device kernels. Pointers are device pointers; the stream is a cudaStream_t.
#pragma once

namespace mini::cuda {

// out[r][c] = gelu(in[r][c] + bias[c])
void launch_bias_gelu(const float* in, const float* bias, float* out, int rows, int cols,
                      void* stream);
void launch_gelu_half(const void* in, void* out, int n, void* stream);
void launch_gelu_fast(const float* in, float* out, int n, void* stream);
void launch_gelu_erf(const float* in, float* out, int n, void* stream);

// The fused epilogue of the matrix product, as a cublasLtEpilogue_t.
int matmul_epilogue(bool activation, bool bias);

} // namespace mini::cuda
