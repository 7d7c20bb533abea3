#pragma once
// What is stored in the cells, with a log of what was overwritten: a branch costs what it writes, not what there is.

#include "scan/lower_state.h"

#include <utility>

namespace gelint::scan::lower {

struct Stored {
  Value value;
  uint64_t sequence = 0; ///< of the write: later is larger
};

class Store {
public:
  /// The cells that a branch changed, ascending, with what it left there; null: cleared.
  using Changes = std::vector<std::pair<CellId, std::unique_ptr<Stored>>>;
  using Mark = size_t;

  /// What is stored in the cell itself; null: nothing. Valid until the branch ends in which it was written or overwritten.
  const Stored* find(CellId c) const {
    return static_cast<size_t>(c) < slots_.size() ? slots_[static_cast<size_t>(c)].get() : nullptr;
  }
  void put(CellId c, Value v, uint64_t sequence) {
    set(c, std::make_unique<Stored>(Stored{std::move(v), sequence}));
  }
  void erase(CellId c) {
    if (find(c))
      set(c, nullptr);
  }
  size_t size() const { return size_; }

  /// Branches nest; each ends with one of the two below.
  Mark branch() {
    ++open_;
    return log_.size();
  }
  Changes undo(Mark since); ///< the store is as it was at the mark
  void keep(Mark since);    ///< what was written belongs to the code around
  void apply(Changes changes);

  /// Calls `f(cell, stored)` for each cell that holds something, ascending.
  template <class F> void each(F f) const {
    for (size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i])
        f(static_cast<CellId>(i), *slots_[i]);
  }

private:
  void set(CellId c, std::unique_ptr<Stored> s);

  std::vector<std::unique_ptr<Stored>> slots_; ///< by cell
  std::vector<std::pair<CellId, std::unique_ptr<Stored>>> log_; ///< what was there before each write inside a branch
  std::vector<uint32_t> seen_;
  uint32_t round_ = 0;
  size_t size_ = 0;
  int open_ = 0;
};

} // namespace gelint::scan::lower
