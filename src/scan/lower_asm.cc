// Inline assembly: straight-line code of PTX or RISC-V whose instructions are known, by its tokens, because the C API
// shows neither template nor operands before LLVM 21.

#include "scan/lower_interp.h"

#include <algorithm>
#include <array>

namespace gelint::scan::lower {

namespace {

struct Instruction {
  std::string_view prefix;
  Op op;
  int operands;
};

// PTX ISA ("tanh.approx", "ex2.approx", …) and the packed-single extension used by ET-SoC ("fexp.ps" is 2^x there).
constexpr auto k_instructions = std::to_array<Instruction>({
    {"tanh.approx", Op::tanh_approx, 1}, {"ex2.approx", Op::exp2, 1},   {"lg2.approx", Op::log2, 1},
    {"rcp.", Op::recip, 1},              {"sqrt.", Op::sqrt, 1},        {"rsqrt.", Op::rsqrt, 1},
    {"neg.", Op::neg, 1},                {"abs.", Op::abs, 1},          {"fma.", Op::fma, 3},
    {"mad.", Op::fma, 3},                {"add.", Op::add, 2},          {"sub.", Op::sub, 2},
    {"mul.", Op::mul, 2},                {"div.", Op::div, 2},          {"min.", Op::min, 2},
    {"max.", Op::max, 2},                {"fexp.ps", Op::exp2, 1},      {"frcp.ps", Op::recip, 1},
    {"fadd.ps", Op::add, 2},             {"fsub.ps", Op::sub, 2},       {"fmul.ps", Op::mul, 2},
    {"fmadd.ps", Op::fma, 3},            {"fmin.ps", Op::min, 2},       {"fmax.ps", Op::max, 2},
});

std::string unquote(const std::string& s) {
  size_t a = s.find('"'), b = s.rfind('"');
  std::string in = a == std::string::npos || b <= a ? s : s.substr(a + 1, b - a - 1);
  std::string out;
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i] == '\\' && i + 1 < in.size()) {
      ++i;
      out += in[i] == 'n' || in[i] == 't' ? ' ' : in[i];
      if (in[i] == 'n')
        out.back() = ';';
    } else {
      out += in[i];
    }
  }
  return out;
}

std::vector<std::string> split(const std::string& text, const char* at) {
  std::vector<std::string> out;
  std::string part;
  for (char c : text + at[0]) {
    if (std::string_view(at).find(c) != std::string_view::npos) {
      size_t a = part.find_first_not_of(" {}"), b = part.find_last_not_of(" {}");
      if (a != std::string::npos)
        out.push_back(part.substr(a, b - a + 1));
      part.clear();
    } else {
      part += c;
    }
  }
  return out;
}

} // namespace

std::optional<Value> Interp::eval_asm(CXCursor e) {
  CXCursorKind k = kind_of(e);
  if (k != CXCursor_GCCAsmStmt && k != CXCursor_MSAsmStmt && k != CXCursor_UnexposedStmt)
    return std::nullopt;
  std::vector<std::string> t = tokens(e, 600);
  if (t.empty() || (t[0] != "asm" && t[0] != "__asm__" && t[0] != "__asm"))
    return std::nullopt;
  // template : outputs : inputs : clobbers
  std::string code;
  std::vector<std::pair<std::string, std::vector<std::string>>> operand_list; // symbolic name, expression tokens
  size_t outputs = 0;
  int section = 0, depth = 0;
  std::string symbolic;
  for (size_t i = 1; i < t.size(); ++i) {
    const std::string& s = t[i];
    if (s == "(" && depth++ == 0)
      continue;
    if (s == ")" && --depth == 0)
      break;
    if (depth == 0)
      continue; // volatile
    if (depth == 1 && (s == ":" || s == "::")) {
      section += static_cast<int>(s.size());
      continue;
    }
    if (section == 0) {
      code += unquote(s);
    } else if (section < 3) {
      if (s == "[" && depth == 1 && i + 1 < t.size()) {
        symbolic = t[i + 1];
        i += 2;
      } else if (depth == 1 && s[0] == '"') {
        operand_list.push_back({symbolic, {}});
        symbolic.clear();
        outputs += section == 1;
      } else if (!operand_list.empty() && !(depth == 1 && s == ",")) {
        if (!(s == "(" && depth == 2))
          operand_list.back().second.push_back(s);
      }
    }
  }
  if (operand_list.empty())
    return Value::nothing();
  auto variable_named = [&](const std::string& name) {
    CellId best = k_no_cell;
    for (const auto& [decl, c] : variables_)
      if (c > best && spelling(decl) == name)
        best = c;
    return best;
  };
  std::map<std::string, NodeId> registers;
  std::vector<CellId> places;
  bool understood = true;
  for (size_t i = 0; i < operand_list.size(); ++i) {
    const auto& [name, expr] = operand_list[i];
    CellId c = k_no_cell;
    for (const std::string& s : expr)
      if (std::isalpha(static_cast<unsigned char>(s[0])) || s[0] == '_')
        if (CellId v = variable_named(s); v != k_no_cell)
          c = v;
    places.push_back(c);
    if (c == k_no_cell) {
      understood = false;
      continue;
    }
    Value v = read(c);
    if (v.kind == Value::Kind::pointer && i >= outputs)
      v = read(target(v, TypeInfo{}));
    NodeId n = v.is_number() ? v.node : as_number(v);
    registers["%" + std::to_string(i)] = n;
    if (!name.empty())
      registers["%[" + name + "]"] = n;
  }
  std::string unknown_op;
  if (understood)
    for (const std::string& line : split(code, ";\n")) {
      if (line[0] == '.')
        continue; // .reg declarations
      size_t space = line.find_first_of(" \t");
      std::string op = line.substr(0, space);
      std::vector<std::string> regs = split(space == std::string::npos ? "" : line.substr(space), ",");
      const Instruction* known = nullptr;
      for (const Instruction& in : k_instructions)
        if (op.rfind(in.prefix, 0) == 0)
          known = &in;
      bool move = op.rfind("mov", 0) == 0 || op.rfind("cvt", 0) == 0 || op.rfind("fmv", 0) == 0;
      auto value = [&](const std::string& r) -> NodeId {
        auto it = registers.find(r);
        if (it != registers.end())
          return it->second;
        if (std::optional<Constant> c = parse_literal(r))
          return number(c->value, Type::f32);
        if (r.rfind("0f", 0) == 0 && r.size() == 10) { // PTX: bits of a float
          uint32_t raw = static_cast<uint32_t>(std::strtoul(r.c_str() + 2, nullptr, 16));
          float f;
          static_assert(sizeof f == sizeof raw);
          std::copy_n(reinterpret_cast<const char*>(&raw), sizeof raw, reinterpret_cast<char*>(&f));
          return number(static_cast<double>(f), Type::f32);
        }
        return k_no_node;
      };
      if ((!known && !move) || regs.empty() || static_cast<int>(regs.size()) != (known ? known->operands : 1) + 1) {
        unknown_op = op;
        break;
      }
      std::vector<NodeId> in;
      for (size_t i = 1; i < regs.size(); ++i)
        in.push_back(value(regs[i]));
      if (std::find(in.begin(), in.end(), k_no_node) != in.end()) {
        unknown_op = op;
        break;
      }
      Type type = op.find(".f16") != std::string::npos    ? Type::f16
                  : op.find(".bf16") != std::string::npos ? Type::bf16
                                                          : Type::f32;
      NodeId out = move ? in[0] : in.size() == 1 ? dag_.make(known->op, type, in[0])
                   : in.size() == 2              ? dag_.make(known->op, type, in[0], in[1])
                                                 : dag_.make(known->op, type, in[0], in[1], in[2]);
      registers[regs[0]] = out;
      for (size_t i = 0; i < operand_list.size(); ++i)
        if (!operand_list[i].first.empty() && regs[0] == "%[" + operand_list[i].first + "]")
          registers["%" + std::to_string(i)] = out;
    }
  std::vector<Value> in;
  for (size_t i = outputs; i < places.size(); ++i)
    if (places[i] != k_no_cell)
      in.push_back(Value::number(registers["%" + std::to_string(i)]));
  for (size_t i = 0; i < outputs && i < places.size(); ++i) {
    if (places[i] == k_no_cell)
      continue;
    CellId c = places[i];
    Value old = read(c);
    if (old.kind == Value::Kind::pointer)
      c = target(old, TypeInfo{});
    Type want = cell(c).type.known ? cell(c).type.type : Type::f32;
    if (understood && unknown_op.empty()) {
      // Halves travel through integer registers as bits, which here are the value.
      NodeId n = registers["%" + std::to_string(i)];
      write(c, Value::number(is_integer(want) ? n : convert(n, want)));
    } else {
      havoc(c, unknown_op.empty() ? "inline assembly" : "the instruction " + unknown_op, in);
    }
  }
  return Value::nothing();
}

} // namespace gelint::scan::lower
