#pragma once
// What the functions of a unit store into, found in the tree without running them.

#include "scan/lower_cursor.h"

#include <functional>

namespace gelint::scan::lower {

/// Calls `f(array)` for each element of a variable that `def` stores into, in the order of the text; canonical cursors.
void each_stored_array(CXCursor def, const std::function<void(CXCursor)>& f);

/// Adds the variables and fields that `def` may change (by assignment, through their address, as an argument), and the
/// classes of objects that it makes from values; canonical cursors.
void note_assignments(CXCursor def, CursorMap<bool>& out);

} // namespace gelint::scan::lower
