#pragma once
// Memory of the abstract interpreter.
//
// A cell is a place that can hold a value: a variable, a field, an element, the target of a pointer. Cells form a
// tree by (parent, key) that is shared by all branches; what is stored in them is not: a branch is run, what it changed
// is taken back, and the changes of both are merged (lower_store.h). A cell in which nothing is stored has a symbol for
// its value, made when it is first read.

#include "scan/lower_cursor.h"
#include "scan/lower_types.h"

#include "formula/expr.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gelint::scan::lower {

using formula::k_no_node;
using formula::NodeId;
using formula::Op;
using formula::Type;

/// The symbol that counts the lanes of a vector.
inline const std::string k_lane = "the lane";

using CellId = int;
inline constexpr CellId k_no_cell = -1;

/// Before the name of a variable that holds a function: it is not the function of that name.
inline const std::string k_function_value = "the function value ";

struct Value {
  enum class Kind : uint8_t {
    undef,   ///< never assigned
    nothing, ///< void
    number,  ///< node
    pointer, ///< cell; with an offset: element of it
    object,  ///< the contents of cell
    function, ///< cursor (a function, a lambda or a functor's class), cell = receiver
    text,    ///< string
    choice,  ///< node ? a : b, of non-numbers
  };
  Kind kind = Kind::undef;
  NodeId node = k_no_node;
  CellId cell = k_no_cell;
  CXCursor cursor = clang_getNullCursor();
  std::string text; ///< of a string; of a number that was written as an enumerator, its name
  bool view = false; ///< an object that stands for memory of somebody else: a variable made of it is that memory
  std::shared_ptr<const Value> a, b;

  static Value number(NodeId n) {
    Value v;
    v.kind = Kind::number;
    v.node = n;
    return v;
  }
  static Value pointer(CellId c, NodeId offset = k_no_node) {
    Value v;
    v.kind = Kind::pointer;
    v.cell = c;
    v.node = offset;
    return v;
  }
  static Value object(CellId c) {
    Value v;
    v.kind = Kind::object;
    v.cell = c;
    return v;
  }
  static Value function(CXCursor c, CellId receiver = k_no_cell) {
    Value v;
    v.kind = Kind::function;
    v.cursor = c;
    v.cell = receiver;
    return v;
  }
  static Value nothing() {
    Value v;
    v.kind = Kind::nothing;
    return v;
  }
  static Value string(std::string s) {
    Value v;
    v.kind = Kind::text;
    v.text = std::move(s);
    return v;
  }
  bool is_number() const { return kind == Kind::number; }
  bool same(const Value& o) const {
    return kind == o.kind && node == o.node && cell == o.cell && text == o.text && a == o.a && b == o.b &&
           clang_equalCursors(cursor, o.cursor);
  }
};

struct Cell {
  CellId parent = k_no_cell;
  std::string key;   ///< ".field", "[node]" or "*"; empty for roots
  std::string path;  ///< for people: "src->data[]"
  TypeInfo type;
  int param = -1;    ///< root: index of the parameter of the outermost function
  bool local = false; ///< a variable of a body: elements that were never stored hold what was stored last
  bool global = false;
  CXCursor decl = clang_getNullCursor();
  bool changing = false; ///< a variable with an initial value that other code may change
};

/// A free value: what a parameter, element or unknown call holds.
struct Symbol {
  std::string name;
  CellId cell = k_no_cell;
  Type type = Type::f32;
  bool known_type = false;
  bool index = false;  ///< loop counters, sizes, thread numbers: never the input
  bool undef = false;  ///< read before anything was stored
  bool changing = false; ///< of a variable that other code may change
  bool carried = false; ///< carried around a loop: an accumulated value
  std::string call;    ///< result of a call without a body: its name
  std::set<int> taint; ///< symbols that a call's arguments depend on
};

} // namespace gelint::scan::lower
