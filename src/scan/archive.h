#pragma once
// A small binary archive: one io() function per type serves writing and reading. It travels through pipes and lies in
// the cache, always read by the same version of gelint that wrote it.

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gelint::scan {

class ArchiveWriter {
public:
  static constexpr bool reading = false;
  std::string data;
  void bytes(const void* p, size_t n) { data.append(static_cast<const char*>(p), n); }
};

/// Never reads past the end: a short or damaged input leaves values at zero and `ok` false.
class ArchiveReader {
public:
  static constexpr bool reading = true;
  explicit ArchiveReader(std::string_view d) : data(d) {}
  std::string_view data;
  bool ok = true;
  void bytes(void* p, size_t n) {
    if (!ok || data.size() < n) {
      ok = false;
      std::memset(p, 0, n);
      return;
    }
    std::memcpy(p, data.data(), n);
    data.remove_prefix(n);
  }
};

template <class A, class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
void io(A& a, T& v) {
  a.bytes(&v, sizeof v);
}

template <class A> void io(A& a, std::string& s) {
  uint32_t n = static_cast<uint32_t>(s.size());
  io(a, n);
  if constexpr (A::reading) {
    if (n > a.data.size()) {
      a.ok = false;
      return;
    }
    s.assign(a.data.data(), n);
    a.data.remove_prefix(n);
  } else {
    a.bytes(s.data(), n);
  }
}

template <class A, class T, class U> void io(A& a, std::pair<T, U>& p) {
  io(a, p.first);
  io(a, p.second);
}

template <class A, class T> void io(A& a, std::vector<T>& v) {
  uint32_t n = static_cast<uint32_t>(v.size());
  io(a, n);
  if constexpr (A::reading) {
    v.clear();
    for (uint32_t i = 0; i < n && a.ok; ++i)
      io(a, v.emplace_back());
  } else {
    for (T& x : v)
      io(a, x);
  }
}

template <class A, class... T>
  requires(sizeof...(T) > 1)
void io_all(A& a, T&... v) {
  (io(a, v), ...);
}

} // namespace gelint::scan
