#pragma once
// Errors as values. C++20 has no std::expected; this is the small part of it that gelint needs.

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace gelint {

/// A fault a user can act on. `file` is as the user gave it (never absolute unless given so); line and
/// column are 1-based, 0 when unknown.
struct Error {
  std::string message; ///< what is wrong, one line, no trailing full stop
  std::string file = {};
  int line = 0;
  int column = 0;
  std::string mend = {}; ///< what the user can do about it; may be empty

  /// "file:line:column: message (mend)", leaving out what is unknown.
  std::string text() const;
};

/// Either a value or an Error.
template <class T> class Result {
public:
  Result(T value) : v_(std::move(value)) {}
  Result(Error error) : v_(std::move(error)) {}
  explicit operator bool() const { return v_.index() == 0; }
  T& value() { return std::get<0>(v_); }
  const T& value() const { return std::get<0>(v_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(v_); }

private:
  std::variant<T, Error> v_;
};

/// Success or an Error, for functions without a value.
class Status {
public:
  Status() = default;
  Status(Error error) : e_(std::move(error)) {}
  explicit operator bool() const { return !e_; }
  const Error& error() const { return *e_; }

private:
  std::optional<Error> e_;
};

} // namespace gelint
