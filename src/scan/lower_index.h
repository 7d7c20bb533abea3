#pragma once
// What one translation unit tells the others about its functions and look-up tables. Plain data: it travels between
// worker processes and lives in the cache.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan {

/// "Conditions" of arms that no value chooses: the body computes all of them, for different elements, for different
/// arrays, in different passes of the compiler, in different units.
inline constexpr const char* k_by_element = "the element";
inline constexpr const char* k_by_array = "the array";
inline constexpr const char* k_by_pass = "the compiler's pass";
inline constexpr const char* k_by_overload = "the argument's type";
inline constexpr const char* k_by_unit = "the unit's macros";

/// A function whose output is an elementwise function of one or two of its parameters.
struct FunctionSummary {
  std::string usr;
  std::string qualified_name;
  int parameters = 0;
  int input_param = -1;
  int gate_param = -1;   ///< -1: none
  int output_param = -1; ///< -1: the return value; else the pointer, reference or array that is written
  std::string expr;      ///< formula::to_text
  std::string file;      ///< as libclang names it
  int line = 0;
  std::string formula;   ///< what the expression computes; bodies of one formula may stand for each other
};

/// A global array filled from its own index: entry i holds f(value whose bits are i).
struct TableSummary {
  std::string usr;
  std::string name;
  std::string expr; ///< f as formula::to_text, over the value that the index stands for
  std::string file;
  int line = 0;
};

/// The functions and tables of all units. On equal keys the smaller (file, line) wins, so that the order in which
/// units finish does not matter; a function whose bodies compute different formulas has no expression.
class FunctionIndex {
public:
  void add(FunctionSummary s);
  void add(TableSummary t);
  const FunctionSummary* find(std::string_view usr) const;
  /// By the end of the qualified name, for dependent calls and where the USR differs between C and C++ units; only
  /// when all candidates with as many parameters compute the same formula from the same parameters.
  const FunctionSummary* find_by_name(std::string_view qualified_name, int parameters) const;
  const TableSummary* find_table(std::string_view usr, std::string_view name) const;
  bool empty() const { return functions_.empty() && tables_.empty(); }

private:
  std::map<std::string, FunctionSummary, std::less<>> functions_;
  std::map<std::string, std::vector<std::string>, std::less<>> by_name_;
  std::map<std::string, TableSummary, std::less<>> tables_;
  std::map<std::string, std::string, std::less<>> table_by_name_;
};

} // namespace gelint::scan
