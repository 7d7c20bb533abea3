#include "checkpoint/gguf.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>

namespace gelint::checkpoint {
namespace {

enum Type : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64, k_type_count };
constexpr size_t k_sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr const char* k_names[] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                   "bool", "string", "array", "u64", "i64", "f64"};
constexpr uint64_t k_max_key = 1 << 16;
constexpr uint64_t k_max_kept_string = 1 << 20; // chat templates are the longest that is kept
constexpr int k_max_array_depth = 4;

struct Fault {
  std::string message;
};

// Sequential reader that never reads, or asks for memory, beyond the file's size.
class Reader {
public:
  Reader(FILE* f, uint64_t size) : f_(f), left_(size) {}
  uint64_t left() const { return left_; }
  void need(uint64_t n, const char* what) {
    if (n > left_)
      throw Fault{fmt::format("is cut short: {} needs {} bytes, {} are left", what, n, left_)};
  }
  template <class T> T number(const char* what) {
    T v;
    bytes(&v, sizeof v, what);
    return v;
  }
  std::string text(uint64_t n, const char* what) {
    need(n, what);
    std::string s(n, '\0');
    bytes(s.data(), n, what);
    return s;
  }
  std::string name(const char* what) {
    auto n = number<uint64_t>(what);
    if (n > k_max_key)
      throw Fault{fmt::format("{} is {} bytes long, more than {}", what, n, k_max_key)};
    return text(n, what);
  }
  void skip(uint64_t n, const char* what) {
    need(n, what);
    if (::fseeko(f_, static_cast<off_t>(n), SEEK_CUR) != 0)
      throw Fault{std::string("cannot seek: ") + std::strerror(errno)};
    left_ -= n;
  }

private:
  void bytes(void* to, uint64_t n, const char* what) {
    need(n, what);
    if (n && std::fread(to, 1, n, f_) != n)
      throw Fault{std::string("cannot read ") + what};
    left_ -= n;
  }
  FILE* f_;
  uint64_t left_;
};

void skip_array(Reader& r, int depth, GgufValue& out) {
  auto type = r.number<uint32_t>("array type");
  auto count = r.number<uint64_t>("array length");
  if (type >= k_type_count)
    throw Fault{fmt::format("holds an array of unknown type {}", type)};
  if (depth == 0)
    out.text = fmt::format("{}[{}]", k_names[type], count);
  if (type == array) {
    if (depth >= k_max_array_depth)
      throw Fault{"nests arrays too deep"};
    r.need(count, "nested array"); // at least a byte each: bounds the loop
    for (uint64_t i = 0; i < count; ++i)
      skip_array(r, depth + 1, out);
  } else if (type == string) {
    r.need(count, "array of strings");
    for (uint64_t i = 0; i < count; ++i)
      r.skip(r.number<uint64_t>("string length"), "string of an array");
  } else {
    if (count > r.left() / k_sizes[type])
      r.need(r.left() + 1, "array");
    r.skip(count * k_sizes[type], "array");
  }
}

GgufValue read_value(Reader& r, uint32_t type) {
  GgufValue v;
  switch (type) {
  case u8:
    v.number = r.number<uint8_t>("value");
    return v;
  case i8:
    v.number = r.number<int8_t>("value");
    return v;
  case u16:
    v.number = r.number<uint16_t>("value");
    return v;
  case i16:
    v.number = r.number<int16_t>("value");
    return v;
  case u32:
    v.number = r.number<uint32_t>("value");
    return v;
  case i32:
    v.number = r.number<int32_t>("value");
    return v;
  case u64:
    v.number = static_cast<double>(r.number<uint64_t>("value"));
    return v;
  case i64:
    v.number = static_cast<double>(r.number<int64_t>("value"));
    return v;
  case f32:
    v.kind = GgufValue::Kind::real;
    v.number = r.number<float>("value");
    return v;
  case f64:
    v.kind = GgufValue::Kind::real;
    v.number = r.number<double>("value");
    return v;
  case boolean:
    v.kind = GgufValue::Kind::boolean;
    v.truth = r.number<uint8_t>("value") != 0;
    return v;
  case string: {
    v.kind = GgufValue::Kind::string;
    auto n = r.number<uint64_t>("string length");
    if (n > k_max_kept_string)
      r.skip(n, "string");
    else
      v.text = r.text(n, "string");
    return v;
  }
  case array:
    v.kind = GgufValue::Kind::array;
    skip_array(r, 0, v);
    return v;
  default:
    throw Fault{fmt::format("holds a value of unknown type {}", type)};
  }
}

Gguf read(Reader& r) {
  Gguf g;
  char magic[4];
  for (char& c : magic)
    c = r.number<char>("magic");
  if (std::memcmp(magic, "GGUF", 4) != 0)
    throw Fault{"does not begin with GGUF"};
  g.version = r.number<uint32_t>("version");
  if (g.version != 2 && g.version != 3)
    throw Fault{g.version > 0xffff ? "is big-endian, which is not read"
                                   : fmt::format("is GGUF version {}, 2 and 3 are read", g.version)};
  g.tensor_count = r.number<uint64_t>("tensor count");
  auto pairs = r.number<uint64_t>("metadata count");
  if (pairs > r.left() / 13) // key length, type, one byte of value
    throw Fault{fmt::format("claims {} metadata entries in {} bytes", pairs, r.left())};
  for (uint64_t i = 0; i < pairs; ++i) {
    std::string key = r.name("metadata key");
    auto type = r.number<uint32_t>("metadata type");
    g.metadata[std::move(key)] = read_value(r, type);
  }
  if (g.tensor_count > r.left() / 24) // name length, dimensions, type, offset
    throw Fault{fmt::format("claims {} tensors in {} bytes", g.tensor_count, r.left())};
  g.tensors.reserve(std::min<uint64_t>(g.tensor_count, 1 << 16));
  for (uint64_t i = 0; i < g.tensor_count; ++i) {
    g.tensors.push_back(r.name("tensor name"));
    auto dimensions = r.number<uint32_t>("tensor dimensions");
    if (dimensions > 8)
      throw Fault{fmt::format("holds a tensor of {} dimensions", dimensions)};
    r.skip(uint64_t{8} * dimensions + 4 + 8, "tensor entry");
  }
  return g;
}

} // namespace

const GgufValue* Gguf::find(const std::string& key) const {
  auto it = metadata.find(key);
  return it == metadata.end() ? nullptr : &it->second;
}

std::string Gguf::string(const std::string& key) const {
  const GgufValue* v = find(key);
  return v && v->kind == GgufValue::Kind::string ? v->text : std::string();
}

Result<Gguf> read_gguf(const std::string& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> f(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!f)
    return Error{std::string("cannot read: ") + std::strerror(errno), path, 0, 0, ""};
  struct stat st {};
  if (::fstat(::fileno(f.get()), &st) != 0 || !S_ISREG(st.st_mode))
    return Error{"is not a regular file", path, 0, 0, ""};
  Reader reader(f.get(), static_cast<uint64_t>(st.st_size));
  try {
    return read(reader);
  } catch (const Fault& fault) {
    return Error{fault.message, path, 0, 0, "convert or download the file again"};
  } catch (const std::bad_alloc&) {
    return Error{"needs too much memory", path, 0, 0, ""};
  }
}

} // namespace gelint::checkpoint
