// CUDA without CUDA: qualifiers, built-in variables, launch plumbing, half types with operators and intrinsics.
#pragma once
#include <gelint/std.h>
#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#endif
#ifndef __forceinline__
#define __forceinline__ inline
#endif
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __builtin_align__(n) __attribute__((aligned(n)))
#if defined(__cplusplus) && !defined(__CUDA__)
void __syncthreads();
#endif
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDART_INF_F __builtin_inff()
#define CUDART_PI_F 3.141592654f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_SQRT_2OVERPI_F 0.797884561f
#ifdef __cplusplus
struct uint3 { unsigned x, y, z; }; struct int2 { int x, y; }; struct int3 { int x, y, z; }; struct int4 { int x, y, z, w; }; struct uint2 { unsigned x, y; }; struct uint4 { unsigned x, y, z, w; };
struct float2 { float x, y; }; struct float3 { float x, y, z; }; struct float4 { float x, y, z, w; }; struct double2 { double x, y; }; struct char4 { signed char x, y, z, w; }; struct uchar4 { unsigned char x, y, z, w; }; struct short2 { short x, y; }; struct ushort2 { unsigned short x, y; }; struct longlong2 { long long x, y; };
struct char2 { signed char x, y; }; struct uchar2 { unsigned char x, y; }; struct ushort4 { unsigned short x, y, z, w; }; struct short4 { short x, y, z, w; };
struct dim3 { unsigned x, y, z; constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
typedef struct CUstream_st* cudaStream_t; typedef struct CUevent_st* cudaEvent_t; typedef struct CUgraph_st* cudaGraph_t; typedef struct CUgraphExec_st* cudaGraphExec_t; typedef unsigned long CUdeviceptr; typedef struct CUctx_st* CUcontext; typedef struct CUmod_st* CUmodule; typedef struct CUfunc_st* CUfunction; typedef int CUresult; typedef int CUdevice;
enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorNotReady, cudaErrorMemoryAllocation, cudaErrorPeerAccessAlreadyEnabled }; typedef cudaError_t cudaError; enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaDataType_t { CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I, CUDA_R_32I, CUDA_R_64F, CUDA_R_8F_E4M3, CUDA_R_8F_E5M2 }; typedef cudaDataType_t cudaDataType;
struct cudaDeviceProp { char name[256]; int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor; size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, l2CacheSize; int clockRate, integrated; };
extern "C" {
cudaError_t cudaMalloc(void**, size_t); cudaError_t cudaFree(void*); cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind); cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0); cudaError_t cudaMemset(void*, int, size_t); cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize(); cudaError_t cudaStreamSynchronize(cudaStream_t); cudaError_t cudaGetLastError(); cudaError_t cudaPeekAtLastError(); const char* cudaGetErrorString(cudaError_t); cudaError_t cudaSetDevice(int); cudaError_t cudaGetDevice(int*); cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int); cudaError_t cudaStreamCreate(cudaStream_t*); cudaError_t cudaEventCreate(cudaEvent_t*); cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0); cudaError_t cudaEventSynchronize(cudaEvent_t); cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t); cudaError_t cudaEventDestroy(cudaEvent_t); cudaError_t cudaStreamDestroy(cudaStream_t); cudaError_t cudaMallocHost(void**, size_t); cudaError_t cudaFreeHost(void*); cudaError_t cudaGetDeviceCount(int*); cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0); unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void* = 0); cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
}
template <class T> cudaError_t cudaMalloc(T**, size_t); template <class F> cudaError_t cudaFuncSetAttribute(F, int, int); enum { cudaFuncAttributeMaxDynamicSharedMemorySize }; template <class F> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, F, int, size_t); template <class T> cudaError_t cudaMemcpyToSymbol(T&, const void*, size_t);
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
extern const __device__ uint3 threadIdx, blockIdx; extern const __device__ dim3 blockDim, gridDim; extern const __device__ int warpSize;
struct __half; struct __nv_bfloat16;
struct __half { __half() = default; __half(float); __half(double); __half(int); __half(unsigned); operator float() const; explicit __half(const __nv_bfloat16&); __half& operator=(float); unsigned short __x; };
struct __nv_bfloat16 { __nv_bfloat16() = default; __nv_bfloat16(float); __nv_bfloat16(double); __nv_bfloat16(int); operator float() const; __nv_bfloat16& operator=(float); unsigned short __x; };
typedef __half half; typedef __half nv_half; typedef __nv_bfloat16 nv_bfloat16; struct __half2 { __half x, y; __half2() = default; __half2(__half, __half); }; typedef __half2 half2; typedef __half2 nv_half2; struct __nv_bfloat162 { __nv_bfloat16 x, y; __nv_bfloat162() = default; __nv_bfloat162(__nv_bfloat16, __nv_bfloat16); }; typedef __nv_bfloat162 nv_bfloat162;
struct __nv_fp8_e4m3 { explicit __nv_fp8_e4m3(float); operator float() const; __nv_fp8_e4m3() = default; unsigned char __x; }; struct __nv_fp8_e5m2 { explicit __nv_fp8_e5m2(float); operator float() const; __nv_fp8_e5m2() = default; unsigned char __x; }; struct __nv_fp8x4_e4m3 { unsigned __x; }; struct __nv_fp8x2_e4m3 { unsigned short __x; };
#define GELINT_HALF_OPS(T) T operator+(T, T); T operator-(T, T); T operator*(T, T); T operator/(T, T); T operator-(T); bool operator<(T, T); bool operator>(T, T); bool operator<=(T, T); bool operator>=(T, T); bool operator==(T, T); bool operator!=(T, T); T& operator+=(T&, T); T& operator-=(T&, T); T& operator*=(T&, T); T& operator/=(T&, T);
GELINT_HALF_OPS(__half) GELINT_HALF_OPS(__nv_bfloat16) GELINT_HALF_OPS(__half2) GELINT_HALF_OPS(__nv_bfloat162)
#define GELINT_HALF_FN(T, T2) T __hadd(T, T); T __hsub(T, T); T __hmul(T, T); T __hdiv(T, T); T __hfma(T, T, T); T __hneg(T); T __habs(T); T __hmax(T, T); T __hmin(T, T); bool __hgt(T, T); bool __hlt(T, T); bool __hge(T, T); bool __hle(T, T); bool __heq(T, T); T hexp(T); T hexp2(T); T hlog(T); T hsqrt(T); T hrsqrt(T); T hrcp(T); T htanh(T); T htanh_approx(T); \
  T2 __hadd2(T2, T2); T2 __hsub2(T2, T2); T2 __hmul2(T2, T2); T2 __h2div(T2, T2); T2 __hfma2(T2, T2, T2); T2 __hneg2(T2); T2 __habs2(T2); T2 __hmax2(T2, T2); T2 __hmin2(T2, T2); T2 h2exp(T2); T2 h2exp2(T2); T2 h2sqrt(T2); T2 h2rcp(T2); T2 h2tanh(T2); T2 h2tanh_approx(T2); T __low2half(T2); T __high2half(T2);
GELINT_HALF_FN(__half, __half2) GELINT_HALF_FN(__nv_bfloat16, __nv_bfloat162)
__half __float2half(float); __half __float2half_rn(float); float __half2float(__half); __half2 __float2half2_rn(float); __half2 __float22half2_rn(float2); __half2 __floats2half2_rn(float, float); float2 __half22float2(__half2); __half2 __half2half2(__half); __half2 __halves2half2(__half, __half); __half __ushort_as_half(unsigned short); unsigned short __half_as_ushort(__half); float __low2float(__half2); float __high2float(__half2); __half2 make_half2(__half, __half); __half __double2half(double); __half __int2half_rn(int); int __half2int_rn(__half);
__nv_bfloat16 __float2bfloat16(float); __nv_bfloat16 __float2bfloat16_rn(float); float __bfloat162float(__nv_bfloat16); __nv_bfloat162 __float2bfloat162_rn(float); __nv_bfloat162 __float22bfloat162_rn(float2); __nv_bfloat162 __floats2bfloat162_rn(float, float); float2 __bfloat1622float2(__nv_bfloat162); __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16); __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __ushort_as_bfloat16(unsigned short); __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __double2bfloat16(double);
float2 make_float2(float, float); float3 make_float3(float, float, float); float4 make_float4(float, float, float, float); int2 make_int2(int, int); int4 make_int4(int, int, int, int); uint2 make_uint2(unsigned, unsigned); uint3 make_uint3(unsigned, unsigned, unsigned); uint4 make_uint4(unsigned, unsigned, unsigned, unsigned); char4 make_char4(signed char, signed char, signed char, signed char);
float __expf(float); float __exp10f(float); float __logf(float); float __log2f(float); float __powf(float, float); float __sinf(float); float __cosf(float); float __tanf(float); float __tanhf(float); float __fdividef(float, float); float __frcp_rn(float); float __fsqrt_rn(float); float __frsqrt_rn(float); float __fmaf_rn(float, float, float); float __fmul_rn(float, float); float __fadd_rn(float, float); float __fsub_rn(float, float); float __fdiv_rn(float, float); float __saturatef(float); float rsqrtf(float); double rsqrt(double); float rcbrtf(float); float normcdff(float); double normcdf(double); float erfcxf(float); double erfcx(double); float exp10f(float); float sinpif(float); float cospif(float); void sincosf(float, float*, float*); float tanhf_approx(float);
float tanh(float); float exp(float); float exp2(float); float erf(float); float erfc(float); float sqrt(float); float rsqrt(float); float pow(float, float); float pow(float, int); float fabs(float); float log(float); float log1p(float); float expm1(float); float cosh(float); float sinh(float); float max(float, float); float min(float, float); int max(int, int); int min(int, int); double max(double, double); double min(double, double); unsigned min(unsigned, unsigned); unsigned max(unsigned, unsigned); long min(long, long); long max(long, long); size_t min(size_t, size_t); float floor(float); float ceil(float); float fma(float, float, float); float normcdf(float); float fmin(float, float); float fmax(float, float); float round(float); float sin(float); float cos(float);
int __float_as_int(float); float __int_as_float(int); unsigned __float_as_uint(float); float __uint_as_float(unsigned); int __float2int_rn(float); int __float2int_rd(float); float __int2float_rn(int); double __longlong_as_double(long long); template <class T> T __ldg(const T*); template <class T> T __ldcs(const T*); template <class T> void __stcs(T*, T); template <class T> T __ldcg(const T*); template <class T> T __ldlu(const T*); template <class T> T __ldca(const T*); template <class T> void __stcg(T*, T);
template <class T> T __shfl_xor_sync(unsigned, T, int, int = 32); template <class T> T __shfl_sync(unsigned, T, int, int = 32); template <class T> T __shfl_down_sync(unsigned, T, int, int = 32); template <class T> T __shfl_up_sync(unsigned, T, int, int = 32); void __syncwarp(unsigned = 0xffffffffu); template <class T, class U> T atomicAdd(T*, U); template <class T, class U> T atomicMax(T*, U); template <class T, class U> T atomicCAS(T*, U, U); unsigned __ballot_sync(unsigned, int); int __any_sync(unsigned, int); int __dp4a(int, int, int); int __popc(unsigned); int __clz(int); void __threadfence(); void __trap(); void __nanosleep(unsigned); int __vsubss4(int, int); int __vsub4(int, int); int __byte_perm(int, int, int); unsigned __funnelshift_r(unsigned, unsigned, unsigned); unsigned __activemask();
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
struct __nv_gelint_any { template <class... A> __nv_gelint_any(A&&...); template <class T> operator T() const; template <class... A> __nv_gelint_any operator()(A&&...) const; template <class I> __nv_gelint_any operator[](I) const; };
namespace cooperative_groups { struct thread_block { unsigned thread_rank() const; unsigned size() const; void sync() const; }; thread_block this_thread_block(); template <unsigned N, class P = void> struct thread_block_tile { unsigned thread_rank() const; unsigned size() const; unsigned meta_group_size() const; unsigned meta_group_rank() const; template <class T> T shfl_xor(T, int) const; void sync() const; }; template <unsigned N, class G> thread_block_tile<N> tiled_partition(const G&); template <class T> struct plus { T operator()(const T& a, const T& b) const; }; template <class T> struct greater {}; template <class G, class T, class F> T reduce(const G&, T, F); }
namespace cub { struct Sum {}; struct Max {}; template <class T, int N, int A = 0, int Y = 1, int Z = 1> struct BlockReduce { struct TempStorage {}; BlockReduce(TempStorage&); T Sum(T); template <class O> T Reduce(T, O); }; template <class T, int N = 32> struct WarpReduce { struct TempStorage {}; WarpReduce(TempStorage&); T Sum(T); }; }
namespace thrust { template <class... A> __nv_gelint_any transform(A&&...); template <class... A> __nv_gelint_any for_each(A&&...); template <class A> struct unary_function {}; template <class... A> struct tuple { tuple(); tuple(A...); }; template <int I, class T> __nv_gelint_any get(const T&); template <class... A> __nv_gelint_any make_tuple(A&&...); template <class T> __nv_gelint_any make_counting_iterator(T); template <class... A> __nv_gelint_any make_transform_iterator(A&&...); template <class... A> __nv_gelint_any make_zip_iterator(A&&...); template <class... A> __nv_gelint_any make_permutation_iterator(A&&...); template <class T> struct device_ptr { device_ptr(T*); }; template <class T> device_ptr<T> device_pointer_cast(T*); template <class... A> __nv_gelint_any copy(A&&...); template <class... A> __nv_gelint_any fill(A&&...); template <class T = void> struct plus { T operator()(const T& a, const T& b) const; }; template <class T = void> struct multiplies { T operator()(const T& a, const T& b) const; }; namespace cuda { extern __nv_gelint_any par; extern __nv_gelint_any par_nosync; } extern __nv_gelint_any device, host; }
namespace nvcuda { namespace wmma { struct row_major {}; struct col_major {}; struct matrix_a {}; struct matrix_b {}; struct accumulator {}; template <class U, int M, int N, int K, class T, class L = void> struct fragment { T x[16]; static const int num_elements = 16; }; template <class... A> void load_matrix_sync(A&&...); template <class... A> void store_matrix_sync(A&&...); template <class... A> void mma_sync(A&&...); template <class... A> void fill_fragment(A&&...); } }
#endif
