// What real code takes from the C library, as declarations only. In CUDA mode everything is callable on both sides.
#pragma once
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long ssize_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef __INT64_TYPE__ int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long time_t;
typedef long clock_t;
#define NULL 0
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 18446744073709551615ul
#define SIZE_MAX UINT64_MAX
#define INT_MAX INT32_MAX
#define INT_MIN INT32_MIN
#define UINT_MAX UINT32_MAX
#define LONG_MAX INT64_MAX
#define CHAR_BIT 8
#define PRId64 "ld"
#define PRIu64 "lu"
#define PRIx64 "lx"
#define PRId32 "d"
#define PRIu32 "u"
#define PRIi64 "li"
#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define INFINITY (__builtin_inff())
#define HUGE_VALF (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define NAN (__builtin_nanf(""))
#define FLT_MAX 3.40282346638528859812e+38F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_EPSILON 1.19209289550781250000e-7F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define assert(...) ((void)0)
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define RAND_MAX 2147483647
#define CLOCKS_PER_SEC 1000000
#define CLOCK_MONOTONIC 1
#define va_start(ap, p) __builtin_va_start(ap, p)
#define va_end(ap) __builtin_va_end(ap)
#define va_arg(ap, t) __builtin_va_arg(ap, t)
#define va_copy(d, s) __builtin_va_copy(d, s)
typedef __builtin_va_list va_list;
#define offsetof(t, m) __builtin_offsetof(t, m)
#define errno gelint_errno
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#ifdef __cplusplus
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#else
#define bool _Bool
#define true 1
#define false 0
#define static_assert _Static_assert
#define alignas _Alignas
#define thread_local _Thread_local
#define complex _Complex
#endif
#ifdef __cplusplus
extern "C" {
#endif
extern int gelint_errno;
struct gelint_file;
typedef struct gelint_file FILE;
extern FILE *stdin, *stdout, *stderr;
#ifdef __cplusplus
#define GELINT_FN1(n) double n(double) noexcept; float n##f(float) noexcept; long double n##l(long double) noexcept;
#define GELINT_FN2(n) double n(double, double) noexcept; float n##f(float, float) noexcept;
#define GELINT_FN3(n) double n(double, double, double) noexcept; float n##f(float, float, float) noexcept;
#else
#define GELINT_FN1(n) double n(double); float n##f(float); long double n##l(long double);
#define GELINT_FN2(n) double n(double, double); float n##f(float, float);
#define GELINT_FN3(n) double n(double, double, double); float n##f(float, float, float);
#endif
GELINT_FN1(tanh) GELINT_FN1(sinh) GELINT_FN1(cosh) GELINT_FN1(tan) GELINT_FN1(sin) GELINT_FN1(cos)
GELINT_FN1(atan) GELINT_FN1(asin) GELINT_FN1(acos) GELINT_FN1(atanh) GELINT_FN1(asinh) GELINT_FN1(acosh)
GELINT_FN1(exp) GELINT_FN1(exp2) GELINT_FN1(expm1) GELINT_FN1(log) GELINT_FN1(log2) GELINT_FN1(log10) GELINT_FN1(log1p)
GELINT_FN1(sqrt) GELINT_FN1(cbrt) GELINT_FN1(fabs) GELINT_FN1(floor) GELINT_FN1(ceil) GELINT_FN1(round) GELINT_FN1(trunc)
GELINT_FN1(rint) GELINT_FN1(nearbyint) GELINT_FN1(erf) GELINT_FN1(erfc) GELINT_FN1(lgamma) GELINT_FN1(tgamma)
GELINT_FN2(pow) GELINT_FN2(fmax) GELINT_FN2(fmin) GELINT_FN2(fmod) GELINT_FN2(atan2) GELINT_FN2(hypot)
GELINT_FN2(copysign) GELINT_FN2(fdim) GELINT_FN2(remainder) GELINT_FN3(fma)
float ldexpf(float, int); double ldexp(double, int); float frexpf(float, int*); double frexp(double, int*);
long lround(double); long lroundf(float); long lrint(double); long lrintf(float); long long llround(double);
float modff(float, float*); double modf(double, double*);
int abs(int); long labs(long); long long llabs(long long);
int printf(const char*, ...); int fprintf(FILE*, const char*, ...); int sprintf(char*, const char*, ...);
int snprintf(char*, size_t, const char*, ...); int vsnprintf(char*, size_t, const char*, va_list);
int vfprintf(FILE*, const char*, va_list); int puts(const char*); int putchar(int); int sscanf(const char*, const char*, ...);
int fputs(const char*, FILE*); int fflush(FILE*); FILE* fopen(const char*, const char*); int fclose(FILE*);
size_t fread(void*, size_t, size_t, FILE*); size_t fwrite(const void*, size_t, size_t, FILE*);
int fseek(FILE*, long, int); long ftell(FILE*); char* fgets(char*, int, FILE*); int feof(FILE*); int ferror(FILE*);
void* malloc(size_t); void* calloc(size_t, size_t); void* realloc(void*, size_t); void free(void*);
void* aligned_alloc(size_t, size_t); int posix_memalign(void**, size_t, size_t);
void exit(int); void abort(void); int atexit(void (*)(void)); char* getenv(const char*);
int atoi(const char*); long atol(const char*); long long atoll(const char*); double atof(const char*);
long strtol(const char*, char**, int); unsigned long strtoul(const char*, char**, int);
long long strtoll(const char*, char**, int); double strtod(const char*, char**); float strtof(const char*, char**);
int rand(void); void srand(unsigned); void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
void* memcpy(void*, const void*, size_t); void* memmove(void*, const void*, size_t); void* memset(void*, int, size_t);
int memcmp(const void*, const void*, size_t); size_t strlen(const char*); int strcmp(const char*, const char*);
int strncmp(const char*, const char*, size_t); char* strcpy(char*, const char*); char* strncpy(char*, const char*, size_t);
int strcasecmp(const char*, const char*); char* strcat(char*, const char*); char* strchr(const char*, int);
char* strrchr(const char*, int); char* strstr(const char*, const char*); char* strdup(const char*);
char* strtok(char*, const char*); char* strerror(int);
int isalpha(int); int isdigit(int); int isspace(int); int isalnum(int); int isupper(int); int islower(int);
int tolower(int); int toupper(int);
time_t time(time_t*); clock_t clock(void);
struct timespec { time_t tv_sec; long tv_nsec; };
int clock_gettime(int, struct timespec*);
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
unsigned sleep(unsigned); int usleep(unsigned); int close(int); long sysconf(int);
typedef unsigned long pthread_t; typedef struct { int d; } pthread_mutex_t; typedef struct { int d; } pthread_cond_t;
int pthread_create(pthread_t*, const void*, void* (*)(void*), void*); int pthread_join(pthread_t, void**);
#ifdef __cplusplus
}
#endif
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
