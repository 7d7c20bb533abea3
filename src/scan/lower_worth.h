#pragma once
// Which functions are worth running: a cheap look at names and literals.

#include "scan/lower_cursor.h"

#include <map>

namespace gelint::scan::lower {

/// True for identifiers and literals that an activation's body is made of. `relu_like`: max, clamp and so on too.
bool activation_word(std::string_view token, bool relu_like);

class WorthTable {
public:
  /// Of a definition or lambda; through the functions it calls, up to six calls deep.
  bool worth(CXCursor def, bool relu_like);

private:
  struct Facts {
    bool own = false, own_relu = false;
    std::vector<CXCursor> callees;
  };
  const Facts& facts(CXCursor def);
  bool search(CXCursor def, bool relu_like, int depth, std::vector<CXCursor>& path);
  CursorMap<Facts> facts_;
  CursorMap<bool> known_[2];
};

} // namespace gelint::scan::lower
