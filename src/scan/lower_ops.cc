#include "scan/lower_ops.h"

#include "support/embed.h"
#include "support/yaml_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace gelint::scan::lower {

using formula::Op;

namespace {

class TermParser {
public:
  explicit TermParser(std::string_view text) : text_(text) {}

  Result<OpTerm> parse() {
    OpTerm t;
    if (!term(t, 0))
      return fault();
    skip();
    if (pos_ != text_.size()) {
      message_ = "unexpected text";
      return fault();
    }
    return t;
  }

private:
  Error fault() const {
    Error e;
    e.message = fmt::format("{} at column {} of \"{}\"", message_, pos_ + 1, text_);
    return e;
  }
  void skip() {
    while (pos_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[pos_])))
      ++pos_;
  }
  bool fail(const char* m) {
    message_ = m;
    return false;
  }

  bool term(OpTerm& t, int depth) {
    if (depth > 32)
      return fail("nested too deeply");
    skip();
    if (pos_ >= text_.size())
      return fail("an operand is missing");
    char c = text_[pos_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.') {
      std::string number(text_.substr(pos_));
      char* end = nullptr;
      t.number = std::strtod(number.c_str(), &end);
      if (end == number.c_str())
        return fail("a number is malformed");
      pos_ += static_cast<size_t>(end - number.c_str());
      t.kind = OpTerm::Kind::number;
      return true;
    }
    size_t start = pos_;
    while (pos_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[pos_])) || text_[pos_] == '_'))
      ++pos_;
    std::string_view word = text_.substr(start, pos_ - start);
    if (word.empty())
      return fail("an operand is missing");
    skip();
    if (pos_ >= text_.size() || text_[pos_] != '(') {
      if (word.size() != 1 || word[0] < 'a' || word[0] > 'j')
        return fail("arguments are the letters a to j");
      t.kind = OpTerm::Kind::argument;
      t.argument = word[0] - 'a';
      return true;
    }
    ++pos_;
    for (;;) {
      t.args.emplace_back();
      if (!term(t.args.back(), depth + 1))
        return false;
      skip();
      if (pos_ < text_.size() && text_[pos_] == ',') {
        ++pos_;
        continue;
      }
      if (pos_ < text_.size() && text_[pos_] == ')') {
        ++pos_;
        break;
      }
      return fail("a closing parenthesis is missing");
    }
    return resolve(word, t);
  }

  bool resolve(std::string_view word, OpTerm& t) {
    static const std::pair<std::string_view, formula::Type> casts[] = {
        {"to_f64", formula::Type::f64}, {"to_f32", formula::Type::f32},
        {"to_f16", formula::Type::f16}, {"to_bf16", formula::Type::bf16},
        {"to_i32", formula::Type::i32}, {"to_u32", formula::Type::u32}};
    for (auto [name, type] : casts)
      if (word == name) {
        t.kind = OpTerm::Kind::cast;
        t.type = type;
        return t.args.size() == 1 || fail("a cast takes one operand");
      }
    if (auto op = formula::op_from_string(word)) {
      t.kind = OpTerm::Kind::operation;
      t.op = *op;
      return static_cast<int>(t.args.size()) == formula::arity(*op) ||
             fail("wrong number of operands");
    }
    if (auto f = formula::formula_from_string(word)) {
      t.kind = OpTerm::Kind::formula;
      t.formula = *f;
      return t.args.size() == 1 || fail("a formula takes one operand");
    }
    return fail("no such operation");
  }

  std::string_view text_;
  size_t pos_ = 0;
  std::string message_;
};

bool has_formula(const OpTerm& t) {
  if (t.kind == OpTerm::Kind::formula)
    return true;
  for (const OpTerm& a : t.args)
    if (has_formula(a))
      return true;
  return false;
}

std::optional<formula::Type> type_by_name(const std::string& name) {
  using formula::Type;
  for (Type t : {Type::f64, Type::f32, Type::f16, Type::bf16, Type::i64, Type::i32, Type::u32,
                 Type::boolean})
    if (formula::to_string(t) == name)
      return t;
  return std::nullopt;
}

/// One entry of the list; throws YAML::Exception on a wrong shape, caught by the caller.
Status read_model(const YAML::Node& n, OpModel& m) {
  if (n["is"]) {
    Result<OpTerm> t = parse_op_term(n["is"].as<std::string>());
    if (!t)
      return t.error();
    m.term = *t;
    m.by_rule = has_formula(*t);
  }
  if (n["type"]) {
    m.type = type_by_name(n["type"].as<std::string>());
    if (!m.type)
      return Error{"unknown type \"" + n["type"].as<std::string>() + "\"", "", 0, 0, ""};
  }
  for (const YAML::Node& c : n["cases"]) {
    OpCase one;
    one.argument = c["arg"].as<int>();
    one.equals = c["equals"].as<std::string>("");
    one.contains = c["contains"].as<std::string>("");
    Result<OpTerm> t = parse_op_term(c["is"].as<std::string>());
    if (!t)
      return t.error();
    one.term = *t;
    m.by_rule = m.by_rule || has_formula(*t);
    m.cases.push_back(std::move(one));
  }
  m.store = n["store"].as<int>(-1);
  m.arity = n["arity"].as<int>(-1);
  m.arrays = n["arrays"].as<bool>(false);
  m.view = n["view"].as<bool>(false);
  m.methods = n["methods"].as<bool>(false);
  m.wins = n["wins"].as<bool>(false);
  m.consecutive = n["consecutive"].as<bool>(false);
  m.untyped = n["untyped"].as<bool>(false);
  m.same = n["same"].as<bool>(false);
  m.steady = n["steady"].as<std::vector<int>>(std::vector<int>{});
  m.scalar = n["scalar"].as<std::vector<int>>(std::vector<int>{});
  if (const YAML::Node& cb = n["callback"]) {
    m.callback_function = cb["function"].as<int>();
    m.callback_store = cb["store"].as<int>(-1);
    m.callback_arguments = cb["arguments"].as<std::vector<int>>(std::vector<int>{});
  }
  if (!m.term && m.cases.empty() && m.callback_function < 0)
    return Error{"an operation needs \"is\", \"cases\" or \"callback\"", "", 0, 0, ""};
  return {};
}

int operands_of(const OpTerm& t) {
  int most = t.kind == OpTerm::Kind::argument ? t.argument + 1 : 0;
  for (const OpTerm& a : t.args)
    most = std::max(most, operands_of(a));
  return most;
}

Status read_instruction(const YAML::Node& n, std::vector<AsmInstruction>& out) {
  Result<OpTerm> t = parse_op_term(n["is"].as<std::string>());
  if (!t)
    return t.error();
  for (const YAML::Node& name : n["names"])
    for (std::string one : expand_braces(name.as<std::string>())) {
      AsmInstruction in;
      in.prefix = one.ends_with('*');
      if (in.prefix)
        one.pop_back();
      in.name = one;
      in.move = n["move"].as<bool>(false);
      in.store = n["store"].as<bool>(false);
      in.operands = operands_of(*t);
      in.term = *t;
      out.push_back(std::move(in));
    }
  return {};
}

/// ".approx.ftz.f32": neither saturation nor rounding to an integer among them, and a floating type unless bits move.
bool harmless_suffix(std::string_view rest, bool move) {
  static constexpr std::string_view modifiers[] = {"approx", "full", "rn", "rz", "rm", "rp", "ftz"};
  static constexpr std::string_view floats[] = {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"};
  static constexpr std::string_view bits[] = {"b16", "b32", "u16", "u32", "s16", "s32"};
  bool typed = false;
  while (!rest.empty()) {
    if (rest[0] == '.')
      rest.remove_prefix(1);
    std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(part.size());
    bool is_type = std::find(std::begin(floats), std::end(floats), part) != std::end(floats) ||
                   (move && std::find(std::begin(bits), std::end(bits), part) != std::end(bits));
    typed = typed || is_type;
    if (!is_type && std::find(std::begin(modifiers), std::end(modifiers), part) == std::end(modifiers))
      return false;
  }
  return typed;
}

} // namespace

const AsmInstruction* OpModels::instruction(std::string_view mnemonic) const {
  const AsmInstruction* best = nullptr;
  for (const AsmInstruction& in : instructions_) {
    bool fits = in.prefix ? mnemonic.starts_with(in.name) && harmless_suffix(mnemonic.substr(in.name.size()), in.move)
                          : mnemonic == in.name;
    if (fits && (!best || in.name.size() >= best->name.size()))
      best = &in;
  }
  return best;
}

Result<OpTerm> parse_op_term(std::string_view text) { return TermParser(text).parse(); }

std::vector<std::string> expand_braces(const std::string& pattern) {
  size_t open = pattern.find('{');
  size_t close = open == std::string::npos ? open : pattern.find('}', open);
  if (close == std::string::npos)
    return {pattern};
  std::vector<std::string> out;
  std::vector<std::string> tails = expand_braces(pattern.substr(close + 1));
  std::string head = pattern.substr(0, open);
  std::string inner = pattern.substr(open + 1, close - open - 1);
  for (size_t start = 0; start <= inner.size();) {
    size_t comma = std::min(inner.find(',', start), inner.size());
    for (const std::string& tail : tails)
      out.push_back(head + inner.substr(start, comma - start) + tail);
    start = comma + 1;
  }
  return out;
}

Status OpModels::add_yaml(std::string_view text, const std::string& file) {
  try {
    YAML::Node doc = YAML::Load(std::string(text));
    if (!doc.IsMap()) // ApiRules reads the same files and says so
      return {};
    for (const YAML::Node& n : doc["instructions"])
      if (Status s = read_instruction(n, instructions_); !s) {
        Error e = s.error();
        e.file = file;
        e.line = n.Mark().line + 1;
        return e;
      }
    if (!doc["operations"])
      return {};
    for (const YAML::Node& n : doc["operations"]) {
      auto model = std::make_unique<OpModel>();
      Status s = read_model(n, *model);
      if (!s) {
        Error e = s.error();
        e.file = file;
        e.line = n.Mark().line + 1;
        return e;
      }
      for (const YAML::Node& name : n["names"])
        for (const std::string& one : expand_braces(name.as<std::string>())) {
          if (one.starts_with('*')) {
            by_tail_.emplace_back(one.substr(1), model.get());
            continue;
          }
          size_t colon = one.rfind("::");
          std::string last = colon == std::string::npos ? one : one.substr(colon + 2);
          by_last_name_.emplace(last, std::pair{one, model.get()});
        }
      models_.push_back(std::move(model));
    }
  } catch (const YAML::Exception& e) {
    return yaml_error(file, e);
  }
  return {};
}

OpModels::Match OpModels::find(std::string_view qualified, int arguments, bool method) const {
  size_t colon = qualified.rfind("::");
  std::string_view last = colon == std::string_view::npos ? qualified : qualified.substr(colon + 2);
  Match best;
  size_t best_length = 0;
  auto [first, end] = by_last_name_.equal_range(last);
  for (auto it = first; it != end; ++it) {
    const auto& [name, model] = it->second;
    if (model->arity >= 0 && model->arity != arguments)
      continue;
    bool plain = name.find("::") == std::string::npos;
    if (method && !model->methods)
      continue;
    if (!plain && !method) {
      if (qualified.size() < name.size() ||
          qualified.substr(qualified.size() - name.size()) != name)
        continue;
      size_t before = qualified.size() - name.size();
      if (before > 0 && qualified[before - 1] != ':')
        continue;
    }
    // The longer tail and, among equals, the later file win.
    if (!best.model || name.size() >= best_length) {
      best = {model, (!plain && !method) || model->wins};
      best_length = name.size();
    }
  }
  if (!best.model && !method)
    for (const auto& [tail, model] : by_tail_)
      if (last.ends_with(tail) && (model->arity < 0 || model->arity == arguments))
        return {model, model->wins};
  return best;
}

const OpModels& embedded_op_models() {
  static const OpModels models = [] {
    OpModels m;
    for (const EmbeddedFile& f : embedded_files("rules/")) {
      // The embedded files are tested; a fault in one must not hide the others.
      (void)m.add_yaml(f.data, std::string(f.path));
    }
    return m;
  }();
  return models;
}

} // namespace gelint::scan::lower
