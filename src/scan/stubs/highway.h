// Highway: vectors as one opaque type per lane type; the operations keep their names.
#pragma once
#include <gelint/std.h>
#define HWY_NAMESPACE N_GELINT
#define HWY_BEFORE_NAMESPACE() static_assert(true, "")
#define HWY_AFTER_NAMESPACE() static_assert(true, "")
#define HWY_ATTR
#define HWY_INLINE inline
#define HWY_NOINLINE
#define HWY_API inline
#define HWY_MAYBE_UNUSED
#define HWY_RESTRICT
#define HWY_DASSERT(...) ((void)0)
#define HWY_ASSERT(...) ((void)0)
#define HWY_ONCE 1
#define HWY_EXPORT(...) static_assert(true, "")
#define HWY_DYNAMIC_DISPATCH(f) f
#define HWY_STATIC_DISPATCH(f) f
#define HWY_IS_DEBUG_BUILD 0
#define HWY_CAP_GE512 0
#define HWY_TARGET 1
namespace hwy { struct bfloat16_t { bfloat16_t(float); operator float() const; }; struct float16_t { float16_t(float); operator float() const; }; float ConvertScalarTo_gelint(float); template <class T, class U> T ConvertScalarTo(U); float F32FromBF16(bfloat16_t); bfloat16_t BF16FromF32(float); template <class T> constexpr T* AssumeAligned_gelint(T* p) { return p; } template <class A, class B> constexpr bool IsSame() { return std::is_same_v<A, B>; } template <class T> using RemoveCvRef = std::remove_cvref_t<T>; struct ThreadPool { template <class F> void Run(size_t, size_t, F); }; template <class T, size_t N = 1> struct AlignedVector : std::vector<T> {};
namespace N_GELINT {
template <class T, size_t N = 0, int P = 0> struct Simd { typedef T gelint_lane; }; template <class T, int P = 0> using ScalableTag = Simd<T, 0, P>; template <class T, size_t N, int P = 0> using CappedTag = Simd<T, N, P>; template <class T, size_t N> using FixedTag = Simd<T, N>; template <class T> struct gelint_vec { T v; }; template <class T> struct gelint_mask { bool m; };
template <class D> using Vec = gelint_vec<typename D::gelint_lane>; template <class D> using VFromD = Vec<D>; template <class D> using TFromD = typename D::gelint_lane; template <class D> using Mask = gelint_mask<typename D::gelint_lane>; template <class V> using DFromV = Simd<float>; template <class T, class D> using Rebind = Simd<T>; template <class D> using RebindToUnsigned = Simd<unsigned>; template <class D> using RebindToSigned = Simd<int>; template <class T, class D> using Repartition = Simd<T>; template <class D> using Half = D; template <class D> using Twice = D;
template <class D, class T> Vec<D> Set(D, T); template <class D> Vec<D> Zero(D); template <class D, class P> Vec<D> Load(D, P); template <class D, class P> Vec<D> LoadU(D, P); template <class D, class P> Vec<D> LoadN(D, P, size_t); template <class V, class D, class P> void Store(V, D, P); template <class V, class D, class P> void StoreU(V, D, P); template <class V, class D, class P> void StoreN(V, D, P, size_t); template <class D> size_t Lanes(D); template <class D> constexpr size_t MaxLanes(D) { return 8; } template <class D> Vec<D> Undefined(D);
#define GELINT_H1(n) template <class V> V n(V);
GELINT_H1(Neg) GELINT_H1(Abs) GELINT_H1(Sqrt) GELINT_H1(ApproximateReciprocal) GELINT_H1(ApproximateReciprocalSqrt) GELINT_H1(Floor) GELINT_H1(Ceil) GELINT_H1(Round) GELINT_H1(Trunc) GELINT_H1(Not)
#define GELINT_H2(n) template <class V> V n(V, V);
GELINT_H2(Mul) GELINT_H2(Add) GELINT_H2(Sub) GELINT_H2(Div) GELINT_H2(Max) GELINT_H2(Min) GELINT_H2(And) GELINT_H2(Or) GELINT_H2(Xor) GELINT_H2(CopySign)
#define GELINT_H3(n) template <class V> V n(V, V, V);
GELINT_H3(MulAdd) GELINT_H3(MulSub) GELINT_H3(NegMulAdd) GELINT_H3(NegMulSub) GELINT_H3(Clamp)
#define GELINT_HD(n) template <class D, class V> V n(const D, V);
GELINT_HD(Tanh) GELINT_HD(Exp) GELINT_HD(Exp2) GELINT_HD(Log) GELINT_HD(Log1p) GELINT_HD(Expm1) GELINT_HD(Sinh) GELINT_HD(Sin) GELINT_HD(Cos) GELINT_HD(CallTanh) GELINT_HD(CallExp) GELINT_HD(ReverseGelint)
template <class M, class V> V IfThenElse(M, V, V); template <class M, class V> V IfThenElseZero(M, V); template <class M, class V> V IfThenZeroElse(M, V); template <class T> gelint_mask<T> operator<(gelint_vec<T>, gelint_vec<T>); template <class T> gelint_mask<T> operator>(gelint_vec<T>, gelint_vec<T>); template <class V> gelint_mask<float> Lt(V, V); template <class V> gelint_mask<float> Gt(V, V); template <class V> gelint_mask<float> Le(V, V); template <class V> gelint_mask<float> Ge(V, V); template <class D> Mask<D> FirstN(D, size_t); template <class D, class V> Vec<D> BitCast(D, V); template <class D, class V> Vec<D> ConvertTo(D, V); template <class D, class V> Vec<D> PromoteTo(D, V); template <class D, class V> Vec<D> DemoteTo(D, V); template <class D, class V> Vec<D> PromoteLowerTo(D, V); template <class D, class V> Vec<D> OrderedDemote2To(D, V, V); template <class D, class V> float ReduceSum(D, V); template <class V> float GetLane(V); template <int K, class V> V ShiftLeft(V); template <int K, class V> V ShiftRight(V); template <class V> V NearestInt(V); template <class V> V ZeroIfNegative(V);
template <class T> gelint_vec<T> operator+(gelint_vec<T>, gelint_vec<T>); template <class T> gelint_vec<T> operator-(gelint_vec<T>, gelint_vec<T>); template <class T> gelint_vec<T> operator*(gelint_vec<T>, gelint_vec<T>); template <class T> gelint_vec<T> operator/(gelint_vec<T>, gelint_vec<T>);
template <class D, class F> void Transform(D, float*, size_t, F); template <class D, class T, class F> void Transform(D, T*, size_t, F); template <class D, class T, class F> void Transform1(D, T*, size_t, const T*, F);
} }
