#include "scan/lower_store.h"

#include <algorithm>

namespace gelint::scan::lower {

void Store::set(CellId c, std::unique_ptr<Stored> s) {
  size_t i = static_cast<size_t>(c);
  if (i >= slots_.size())
    slots_.resize(i + 1 + i / 2);
  size_ += (s != nullptr) - (slots_[i] != nullptr);
  if (open_ > 0)
    log_.emplace_back(c, std::move(slots_[i]));
  slots_[i] = std::move(s);
}

Store::Changes Store::undo(Mark since) {
  --open_;
  ++round_;
  seen_.resize(slots_.size(), 0);
  Changes out;
  while (log_.size() > since) {
    auto [c, old] = std::move(log_.back());
    log_.pop_back();
    size_t i = static_cast<size_t>(c);
    size_ += (old != nullptr) - (slots_[i] != nullptr);
    if (seen_[i] != round_) { // its last write
      seen_[i] = round_;
      out.emplace_back(c, std::move(slots_[i]));
    }
    slots_[i] = std::move(old);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

void Store::keep(Mark since) {
  if (--open_ == 0)
    log_.resize(since);
}

void Store::apply(Changes changes) {
  for (auto& [c, s] : changes)
    set(c, std::move(s));
}

} // namespace gelint::scan::lower
