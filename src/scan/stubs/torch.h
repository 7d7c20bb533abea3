// torch and ATen: one tensor type, the operations as functions and as methods.
#pragma once
#include <gelint/cuda.h>
namespace c10 { template <class T> struct ArrayRef { ArrayRef(); template <class U> ArrayRef(U&&); ArrayRef(std::initializer_list<T>); size_t size() const; T operator[](size_t) const; }; typedef ArrayRef<int64_t> IntArrayRef; struct Half { Half(); Half(float); operator float() const; }; struct BFloat16 { BFloat16(); BFloat16(float); operator float() const; }; template <class T> using optional = std::optional<T>; extern const std::nullopt_t nullopt; typedef std::string_view string_view; enum class ScalarType { Float, Half, BFloat16, Double, Int, Long, Byte, Char, Bool }; struct Device { Device(); Device(const char*); bool is_cuda() const; }; struct Scalar { template <class T> Scalar(T); template <class T> T to() const; }; typedef ScalarType ScalarTypeAlias; struct TensorOptions { TensorOptions(); template <class T> TensorOptions dtype(T) const; template <class T> TensorOptions device(T) const; }; namespace cuda { struct CUDAGuard { template <class T> CUDAGuard(T&&); }; } }
namespace at {
using c10::Half; using c10::BFloat16; using c10::ScalarType; using c10::Scalar; using c10::IntArrayRef; using c10::Device; using c10::TensorOptions; using c10::ArrayRef; using std::string_view;
struct Tensor;
#define GELINT_T_UNARY(X) X(gelu) X(tanh) X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(sigmoid) X(silu) X(relu) X(sqrt) X(rsqrt) X(square) X(abs) X(neg) X(log) X(log1p) X(reciprocal) X(softplus) X(mish) X(hardswish) X(relu6) X(selu) X(elu) X(leaky_relu) X(hardsigmoid) X(hardtanh) X(sin) X(cos) X(sinh) X(cosh) X(floor) X(ceil) X(round) X(sign)
#define GELINT_T_BINARY(X) X(mul) X(multiply) X(add) X(sub) X(subtract) X(div) X(divide) X(pow) X(maximum) X(minimum) X(max) X(min) X(matmul) X(mm) X(bmm) X(true_divide)
struct Tensor { Tensor(); Tensor(const Tensor&); Tensor& operator=(const Tensor&); template <class T> Tensor& operator=(T);
#define GELINT_M(n) template <class... A> Tensor n(A&&...) const; template <class... A> Tensor& n##_(A&&...) const;
GELINT_T_UNARY(GELINT_M) GELINT_T_BINARY(GELINT_M) GELINT_M(clamp) GELINT_M(clamp_min) GELINT_M(clamp_max) GELINT_M(to) GELINT_M(view) GELINT_M(reshape) GELINT_M(contiguous) GELINT_M(transpose) GELINT_M(permute) GELINT_M(clone) GELINT_M(chunk) GELINT_M(slice) GELINT_M(narrow) GELINT_M(select) GELINT_M(unsqueeze) GELINT_M(squeeze) GELINT_M(mean) GELINT_M(sum) GELINT_M(var) GELINT_M(flatten) GELINT_M(expand) GELINT_M(index) GELINT_M(type) GELINT_M(toType) GELINT_M(cuda) GELINT_M(cpu) GELINT_M(copy) GELINT_M(fill) GELINT_M(where) GELINT_M(split) GELINT_M(detach)
#undef GELINT_M
int64_t size(int64_t) const; IntArrayRef sizes() const; int64_t numel() const; int64_t dim() const; bool defined() const; ScalarType scalar_type() const; ScalarType dtype() const; Device device() const; template <class T> T* data_ptr() const; void* data_ptr() const; template <class T> T item() const; bool is_cuda() const; bool is_contiguous() const; TensorOptions options() const; int64_t stride(int64_t) const; template <class T> Tensor operator[](T) const; int get_device() const; int64_t element_size() const; explicit operator bool() const; };
Tensor operator-(const Tensor&);
#define GELINT_OP(o) Tensor operator o(const Tensor&, const Tensor&); Tensor operator o(const Tensor&, double); Tensor operator o(double, const Tensor&);
GELINT_OP(+) GELINT_OP(-) GELINT_OP(*) GELINT_OP(/) GELINT_OP(<) GELINT_OP(>) GELINT_OP(<=) GELINT_OP(>=)
#undef GELINT_OP
Tensor& operator*=(Tensor&, const Tensor&); Tensor& operator+=(Tensor&, const Tensor&); Tensor& operator*=(Tensor&, double); Tensor& operator+=(Tensor&, double); Tensor& operator/=(Tensor&, double); Tensor& operator-=(Tensor&, double);
#define GELINT_F(n) template <class... A> Tensor n(const Tensor&, A&&...); template <class... A> Tensor& n##_(Tensor&, A&&...); template <class... A> Tensor& n##_out(Tensor&, A&&...);
GELINT_T_UNARY(GELINT_F)
#define GELINT_F2(n) template <class... A> Tensor n(const Tensor&, A&&...); template <class... A> Tensor n(double, const Tensor&, A&&...);
GELINT_T_BINARY(GELINT_F2)
template <class... A> Tensor clamp(A&&...); template <class... A> Tensor where(A&&...); template <class... A> Tensor addmm(A&&...); template <class... A> Tensor _addmm_activation(A&&...); template <class... A> Tensor linear(A&&...); template <class... A> Tensor empty(A&&...); template <class... A> Tensor empty_like(A&&...); template <class... A> Tensor zeros(A&&...); template <class... A> Tensor zeros_like(A&&...); template <class... A> Tensor ones(A&&...); template <class... A> Tensor full(A&&...); template <class... A> Tensor cat(A&&...); template <class... A> Tensor layer_norm(A&&...); template <class... A> Tensor softmax(A&&...); template <class... A> Tensor conv1d(A&&...); template <class... A> Tensor conv2d(A&&...); template <class... A> Tensor randn(A&&...); template <class... A> Tensor tensor(A&&...); template <class... A> Tensor from_blob(A&&...); template <class... A> Tensor glu(A&&...);
extern const ScalarType kFloat, kHalf, kBFloat16, kDouble, kInt, kLong, kByte, kChar, kBool, kFloat32, kFloat16, kInt32, kInt64; extern const int kCUDA, kCPU, kMPS;
namespace cuda { cudaStream_t getCurrentCUDAStream(int = 0); cudaDeviceProp* getCurrentDeviceProperties(); } namespace native { enum class GeluType { None, Tanh }; GeluType get_gelutype_enum(std::string_view); enum class ActType { NONE, GELU, RELU }; template <class... A> void gpu_kernel(A&&...); template <class... A> void cpu_kernel(A&&...); template <class... A> void cpu_kernel_vec(A&&...); } template <class T> struct OpMathType { typedef float type; }; template <class T> using opmath_type = float; struct TensorIteratorBase { ScalarType dtype() const; ScalarType common_dtype() const; }; typedef TensorIteratorBase TensorIterator; struct TensorArg {};
namespace vec { inline namespace DEFAULT { template <class T> struct Vectorized { Vectorized(); Vectorized(T); static Vectorized loadu(const void*); void store(void*) const; Vectorized tanh() const; Vectorized erf() const; Vectorized exp() const; Vectorized neg() const; Vectorized sqrt() const; Vectorized reciprocal() const; Vectorized pow(const Vectorized&) const; Vectorized abs() const; static int size(); friend Vectorized operator+(Vectorized, Vectorized); friend Vectorized operator-(Vectorized, Vectorized); friend Vectorized operator*(Vectorized, Vectorized); friend Vectorized operator/(Vectorized, Vectorized); }; } }
}
namespace torch {
using namespace at; using at::Tensor; using at::ScalarType; using c10::nullopt; typedef at::TensorOptions TensorOptions;
#define GELINT_U(n) using at::n;
GELINT_T_UNARY(GELINT_U) GELINT_T_BINARY(GELINT_U)
using at::clamp; using at::where; using at::addmm; using at::_addmm_activation; using at::empty; using at::empty_like; using at::zeros; using at::full; using at::cat;
struct Dtype { Dtype(at::ScalarType); }; enum Reduction { kMean }; namespace enumtype { struct kTanh {}; struct kNone {}; }
namespace nn {
struct Module { template <class... A> void register_module(A&&...); template <class M> M register_module(std::string, M); template <class... A> at::Tensor register_parameter(A&&...); template <class T> T as() const; void train(bool = true); void eval(); };
struct GELUOptions { GELUOptions(); GELUOptions& approximate(std::string); std::string approximate() const; };
struct gelint_any { template <class... A> gelint_any(A&&...); template <class... A> at::Tensor operator()(A&&...) const; gelint_any* operator->(); template <class... A> at::Tensor forward(A&&...) const; template <class... A> void push_back(A&&...); at::Tensor weight, bias; explicit operator bool() const; };
#define GELINT_N(n) struct n : gelint_any { using gelint_any::gelint_any; };
GELINT_N(Linear) GELINT_N(GELU) GELINT_N(ReLU) GELINT_N(SiLU) GELINT_N(Tanh) GELINT_N(Sigmoid) GELINT_N(LayerNorm) GELINT_N(Conv1d) GELINT_N(Conv2d) GELINT_N(Dropout) GELINT_N(Embedding) GELINT_N(Sequential) GELINT_N(ModuleList) GELINT_N(Functional) GELINT_N(Identity) GELINT_N(GLU) GELINT_N(Mish) GELINT_N(LeakyReLU) GELINT_N(AnyModule)
struct LinearOptions { LinearOptions(int64_t, int64_t); LinearOptions& bias(bool); }; template <class... A> struct ModuleHolder : gelint_any {};
namespace functional { typedef GELUOptions GELUFuncOptions; at::Tensor gelu(const at::Tensor&, const GELUFuncOptions& = {}); template <class... A> at::Tensor silu(A&&...); template <class... A> at::Tensor relu(A&&...); template <class... A> at::Tensor softplus(A&&...); template <class... A> at::Tensor mish(A&&...); template <class... A> at::Tensor hardswish(A&&...); template <class... A> at::Tensor leaky_relu(A&&...); template <class... A> at::Tensor glu(A&&...); template <class... A> at::Tensor linear(A&&...); template <class... A> at::Tensor softmax(A&&...); template <class... A> at::Tensor layer_norm(A&&...); template <class... A> at::Tensor conv1d(A&&...); template <class... A> at::Tensor dropout(A&&...); }
}
struct NoGradGuard {}; struct Library { template <class... A> void def(A&&...); template <class... A> void impl(A&&...); }; namespace autograd { template <class T> struct Function {}; struct AutogradContext; typedef std::vector<at::Tensor> variable_list; }
}
namespace F = torch::nn::functional;
#define TORCH_CHECK(...) ((void)0)
#define TORCH_INTERNAL_ASSERT(...) ((void)0)
#define AT_ASSERT(...) ((void)0)
#define TORCH_MODULE(n) struct n : torch::nn::gelint_any { using torch::nn::gelint_any::gelint_any; }
#define AT_DISPATCH_FLOATING_TYPES(t, name, ...) [&] { typedef float scalar_t; return __VA_ARGS__(); }()
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, t, name, ...) [&] { typedef float scalar_t; return __VA_ARGS__(); }()
#define AT_DISPATCH_FLOATING_TYPES_AND(a, t, name, ...) [&] { typedef float scalar_t; return __VA_ARGS__(); }()
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(t, name, ...) [&] { typedef at::BFloat16 scalar_t; return __VA_ARGS__(); }()
#define VLLM_DISPATCH_FLOATING_TYPES(t, name, ...) [&] { typedef float scalar_t; return __VA_ARGS__(); }()
#define DISPATCH_FLOAT_TYPES(t, name, ...) [&] { typedef float scalar_t; return __VA_ARGS__(); }()
#define GPU_LAMBDA __device__
#define C10_CUDA_KERNEL_LAUNCH_CHECK(...) ((void)0)
#define C10_CUDA_CHECK(e) (e)
#define TORCH_LIBRARY(ns, m) static void gelint_library_##ns(torch::Library& m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) static void gelint_fragment_##ns(torch::Library& m)
#define TORCH_LIBRARY_IMPL(ns, k, m) static void gelint_library_##ns##_##k(torch::Library& m)
#define PYBIND11_MODULE(n, m) static void gelint_pybind_##n(torch::Library& m)
#define TORCH_EXTENSION_NAME gelint_extension
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_ALWAYS_INLINE inline
#define REGISTER_DISPATCH(a, b) static auto gelint_dispatch_##a = b;
