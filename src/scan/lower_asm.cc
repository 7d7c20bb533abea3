// Inline assembly: straight-line code whose instructions are in the rules. The template is read from the tokens, because
// the C API does not show it before LLVM 21; the operands are the children of the statement.

#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

namespace {

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
  std::vector<CXCursor> kids = children(e);
  if (kids.size() != operand_list.size())
    kids.clear();
  std::map<std::string, NodeId> registers;
  std::vector<CellId> places;
  std::vector<NodeId> given; // of inputs
  bool understood = true;
  for (size_t i = 0; i < operand_list.size(); ++i) {
    const auto& [name, expr] = operand_list[i];
    CellId c = k_no_cell;
    NodeId n = k_no_node;
    CXTypeKind shape = kids.empty() ? CXType_Invalid : clang_getCanonicalType(clang_getCursorType(kids[i])).kind;
    // An array stands for the memory that a vector is loaded from or stored to.
    if (!kids.empty() && (i < outputs || shape == CXType_ConstantArray)) {
      c = lvalue(kids[i]);
    } else if (!kids.empty()) {
      Value v = eval(kids[i]);
      if (v.kind == Value::Kind::pointer)
        v = read(target(v, TypeInfo{}));
      n = v.is_number() ? v.node : as_number(v);
    } else {
      for (const std::string& s : expr)
        if (std::isalpha(static_cast<unsigned char>(s[0])) || s[0] == '_')
          if (CellId v = variable_named(s); v != k_no_cell)
            c = v;
    }
    places.push_back(c);
    if (c == k_no_cell && n == k_no_node) {
      understood = false;
      given.push_back(k_no_node);
      continue;
    }
    if (n == k_no_node) {
      Value v = read(c);
      if (v.kind == Value::Kind::pointer && i >= outputs)
        v = read(target(v, TypeInfo{}));
      n = v.is_number() ? v.node : as_number(v);
    }
    given.push_back(n);
    registers["%" + std::to_string(i)] = n;
    if (!name.empty())
      registers["%[" + name + "]"] = n;
  }
  const OpModels& models = embedded_op_models();
  std::string unknown_op;
  if (understood)
    for (const std::string& line : split(code, ";\n")) {
      if (line[0] == '.')
        continue; // .reg declarations
      size_t space = line.find_first_of(" \t");
      std::string op = line.substr(0, space);
      std::vector<std::string> regs = split(space == std::string::npos ? "" : line.substr(space), ",");
      const AsmInstruction* known = models.instruction(op);
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
      if (!known && regs.size() > 1 && regs[0].size() == 2 && regs[0][0] == 'm' && std::isdigit(regs[0][1]))
        asm_masked_ = op.rfind("mov", 0) != 0; // a lane mask; moves set it to a constant or restore it
      if (!known || asm_masked_ || static_cast<int>(regs.size()) != known->operands + 1) {
        unknown_op = op;
        break;
      }
      std::string destination = known->store ? regs.back() : regs.front();
      std::vector<NodeId> in;
      for (size_t i = known->store ? 0 : 1; in.size() < static_cast<size_t>(known->operands); ++i)
        in.push_back(value(regs[i]));
      if (std::find(in.begin(), in.end(), k_no_node) != in.end() || (known->store && !registers.count(destination))) {
        unknown_op = op;
        break;
      }
      Type type = op.find(".f16") != std::string::npos    ? Type::f16
                  : op.find(".bf16") != std::string::npos ? Type::bf16
                  : op.find(".f64") != std::string::npos  ? Type::f64
                                                          : Type::f32;
      NodeId out = apply_term(known->term, in, type);
      registers[destination] = out;
      for (size_t i = 0; i < operand_list.size(); ++i)
        if (!operand_list[i].first.empty() && destination == "%[" + operand_list[i].first + "]")
          registers["%" + std::to_string(i)] = out;
    }
  std::vector<Value> in;
  for (size_t i = outputs; i < given.size(); ++i)
    if (given[i] != k_no_node)
      in.push_back(Value::number(given[i]));
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
