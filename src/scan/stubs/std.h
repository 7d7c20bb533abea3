// The C++ standard library as far as a parse needs it: declarations, no bodies, generous constructors.
#pragma once
#include <gelint/core.h>
#ifdef __cplusplus
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
namespace std {
using ::size_t; using ::ptrdiff_t; using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t; using ::intptr_t;
using ::time_t; using ::clock_t; using ::tm; using ::FILE;
using ::malloc; using ::calloc; using ::realloc; using ::free; using ::exit; using ::abort; using ::getenv;
using ::memcpy; using ::memmove; using ::memset; using ::memcmp; using ::strlen; using ::strcmp; using ::strncmp;
using ::strcpy; using ::strncpy; using ::strchr; using ::strstr; using ::printf; using ::fprintf; using ::snprintf;
using ::sprintf; using ::sscanf; using ::fopen; using ::fclose; using ::fread; using ::fwrite; using ::fflush; using ::puts; using ::atoi;
using ::atof; using ::strtol; using ::strtof; using ::strtod; using ::tolower; using ::toupper; using ::isdigit; using ::isspace;
using ::isalpha; using ::isalnum; using ::time; using ::clock; using ::rand; using ::srand; using ::aligned_alloc; using ::va_list;
typedef decltype(nullptr) nullptr_t;
typedef double max_align_t;
#define GELINT_STD1(n) float n(float); double n(double); long double n(long double);
GELINT_STD1(tanh) GELINT_STD1(sinh) GELINT_STD1(cosh) GELINT_STD1(tan) GELINT_STD1(sin) GELINT_STD1(cos) GELINT_STD1(atan)
GELINT_STD1(asin) GELINT_STD1(acos) GELINT_STD1(exp) GELINT_STD1(exp2) GELINT_STD1(expm1) GELINT_STD1(log) GELINT_STD1(log2)
GELINT_STD1(log10) GELINT_STD1(log1p) GELINT_STD1(sqrt) GELINT_STD1(cbrt) GELINT_STD1(fabs) GELINT_STD1(abs) GELINT_STD1(floor)
GELINT_STD1(ceil) GELINT_STD1(round) GELINT_STD1(trunc) GELINT_STD1(rint) GELINT_STD1(nearbyint) GELINT_STD1(erf)
GELINT_STD1(erfc) GELINT_STD1(lgamma) GELINT_STD1(tgamma) GELINT_STD1(atanh) GELINT_STD1(asinh) GELINT_STD1(acosh)
#define GELINT_STD2(n) float n(float, float); double n(double, double); long double n(long double, long double);
GELINT_STD2(pow) GELINT_STD2(fmax) GELINT_STD2(fmin) GELINT_STD2(fmod) GELINT_STD2(atan2) GELINT_STD2(hypot) GELINT_STD2(copysign)
double pow(double, int); float pow(float, int); double pow(float, double); double pow(double, float); double pow(int, int);
using ::expf; using ::tanhf; using ::erff; using ::sqrtf; using ::powf; using ::logf; using ::fabsf; using ::fmaxf; using ::fminf;
float fma(float, float, float); double fma(double, double, double); float ldexp(float, int); double ldexp(double, int);
float frexp(float, int*); double frexp(double, int*); float modf(float, float*);
int abs(int); long abs(long); long long abs(long long); long lround(double); long lround(float); long lrint(double);
double exp(int); double sqrt(int); double log(int); double log2(int); double tanh(int); double erf(int); double sin(int);
bool isnan(double); bool isinf(double); bool isfinite(double); bool signbit(double); float lerp(float, float, float);

template <class T, T v> struct integral_constant {
  static constexpr T value = v; typedef T value_type; typedef integral_constant type;
  constexpr operator T() const noexcept { return v; } constexpr T operator()() const noexcept { return v; } };
using true_type = integral_constant<bool, true>; using false_type = integral_constant<bool, false>;
template <bool b> using bool_constant = integral_constant<bool, b>;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const { typedef T type; }; template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_cv { typedef T type; }; template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; }; template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> using remove_const_t = typename remove_const<T>::type; template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_cvref { typedef remove_cv_t<remove_reference_t<T>> type; };
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> struct remove_pointer { typedef T type; }; template <class T> struct remove_pointer<T*> { typedef T type; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> struct add_const { typedef const T type; }; template <class T> using add_const_t = const T;
template <class T> using decay_t = remove_cv_t<remove_reference_t<T>>; template <class T> struct decay { typedef decay_t<T> type; };
template <class A, class B> struct is_same : false_type {}; template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <bool b, class T = void> struct enable_if {}; template <class T> struct enable_if<true, T> { typedef T type; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool b, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool b, class A, class B> using conditional_t = typename conditional<b, A, B>::type;
template <class...> using void_t = void;
template <class T> struct is_integral : bool_constant<__is_integral(T)> {}; template <class T> struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <class T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {}; template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> struct is_pointer : false_type {}; template <class T> struct is_pointer<T*> : true_type {};
template <class T> struct is_void : bool_constant<__is_void(T)> {}; template <class T> struct is_const : false_type {};
template <class T> struct is_class : bool_constant<__is_class(T)> {}; template <class T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <class T> struct is_signed : bool_constant<__is_signed(T)> {}; template <class T> struct is_trivially_copyable : true_type {};
template <class A, class B> struct is_base_of : bool_constant<__is_base_of(A, B)> {}; template <class A, class B> struct is_convertible : true_type {};
template <class T, class... A> struct is_constructible : true_type {}; template <class T> struct is_reference : false_type {};
template <class F, class... A> struct is_invocable : true_type {}; template <class T> struct is_empty : false_type {};
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value; template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value; template <class T> inline constexpr bool is_enum_v = is_enum<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value; template <class T> inline constexpr bool is_void_v = is_void<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value; template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class A, class B> inline constexpr bool is_base_of_v = is_base_of<A, B>::value; template <class A, class B> inline constexpr bool is_convertible_v = true;
template <class F, class... A> inline constexpr bool is_invocable_v = true; template <class T> inline constexpr bool is_trivially_copyable_v = true;
template <class T> struct underlying_type { typedef __underlying_type(T) type; }; template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T> struct make_unsigned { typedef unsigned type; }; template <class T> using make_unsigned_t = unsigned; template <class T> using make_signed_t = int;
template <class T> struct type_identity { typedef T type; }; template <class T> using type_identity_t = T;
template <class T> remove_reference_t<T>&& declval() noexcept;
template <class F, class... A> struct invoke_result { typedef decltype(declval<F>()(declval<A>()...)) type; };
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type; template <class T> using result_of_t = void;
template <size_t N, size_t A = 8> struct aligned_storage { struct type { char d[N]; }; }; template <size_t N, size_t A = 8> using aligned_storage_t = typename aligned_storage<N, A>::type;
template <class T> constexpr remove_reference_t<T>&& move(T&& t) noexcept { return static_cast<remove_reference_t<T>&&>(t); }
template <class T> constexpr T&& forward(remove_reference_t<T>& t) noexcept { return static_cast<T&&>(t); }
template <class T> constexpr T&& forward(remove_reference_t<T>&& t) noexcept { return static_cast<T&&>(t); }
template <class T> void swap(T&, T&); template <class T, class U = T> T exchange(T&, U&&); template <class To, class From> To bit_cast(const From&);
template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T, class C> const T& max(const T&, const T&, C); template <class T, class C> const T& min(const T&, const T&, C);
template <class T> constexpr const T& clamp(const T& v, const T& lo, const T& hi) { return v < lo ? lo : hi < v ? hi : v; }
template <class T> constexpr T* addressof(T& t) { return __builtin_addressof(t); } template <class T> constexpr const T& as_const(T& t) { return t; }
template <class T> class initializer_list { const T* b; size_t n; public: constexpr const T* begin() const noexcept { return b; } constexpr const T* end() const noexcept { return b + n; } constexpr size_t size() const noexcept { return n; } };
template <class T> T max(initializer_list<T>); template <class T> T min(initializer_list<T>);
template <class A, class B> struct pair { typedef A first_type; typedef B second_type; A first; B second; pair(); template <class U, class V> pair(U&&, V&&); pair(const A&, const B&); };
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> pair<decay_t<A>, decay_t<B>> make_pair(A&&, B&&);
template <class... T> struct tuple { tuple(); tuple(const T&...); template <class... U> tuple(U&&...); template <class... U> tuple& operator=(const tuple<U...>&); };
template <class... T> tuple(T...) -> tuple<T...>; template <class... T> tuple<decay_t<T>...> make_tuple(T&&...); template <class... T> tuple<T&...> tie(T&...);
template <size_t I, class... T> struct gelint_nth; template <class H, class... T> struct gelint_nth<0, H, T...> { typedef H type; };
template <size_t I, class H, class... T> struct gelint_nth<I, H, T...> : gelint_nth<I - 1, T...> {};
template <size_t I, class... T> typename gelint_nth<I, T...>::type& get(tuple<T...>&); template <size_t I, class... T> const typename gelint_nth<I, T...>::type& get(const tuple<T...>&);
template <size_t I, class A, class B> typename gelint_nth<I, A, B>::type& get(pair<A, B>&); template <size_t I, class A, class B> const typename gelint_nth<I, A, B>::type& get(const pair<A, B>&);
template <class T> struct tuple_size; template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {}; template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <size_t I, class T> struct tuple_element; template <size_t I, class... T> struct tuple_element<I, tuple<T...>> : gelint_nth<I, T...> {}; template <size_t I, class A, class B> struct tuple_element<I, pair<A, B>> : gelint_nth<I, A, B> {};
template <class T, T... v> struct integer_sequence {}; template <size_t... v> using index_sequence = integer_sequence<size_t, v...>;
template <size_t N> using make_index_sequence = __make_integer_seq<integer_sequence, size_t, N>; template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
struct monostate {}; struct in_place_t {}; struct nothrow_t {}; extern const nothrow_t nothrow; struct piecewise_construct_t {};
template <class T> struct allocator { typedef T value_type; T* allocate(size_t); void deallocate(T*, size_t); };
template <class T> struct less { bool operator()(const T&, const T&) const; }; template <class T> struct greater { bool operator()(const T&, const T&) const; };
template <class T> struct hash { size_t operator()(const T&) const; }; template <class T> struct equal_to { bool operator()(const T&, const T&) const; };
template <class T = void> struct plus { T operator()(const T& a, const T& b) const { return a + b; } }; template <class T = void> struct multiplies { T operator()(const T& a, const T& b) const { return a * b; } };
template <class T = void> struct minus { T operator()(const T&, const T&) const; };

template <class C> struct char_traits {};
template <class C, class T = char_traits<C>> struct basic_string_view;
template <class C, class T = char_traits<C>, class A = allocator<C>> struct basic_string {
  typedef C value_type; typedef size_t size_type; typedef C* iterator; typedef const C* const_iterator; static const size_t npos = -1;
  basic_string(); basic_string(const C*); basic_string(const C*, size_t); basic_string(size_t, C); basic_string(const basic_string&); template <class I> basic_string(I, I); basic_string(initializer_list<C>);
  basic_string(const basic_string&, size_t, size_t = npos); explicit basic_string(basic_string_view<C>);
  operator basic_string_view<C>() const;
  basic_string& operator=(const basic_string&); basic_string& operator=(const C*); basic_string& operator=(C);
  basic_string& operator+=(const basic_string&); basic_string& operator+=(const C*); basic_string& operator+=(C); basic_string& operator+=(basic_string_view<C>);
  C& operator[](size_t); const C& operator[](size_t) const; C& at(size_t); C& back(); C& front(); const C& back() const; const C& front() const;
  const C* c_str() const; const C* data() const; C* data(); size_t size() const; size_t length() const; bool empty() const; void clear(); void reserve(size_t); void resize(size_t); void resize(size_t, C); void push_back(C); void pop_back(); void shrink_to_fit();
  size_t find(const basic_string&, size_t = 0) const; size_t find(C, size_t = 0) const; size_t rfind(const basic_string&, size_t = npos) const; size_t rfind(C, size_t = npos) const; size_t find(const C*, size_t = 0) const; size_t rfind(const C*, size_t = npos) const;
  size_t find_first_of(const basic_string&, size_t = 0) const; size_t find_last_of(const basic_string&, size_t = npos) const; size_t find_first_not_of(const basic_string&, size_t = 0) const; size_t find_last_not_of(const basic_string&, size_t = npos) const;
  basic_string substr(size_t = 0, size_t = npos) const; int compare(const basic_string&) const; int compare(const C*) const; int compare(size_t, size_t, const basic_string&) const; bool starts_with(basic_string_view<C>) const; bool ends_with(basic_string_view<C>) const; bool contains(basic_string_view<C>) const;
  basic_string& append(const basic_string&); basic_string& append(const C*); basic_string& append(const C*, size_t); basic_string& append(size_t, C); basic_string& erase(size_t = 0, size_t = npos); basic_string& insert(size_t, const basic_string&); basic_string& replace(size_t, size_t, const basic_string&); basic_string& assign(const C*, size_t);
  C* begin(); C* end(); const C* begin() const; const C* end() const; const C* cbegin() const; const C* cend() const; const C* rbegin() const; const C* rend() const; };
template <class C, class T> struct basic_string_view { typedef C value_type; static const size_t npos = -1; constexpr basic_string_view(); constexpr basic_string_view(const C*); constexpr basic_string_view(const C*, size_t);
  const C& operator[](size_t) const; const C* data() const; size_t size() const; size_t length() const; bool empty() const; size_t find(basic_string_view, size_t = 0) const; size_t find(C, size_t = 0) const; size_t rfind(C, size_t = npos) const; basic_string_view substr(size_t = 0, size_t = npos) const;
  bool starts_with(basic_string_view) const; bool ends_with(basic_string_view) const; int compare(basic_string_view) const; const C* begin() const; const C* end() const; void remove_prefix(size_t); void remove_suffix(size_t); size_t find_first_of(basic_string_view, size_t = 0) const; const C& back() const; const C& front() const; };
typedef basic_string<char> string; typedef basic_string<wchar_t> wstring; typedef basic_string_view<char> string_view;
template <class C> basic_string<C> operator+(const basic_string<C>&, const basic_string<C>&); template <class C> basic_string<C> operator+(const basic_string<C>&, const C*);
template <class C> basic_string<C> operator+(const C*, const basic_string<C>&); template <class C> basic_string<C> operator+(const basic_string<C>&, C); template <class C> basic_string<C> operator+(C, const basic_string<C>&);
bool operator==(const string&, const string&); bool operator==(const string&, const char*); bool operator==(const char*, const string&); bool operator!=(const string&, const string&); bool operator!=(const string&, const char*); bool operator<(const string&, const string&);
bool operator==(string_view, string_view); bool operator!=(string_view, string_view);
inline namespace literals { inline namespace string_literals { string operator""s(const char*, size_t); } inline namespace string_view_literals { string_view operator""sv(const char*, size_t); } }
string to_string(int); string to_string(long); string to_string(unsigned); string to_string(unsigned long); string to_string(float); string to_string(double); string to_string(long long);
int stoi(const string&, size_t* = 0, int = 10); long stol(const string&, size_t* = 0, int = 10); float stof(const string&, size_t* = 0); double stod(const string&, size_t* = 0); unsigned long stoul(const string&, size_t* = 0, int = 10); long long stoll(const string&, size_t* = 0, int = 10);
template <class T, size_t N> struct array { typedef T value_type; T d[N ? N : 1]; constexpr T& operator[](size_t i) { return d[i]; } constexpr const T& operator[](size_t i) const { return d[i]; } T& at(size_t); const T& at(size_t) const; T* data(); const T* data() const; constexpr size_t size() const { return N; } constexpr T* begin() { return d; } constexpr T* end() { return d + N; } constexpr const T* begin() const { return d; } constexpr const T* end() const { return d + N; } void fill(const T&); T& front(); T& back(); bool empty() const; };
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>; template <class T, size_t N> struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
#define GELINT_SEQ(name) \
  template <class T, class A = allocator<T>> struct name { typedef T value_type; typedef T* iterator; typedef const T* const_iterator; typedef size_t size_type; typedef T& reference; typedef const T& const_reference; \
  name(); explicit name(size_t); name(size_t, const T&); name(initializer_list<T>); template <class I> name(I, I); name(const name&); name& operator=(const name&); name& operator=(initializer_list<T>); \
  T& operator[](size_t); const T& operator[](size_t) const; T& at(size_t); const T& at(size_t) const; size_t size() const; bool empty() const; size_t capacity() const; T* data(); const T* data() const; \
  void push_back(const T&); void push_front(const T&); void pop_back(); void pop_front(); template <class... U> T& emplace_back(U&&...); template <class... U> T& emplace_front(U&&...); template <class... U> T* emplace(U&&...); T* begin(); T* end(); const T* begin() const; const T* end() const; const T* cbegin() const; const T* cend() const; T* rbegin(); T* rend(); const T* rbegin() const; const T* rend() const; \
  T& back(); T& front(); const T& back() const; const T& front() const; void resize(size_t); void resize(size_t, const T&); void reserve(size_t); void clear(); void shrink_to_fit(); template <class... U> T* insert(U&&...); T* insert(const T*, initializer_list<T>); template <class... U> T* erase(U...); template <class... U> void assign(U...); void assign(initializer_list<T>); void swap(name&); }; \
  template <class T> bool operator==(const name<T>&, const name<T>&); template <class T> bool operator!=(const name<T>&, const name<T>&);
GELINT_SEQ(vector) GELINT_SEQ(deque) GELINT_SEQ(list) GELINT_SEQ(forward_list)
template <class T> struct gelint_ref { operator T&() const; };
template <class T, class C = deque<T>> struct queue { void push(const T&); void pop(); T& front(); T& back(); T& top(); bool empty() const; size_t size() const; template <class... U> void emplace(U&&...); }; template <class T, class C = deque<T>> struct stack : queue<T, C> {}; template <class T, class C = vector<T>, class L = less<T>> struct priority_queue : queue<T, C> {};
#define GELINT_MAP(name, extra) \
  template <class K, class V, extra> struct name { typedef K key_type; typedef V mapped_type; typedef pair<const K, V> value_type; typedef value_type* iterator; typedef const value_type* const_iterator; \
  name(); name(initializer_list<value_type>); template <class I> name(I, I); name(const name&); name& operator=(const name&); name& operator=(initializer_list<value_type>); V& operator[](const K&); V& at(const K&); const V& at(const K&) const; iterator find(const K&); const_iterator find(const K&) const; iterator begin(); iterator end(); const_iterator begin() const; const_iterator end() const; const_iterator cbegin() const; const_iterator cend() const; \
  size_t size() const; bool empty() const; size_t count(const K&) const; bool contains(const K&) const; void clear(); template <class... U> pair<iterator, bool> insert(U&&...); pair<iterator, bool> insert(const value_type&); void insert(initializer_list<value_type>); template <class... U> pair<iterator, bool> emplace(U&&...); template <class... U> pair<iterator, bool> try_emplace(U&&...); template <class... U> pair<iterator, bool> insert_or_assign(U&&...); template <class... U> size_t erase(U...); void reserve(size_t); iterator lower_bound(const K&); iterator upper_bound(const K&); pair<iterator, iterator> equal_range(const K&); };
#define GELINT_COMMA ,
GELINT_MAP(map, class C = less<K> GELINT_COMMA class A = allocator<pair<const K GELINT_COMMA V>>) GELINT_MAP(multimap, class C = less<K>)
GELINT_MAP(unordered_map, class H = hash<K> GELINT_COMMA class E = equal_to<K> GELINT_COMMA class A = allocator<pair<const K GELINT_COMMA V>>) GELINT_MAP(unordered_multimap, class H = hash<K>)
#define GELINT_SET(name, extra) template <class K, extra> struct name { typedef const K* iterator; typedef const K* const_iterator; name(); name(initializer_list<K>); template <class I> name(I, I); const K* find(const K&) const; const K* begin() const; const K* end() const; size_t size() const; bool empty() const; size_t count(const K&) const; bool contains(const K&) const; void clear(); template <class... U> pair<iterator, bool> insert(U&&...); pair<iterator, bool> insert(const K&); void insert(initializer_list<K>); template <class... U> pair<iterator, bool> emplace(U&&...); template <class... U> size_t erase(U...); };
GELINT_SET(set, class C = less<K>) GELINT_SET(multiset, class C = less<K>) GELINT_SET(unordered_set, class H = hash<K> GELINT_COMMA class E = equal_to<K>)
template <size_t N> struct bitset { bitset(); bitset(unsigned long); bool operator[](size_t) const; void set(size_t, bool = true); bool test(size_t) const; };
template <class T> struct default_delete { void operator()(T*) const; };
template <class T> struct shared_ptr { typedef T element_type; shared_ptr(); shared_ptr(nullptr_t); template <class U> explicit shared_ptr(U*); template <class U, class D> shared_ptr(U*, D); template <class U> shared_ptr(const shared_ptr<U>&); shared_ptr(const shared_ptr&); shared_ptr& operator=(const shared_ptr&); template <class U> shared_ptr& operator=(const U&); T* operator->() const; T& operator*() const; T* get() const; explicit operator bool() const; void reset(); template <class U> void reset(U*); long use_count() const; };
template <class T, class D = default_delete<T>> struct unique_ptr { unique_ptr(); unique_ptr(nullptr_t); explicit unique_ptr(T*); template <class E> unique_ptr(T*, E&&); template <class U, class E> unique_ptr(unique_ptr<U, E>&&); unique_ptr(unique_ptr&&); unique_ptr& operator=(unique_ptr&&); template <class U> unique_ptr& operator=(U&&); T* operator->() const; T& operator*() const; T* get() const; T* release(); explicit operator bool() const; void reset(T* = nullptr); D& get_deleter(); };
template <class T, class D> struct unique_ptr<T[], D> { unique_ptr(); unique_ptr(nullptr_t); explicit unique_ptr(T*); T& operator[](size_t) const; T* get() const; explicit operator bool() const; void reset(T* = nullptr); };
template <class T> struct weak_ptr { weak_ptr(); template <class U> weak_ptr(const shared_ptr<U>&); shared_ptr<T> lock() const; }; template <class T> struct enable_shared_from_this { shared_ptr<T> shared_from_this(); };
template <class T> bool operator==(const shared_ptr<T>&, nullptr_t); template <class T> bool operator!=(const shared_ptr<T>&, nullptr_t); template <class T, class D> bool operator==(const unique_ptr<T, D>&, nullptr_t); template <class T, class D> bool operator!=(const unique_ptr<T, D>&, nullptr_t);
template <class T, class... A> shared_ptr<T> make_shared(A&&...); template <class T, class... A> unique_ptr<T> make_unique(A&&...);
template <class T, class U> shared_ptr<T> static_pointer_cast(const shared_ptr<U>&); template <class T, class U> shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U>&);
template <class T> struct function; template <class R, class... A> struct function<R(A...)> { function(); function(nullptr_t); template <class F> function(F); R operator()(A...) const; explicit operator bool() const; };
struct gelint_bound { template <class... A> int operator()(A&&...) const; template <class T> operator T() const; }; template <class F, class... A> gelint_bound bind(F&&, A&&...); template <class T> gelint_ref<T> ref(T&); template <class T> gelint_ref<const T> cref(const T&); template <class T> using reference_wrapper = gelint_ref<T>; template <class F, class... A> invoke_result_t<F, A...> invoke(F&&, A&&...); template <class F, class T> void apply(F&&, T&&);
namespace placeholders { extern gelint_bound _1, _2, _3; } template <class F> gelint_bound mem_fn(F);
struct nullopt_t {}; extern const nullopt_t nullopt;
template <class T> struct optional { optional(); optional(nullopt_t); optional(const T&); template <class U> optional(U&&); optional& operator=(const T&); optional& operator=(nullopt_t); T& value(); const T& value() const; template <class U> T value_or(U&&) const; T& operator*(); const T& operator*() const; T* operator->(); const T* operator->() const; bool has_value() const; explicit operator bool() const; void reset(); template <class... A> T& emplace(A&&...); };
template <class T> optional<decay_t<T>> make_optional(T&&); template <class T> bool operator==(const optional<T>&, nullopt_t); template <class T> bool operator!=(const optional<T>&, nullopt_t);
template <class... T> struct variant { variant(); template <class U> variant(U&&); template <class U> variant& operator=(U&&); size_t index() const; template <class U, class... A> U& emplace(A&&...); };
template <class T, class... U> T& get(variant<U...>&); template <class T, class... U> const T& get(const variant<U...>&); template <class T, class... U> T* get_if(variant<U...>*); template <class T, class... U> const T* get_if(const variant<U...>*); template <class T, class... U> bool holds_alternative(const variant<U...>&); template <class V, class... A> gelint_bound visit(V&&, A&&...);
struct any { any(); template <class T> any(T&&); bool has_value() const; }; template <class T> T any_cast(const any&);
template <class T> struct span { span(); template <class U> span(U&&); span(T*, size_t); T& operator[](size_t) const; T* data() const; size_t size() const; T* begin() const; T* end() const; bool empty() const; span subspan(size_t, size_t = -1) const; };
template <class T> struct numeric_limits { static constexpr bool is_specialized = true; static constexpr T max() noexcept { return T(); } static constexpr T lowest() noexcept { return T(); } static constexpr T infinity() noexcept { return T(); } static constexpr T min() noexcept { return T(); } static constexpr T epsilon() noexcept { return T(); } static constexpr T quiet_NaN() noexcept { return T(); } };
template <> struct numeric_limits<float> { static constexpr float max() noexcept { return FLT_MAX; } static constexpr float lowest() noexcept { return -FLT_MAX; } static constexpr float infinity() noexcept { return __builtin_inff(); } static constexpr float min() noexcept { return FLT_MIN; } static constexpr float epsilon() noexcept { return FLT_EPSILON; } static constexpr float quiet_NaN() noexcept { return __builtin_nanf(""); } };
template <> struct numeric_limits<double> { static constexpr double max() noexcept { return DBL_MAX; } static constexpr double lowest() noexcept { return -DBL_MAX; } static constexpr double infinity() noexcept { return __builtin_inf(); } static constexpr double min() noexcept { return DBL_MIN; } static constexpr double epsilon() noexcept { return DBL_EPSILON; } static constexpr double quiet_NaN() noexcept { return __builtin_nan(""); } };
struct exception { exception(); virtual ~exception(); virtual const char* what() const noexcept; }; struct bad_alloc : exception {}; struct bad_cast : exception {};
#define GELINT_EXC(n, b) struct n : b { n(const string&); n(const char*); };
struct runtime_error : exception { runtime_error(const string&); runtime_error(const char*); }; struct logic_error : exception { logic_error(const string&); logic_error(const char*); }; using exception_ptr = void*; exception_ptr current_exception(); void rethrow_exception(exception_ptr); void terminate();
struct invalid_argument : logic_error { using logic_error::logic_error; }; struct out_of_range : logic_error { using logic_error::logic_error; }; struct domain_error : logic_error { using logic_error::logic_error; }; struct length_error : logic_error { using logic_error::logic_error; };
struct range_error : runtime_error { using runtime_error::runtime_error; }; struct overflow_error : runtime_error { using runtime_error::runtime_error; }; struct system_error : runtime_error { using runtime_error::runtime_error; }; struct error_code { int value() const; string message() const; explicit operator bool() const; };
struct ios_base { enum openmode { in, out, binary, ate, app, trunc }; enum seekdir { beg, cur, end }; typedef int fmtflags; }; struct ios : ios_base {};
struct ostream : ios { template <class T> ostream& operator<<(const T&); ostream& operator<<(ostream& (*)(ostream&)); ostream& write(const char*, long); ostream& flush(); bool good() const; bool fail() const; explicit operator bool() const; long precision(long); long width(long); ostream& put(char); long tellp(); ostream& seekp(long); };
struct istream : ios { template <class T> istream& operator>>(T&); istream& read(char*, long); bool good() const; bool fail() const; bool eof() const; bool is_open() const; long gcount() const; explicit operator bool() const; long tellg(); istream& seekg(long, seekdir = beg); int get(); int peek(); istream& ignore(long = 1, int = -1); void close(); };
struct iostream : ostream { template <class T> iostream& operator>>(T&); }; extern ostream cout, cerr, clog; extern istream cin; ostream& endl(ostream&); ostream& flush(ostream&); istream& getline(istream&, string&, char = '\n'); ostream& boolalpha(ostream&); ostream& hex(ostream&); ostream& dec(ostream&); ostream& fixed(ostream&); ostream& scientific(ostream&); int setw(int); int setprecision(int); int setfill(char);
struct ostringstream : ostream { ostringstream(); ostringstream(const string&); string str() const; void str(const string&); }; struct stringstream : iostream { stringstream(); stringstream(const string&); string str() const; void str(const string&); operator istream&(); }; struct istringstream : istream { istringstream(const string&); };
struct ifstream : istream { ifstream(); ifstream(const string&, int = 0); ifstream(const char*, int = 0); void open(const string&, int = 0); }; struct ofstream : ostream { ofstream(); ofstream(const string&, int = 0); bool is_open() const; void close(); }; struct fstream : iostream { fstream(const string&, int = 0); }; template <class T> struct istreambuf_iterator { istreambuf_iterator(); istreambuf_iterator(istream&); };
template <class I, class O, class F> O transform(I, I, O, F); template <class I, class J, class O, class F> O transform(I, I, J, O, F); template <class I, class F> F for_each(I, I, F); template <class I> void sort(I, I); template <class I, class C> void sort(I, I, C); template <class I, class C> void stable_sort(I, I, C); template <class I, class C> void partial_sort(I, I, I, C); template <class I, class C> void nth_element(I, I, I, C);
template <class I, class T> I find(I, I, const T&); template <class I, class P> I find_if(I, I, P); template <class I, class P> bool any_of(I, I, P); template <class I, class P> bool all_of(I, I, P); template <class I, class P> bool none_of(I, I, P); template <class I, class T> long count(I, I, const T&); template <class I, class P> long count_if(I, I, P); template <class I, class O> O copy(I, I, O); template <class I, class N, class O> O copy_n(I, N, O); template <class I, class O, class P> O copy_if(I, I, O, P); template <class I, class T> void fill(I, I, const T&); template <class I, class N, class T> I fill_n(I, N, const T&); template <class I, class G> void generate(I, I, G); template <class I, class T> void iota(I, I, T);
template <class I, class T> T accumulate(I, I, T); template <class I, class T, class F> T accumulate(I, I, T, F); template <class I, class J, class T> T inner_product(I, I, J, T); template <class I, class T> T reduce(I, I, T); template <class I> I max_element(I, I); template <class I> I min_element(I, I); template <class I, class C> I max_element(I, I, C); template <class I> void reverse(I, I); template <class I, class J> bool equal(I, I, J); template <class I, class T> I lower_bound(I, I, const T&); template <class I, class T> I upper_bound(I, I, const T&); template <class I, class T> bool binary_search(I, I, const T&); template <class I> I unique(I, I); template <class I, class T> I remove(I, I, const T&); template <class I, class P> I remove_if(I, I, P); template <class I> void rotate(I, I, I); template <class I, class O> O partial_sum(I, I, O); template <class I> I next(I, long = 1); template <class I> I prev(I, long = 1); template <class I> long distance(I, I); template <class I> void advance(I&, long); template <class C> gelint_bound back_inserter(C&); template <class I, class G> void shuffle(I, I, G&&); template <class I, class P> void replace(I, I, P, P);
template <class C> auto begin(C& c) -> decltype(c.begin()); template <class C> auto end(C& c) -> decltype(c.end()); template <class T, size_t N> T* begin(T (&)[N]); template <class T, size_t N> T* end(T (&)[N]); template <class C> size_t size(const C&); template <class C> auto data(C& c) -> decltype(c.data()); template <class T> struct iterator_traits { typedef T value_type; }; template <class T> struct iterator_traits<T*> { typedef T value_type; }; struct random_access_iterator_tag {}; struct forward_iterator_tag {}; struct input_iterator_tag {};
struct mutex { void lock(); void unlock(); bool try_lock(); }; struct recursive_mutex : mutex {}; struct shared_mutex : mutex {}; template <class... M> struct lock_guard { template <class X> lock_guard(X&); }; template <class M> lock_guard(M&) -> lock_guard<M>; template <class M> struct unique_lock { unique_lock(); unique_lock(M&); void lock(); void unlock(); }; template <class M> unique_lock(M&) -> unique_lock<M>; template <class... M> struct scoped_lock { scoped_lock(M&...); }; template <class M> struct shared_lock { shared_lock(M&); }; struct condition_variable { template <class L> void wait(L&); template <class L, class P> void wait(L&, P); void notify_one(); void notify_all(); }; struct once_flag {}; template <class F, class... A> void call_once(once_flag&, F&&, A&&...);
struct thread { struct id {}; thread(); template <class F, class... A> thread(F&&, A&&...); void join(); void detach(); bool joinable() const; static unsigned hardware_concurrency(); id get_id() const; }; namespace this_thread { void yield(); thread::id get_id(); template <class D> void sleep_for(const D&); }
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst }; template <class T> struct atomic { atomic(); atomic(T); T load(int = 0) const; void store(T, int = 0); T exchange(T, int = 0); T fetch_add(T, int = 0); T fetch_sub(T, int = 0); operator T() const; T operator=(T); T operator++(); T operator++(int); T operator--(); bool compare_exchange_strong(T&, T, int = 0, int = 0); bool compare_exchange_weak(T&, T, int = 0, int = 0); }; typedef atomic<int> atomic_int; typedef atomic<bool> atomic_bool; void atomic_thread_fence(int);
template <class T> struct future { T get(); void wait(); bool valid() const; }; template <class T> struct promise { future<T> get_future(); template <class U> void set_value(U&&); void set_exception(exception_ptr); }; template <class T> struct shared_future : future<T> {}; template <class F, class... A> future<void> async(F&&, A&&...); template <class T> struct packaged_task { template <class F> packaged_task(F&&); };
namespace chrono { template <class R, class P = void> struct duration { duration(); template <class T> duration(T); R count() const; }; typedef duration<long> seconds; typedef duration<long> milliseconds; typedef duration<long> microseconds; typedef duration<long> nanoseconds; typedef duration<long> minutes; struct time_point { seconds time_since_epoch() const; }; seconds operator-(time_point, time_point); template <class D, class T> D duration_cast(const T&); struct steady_clock { typedef chrono::time_point time_point; static time_point now(); }; typedef steady_clock high_resolution_clock; typedef steady_clock system_clock; }
struct random_device { unsigned operator()(); }; struct mt19937 { mt19937(); mt19937(unsigned); unsigned operator()(); void seed(unsigned); }; typedef mt19937 mt19937_64; typedef mt19937 default_random_engine; typedef mt19937 minstd_rand; template <class T = double> struct normal_distribution { normal_distribution(T = 0, T = 1); template <class G> T operator()(G&); }; template <class T = double> struct uniform_real_distribution { uniform_real_distribution(T = 0, T = 1); template <class G> T operator()(G&); }; template <class T = int> struct uniform_int_distribution { uniform_int_distribution(T = 0, T = 1); template <class G> T operator()(G&); }; template <class T = int> struct discrete_distribution { template <class... A> discrete_distribution(A...); template <class G> T operator()(G&); };
template <class T> struct complex { T re, im; complex(T = T(), T = T()); T real() const; T imag() const; }; struct type_info { const char* name() const; bool operator==(const type_info&) const; }; struct type_index { type_index(const type_info&); }; enum class byte : unsigned char {}; enum class align_val_t : size_t {}; struct locale {}; namespace filesystem { struct path { path(); template <class T> path(const T&); string string() const; path operator/(const path&) const; path parent_path() const; path filename() const; path extension() const; path stem() const; const char* c_str() const; bool empty() const; }; bool exists(const path&); bool is_directory(const path&); bool create_directories(const path&); path current_path(); path absolute(const path&); unsigned long file_size(const path&); } template <class T> T* launder(T*); void* align(size_t, size_t, void*&, size_t&); template <class... A> string format(const char*, A&&...); struct from_chars_result { const char* ptr; int ec; }; template <class T> from_chars_result from_chars(const char*, const char*, T&); struct regex { regex(const string&); }; struct smatch { string operator[](int) const; }; bool regex_match(const string&, smatch&, const regex&); bool regex_search(const string&, const regex&); template <class T> T bit_ceil(T); template <class T> int popcount(T); template <class T> int countr_zero(T);
namespace numbers { inline constexpr double pi = 3.141592653589793, e = 2.718281828459045, sqrt2 = 1.4142135623730951, inv_pi = 0.3183098861837907, inv_sqrtpi = 0.5641895835477563, ln2 = 0.6931471805599453, log2e = 1.4426950408889634; template <class T> inline constexpr T pi_v = T(3.141592653589793); template <class T> inline constexpr T sqrt2_v = T(1.4142135623730951); template <class T> inline constexpr T inv_sqrtpi_v = T(0.5641895835477563); template <class T> inline constexpr T inv_pi_v = T(0.3183098861837907); template <class T> inline constexpr T log2e_v = T(1.4426950408889634); template <class T> inline constexpr T ln2_v = T(0.6931471805599453); }
} // namespace std
void* operator new(size_t, void*) noexcept; void* operator new[](size_t, void*) noexcept;
float abs(float); double abs(double);
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
#endif
