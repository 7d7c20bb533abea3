#pragma once
// Our own stub headers (src/scan/stubs/), handed to libclang from memory under a directory that does not exist. A
// parse with them needs no standard library, no CUDA and no framework, and is an order of magnitude faster.

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelint::scan {

/// The directory of the virtual headers. It must not exist.
inline constexpr std::string_view k_stub_dir = "/gelint.stubs";

/// The virtual files for one parse: the stubs, the standard headers, and `headers` (names as they are included, from
/// the sources that take part) that a pattern of headers.txt covers. A header that nothing covers becomes an empty
/// file: measured on CTranslate2, a missing file costs an error and loses nothing more, but an empty one keeps the
/// order of diagnostics stable and lets __has_include-free code go on.
class StubSysroot {
public:
  static const StubSysroot& instance();

  /// True when a stub stands for this header name ("vector", "torch/torch.h").
  bool covers(std::string_view header) const;
  /// True for the headers of the C and C++ standard libraries.
  bool standard(std::string_view header) const;
  std::vector<std::pair<std::string_view, std::string_view>> files(const std::set<std::string>& headers,
                                                                   std::vector<std::string>& storage) const;
  /// -nostdinc, -isystem of the virtual directory.
  const std::vector<std::string>& args() const { return args_; }
  /// Changes when a stub changes: part of a cache key.
  std::string fingerprint() const;

private:
  StubSysroot();
  const std::string* target_of(std::string_view header) const;
  struct Pattern {
    std::string prefix; ///< without the star
    std::string text;   ///< the file that includes the stub
    bool star;
    bool standard;
  };
  std::vector<Pattern> patterns_;
  std::vector<std::pair<std::string, std::string>> fixed_; ///< always present: stubs and exact names
  std::vector<std::string> args_;
};

} // namespace gelint::scan
