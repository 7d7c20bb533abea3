#include "hf/pack.h"

#include <algorithm>
#include <cstring>
#include <zstd.h>

namespace gelint::hf {
namespace {
constexpr std::string_view k_magic = "GLHFPK1\n";
} // namespace

Result<Pack> Pack::open(std::string_view bytes) {
  const Error broken{"the packed tables are damaged", "", 0, 0, "build gelint again"};
  uint32_t count = 0;
  const size_t head = k_magic.size() + sizeof count;
  if (bytes.size() < head || !bytes.starts_with(k_magic))
    return broken;
  std::memcpy(&count, bytes.data() + k_magic.size(), sizeof count);
  if (count > (bytes.size() - head) / sizeof(Entry) || reinterpret_cast<uintptr_t>(bytes.data()) % alignof(Entry))
    return broken;
  Pack p;
  p.bytes_ = bytes;
  p.begin_ = reinterpret_cast<const Entry*>(bytes.data() + head);
  p.end_ = p.begin_ + count;
  for (const Entry* e = p.begin_; e != p.end_; ++e)
    if (e->key_at > bytes.size() || e->key_size > bytes.size() - e->key_at || e->data_at > bytes.size() ||
        e->data_size > bytes.size() - e->data_at)
      return broken;
  return p;
}

const Pack::Entry* Pack::find(std::string_view wanted) const {
  const Entry* e =
      std::lower_bound(begin_, end_, wanted, [this](const Entry& a, std::string_view k) { return key(a) < k; });
  return e != end_ && key(*e) == wanted ? e : nullptr;
}

std::optional<std::string> Pack::get(std::string_view wanted) const {
  const Entry* e = find(wanted);
  if (!e)
    return std::nullopt;
  std::string out(e->raw_size, '\0');
  size_t n = ZSTD_decompress(out.data(), out.size(), bytes_.data() + e->data_at, e->data_size);
  if (ZSTD_isError(n) || n != out.size())
    return std::nullopt;
  return out;
}

void Pack::each_key(std::string_view prefix, const std::function<void(std::string_view)>& f) const {
  const Entry* e =
      std::lower_bound(begin_, end_, prefix, [this](const Entry& a, std::string_view k) { return key(a) < k; });
  for (; e != end_ && key(*e).starts_with(prefix); ++e)
    f(key(*e).substr(prefix.size()));
}

} // namespace gelint::hf
