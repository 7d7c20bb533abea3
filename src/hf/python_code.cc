#include "hf/python_code.h"

#include "hf/python_lines.h"
#include "hf/unresolved.h"
#include "support/files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace gelint::hf {
namespace {

using formula::Formula;

constexpr size_t k_max_python = 8u << 20;

/// What an expression of the source evaluates: a formula, or a key of the config.
struct Use {
  Formula formula = Formula::unknown;
  std::string key;  ///< "hidden_act", "vision_config.hidden_act"
  std::string name; ///< literal ACT2FN["silu"]
  std::string written;
};

struct Found {
  Use use;
  std::string file, class_name;
  int line = 0;
};

struct Default {
  std::string class_name, key, value, file;
  int line = 0;
};

struct Call {
  std::string_view text;
  Formula formula;
};
// Constructors and functions of torch and of transformers.activations.
constexpr Call k_calls[] = {
    {"PytorchGELUTanh(", Formula::gelu_tanh},    {"GELUTanh(", Formula::gelu_tanh},
    {"NewGELUActivation(", Formula::gelu_tanh},  {"FastGELUActivation(", Formula::gelu_tanh},
    {"QuickGELUActivation(", Formula::gelu_quick}, {"GELUActivation(", Formula::gelu_erf},
    {"nn.SiLU(", Formula::silu},                 {"F.silu(", Formula::silu},
    {"functional.silu(", Formula::silu},         {"nn.ReLU(", Formula::relu},
    {"F.relu(", Formula::relu},                  {"functional.relu(", Formula::relu}};
constexpr std::string_view k_gelu_calls[] = {"nn.GELU(", "F.gelu(", "functional.gelu(", "partial(nn.GELU,"};

bool contains(std::string_view s, std::string_view part) { return s.find(part) != std::string_view::npos; }

bool starts_word(std::string_view code, size_t at) {
  if (at == 0)
    return true;
  char c = code[at - 1];
  return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
}

/// `config.a.b`, `self.config.a.b` → "a.b"; empty for other expressions.
std::string config_key(std::string_view e) {
  e = trimmed(e);
  for (std::string_view prefix : {"self.config.", "config.", "cfg."})
    if (e.starts_with(prefix)) {
      e.remove_prefix(prefix.size());
      for (char c : e)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'))
          return {};
      return std::string(e);
    }
  return {};
}

bool find_use(std::string_view code, Use& use) {
  for (std::string_view table : {"ACT2FN[", "get_activation("}) {
    size_t at = code.find(table);
    if (at == std::string_view::npos || !starts_word(code, at))
      continue;
    std::string_view inner = bracketed(code, at + table.size() - 1);
    use.written = std::string(table) + std::string(inner.substr(0, 60)) + (table.back() == '[' ? "]" : ")");
    use.key = config_key(inner);
    use.name = unquoted(inner);
    return !use.key.empty() || !use.name.empty();
  }
  for (std::string_view call : k_gelu_calls) {
    size_t at = code.find(call);
    if (at == std::string_view::npos || !starts_word(code, at))
      continue;
    std::string_view arguments = bracketed(code, code.find('(', at));
    const bool tanh = contains(arguments, "tanh");
    use.formula = tanh ? Formula::gelu_tanh : Formula::gelu_erf;
    use.written = std::string(call.substr(0, call.size() - 1)) + (tanh ? "(approximate=\"tanh\")" : "()");
    return true;
  }
  for (const Call& c : k_calls) {
    size_t at = code.find(c.text);
    if (at == std::string_view::npos || !starts_word(code, at))
      continue;
    use.formula = c.formula;
    use.written = std::string(c.text) + ")";
    return true;
  }
  if (contains(code, "sigmoid(1.702")) {
    use.formula = Formula::gelu_quick;
    use.written = "x * sigmoid(1.702 * x)";
    return true;
  }
  return false;
}

std::string component_for(std::string_view class_name, std::string_view file) {
  auto any = [](std::string_view s, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view p) { return contains(s, p); });
  };
  if (any(class_name, {"Projector", "Aligner", "Connector", "Merger", "Resampler"}))
    return "projector";
  if (any(class_name, {"Vision", "Visual", "ViT", "Vit", "Siglip", "SigLip", "CLIP", "Image"}) ||
      any(file, {"vision", "vit", "siglip", "clip", "visual"}))
    return "vision";
  if (any(class_name, {"Audio", "Whisper", "Speech", "Conformer"}) || any(file, {"audio", "whisper", "speech"}))
    return "audio";
  return "text";
}

/// CamelCase → camel_case, without a model prefix that ends in a known part.
std::string local_name(const std::string& class_name) {
  for (std::string_view part : {"MLP", "Mlp", "FeedForward", "FFN"})
    if (class_name.ends_with(part))
      return "mlp";
  std::string out;
  for (size_t i = 0; i < class_name.size(); ++i) {
    char c = class_name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && i > 0 && !(class_name[i - 1] >= 'A' && class_name[i - 1] <= 'Z'))
      out += '_';
    out += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out.empty() ? "module" : out;
}

void scan_defaults(const std::vector<PythonLine>& lines, const std::string& file, std::vector<Default>& out) {
  for (const PythonLine& l : lines) {
    for (size_t at = l.code.find('='); at != std::string::npos; at = l.code.find('=', at + 1)) {
      std::string_view left = trimmed(std::string_view(l.code).substr(0, at));
      if (size_t colon = left.rfind(':'); colon != std::string_view::npos && left.find('(', colon) == std::string_view::npos &&
                                          left.find(',', colon) == std::string_view::npos)
        left = trimmed(left.substr(0, colon));
      size_t begin = left.size();
      while (begin > 0 && (std::isalnum(static_cast<unsigned char>(left[begin - 1])) || left[begin - 1] == '_'))
        --begin;
      std::string_view key = left.substr(begin);
      std::string_view right = trimmed(std::string_view(l.code).substr(at + 1));
      if (key.empty() || right.empty() || (right[0] != '"' && right[0] != '\''))
        continue;
      size_t close = right.find(right[0], 1);
      if (close != std::string_view::npos && looks_like_activation_key(key))
        out.push_back({l.class_name, std::string(key), std::string(right.substr(1, close - 1)), file, l.number});
    }
  }
}

/// Where the component's config lies in the file.
std::string config_level(Value root, const std::string& component) {
  for (const char* suffix : {"_config", "_cfg"})
    if (root.find(component + suffix).is(Kind::object))
      return component + suffix;
  if (component == "text")
    for (const char* name : {"llm_config", "language_config"})
      if (root.find(name).is(Kind::object))
        return name;
  return {};
}

} // namespace

bool resolve_from_python(Resolver& r, Value root, const ClassRecord*) {
  std::vector<Found> found;
  std::vector<Default> defaults;
  for (const std::string& path : r.model.python_files) {
    const std::string file = std::filesystem::path(path).filename().string();
    if (file.starts_with("tokeniz") || file.starts_with("process") || file.starts_with("image_process") ||
        file.starts_with("convert"))
      continue;
    Result<std::string> text = read_file(path, k_max_python);
    if (!text) {
      r.issue("GL111", "the repository's code " + text.error().text(), {}, "auto_map");
      continue;
    }
    std::vector<PythonLine> lines = python_lines(*text);
    scan_defaults(lines, file, defaults);
    if (file.starts_with("configuration"))
      continue;
    for (const PythonLine& l : lines) {
      Use use;
      if (!l.class_name.empty() && !l.code.starts_with("class ") && find_use(l.code, use))
        found.push_back({std::move(use), file, l.class_name, l.number});
    }
  }
  if (found.empty())
    return false;
  std::erase_if(r.report.issues, [](const Issue& i) { return i.rule == "GL106"; });
  r.issue("GL106", "auto_map: the repository's code decides; its .py files here were read by simple patterns, one slot a "
          "use", root.find("auto_map"), "auto_map");
  r.report.issues.back().harmless = true;

  std::deque<ClassRecord> classes; // the views below point into it
  for (const Found& f : found) {
    const std::string component = component_for(f.class_name, f.file);
    SlotRecord record;
    record.name = record.local = component == "projector" ? component : local_name(f.class_name);
    if (component == "projector")
      record.component = component;
    record.written = f.use.written;
    record.class_name = f.class_name;
    record.file = f.file;
    record.line = f.line;
    record.read = f.use.key;
    record.formula = f.use.formula;
    if (!f.use.name.empty()) {
      const ActivationEntry* a = r.tables.activation(f.use.name, r.release);
      record.formula = a ? a->formula : Formula::unknown;
    }
    ClassRecord& cls = classes.emplace_back();
    cls.name = f.class_name;
    cls.remote = true;
    cls.package = "remote code in the repository";
    // The default of a config class of the same component, else of any.
    for (int pass = 0; pass < 2 && !f.use.key.empty() && cls.keys.empty(); ++pass)
      for (const Default& d : defaults)
        if (d.key == f.use.key && (pass == 1 || component_for(d.class_name, d.file) == component)) {
          KeyRecord key;
          key.name = d.key;
          key.value = {Literal::Kind::string, d.value, true};
          key.line = d.line;
          cls.file = d.file;
          cls.keys.push_back(std::move(key));
          break;
        }
    ConfigView& view = r.views.emplace_back();
    view.record = &cls;
    view.component = component == "projector" ? "" : component;
    view.path = config_level(root, component);
    view.node = view.path.empty() ? root : root.find(view.path);
    view.model_type = r.report.model_type;
    if (!view.path.empty() && !f.use.key.empty() && !view.node.at_path(f.use.key) && root.at_path(f.use.key)) {
      view.node = root;
      view.path.clear();
    }
    r.add_slot(view, record);
  }
  // One slot for each place of the model: equal answers of one name are one.
  std::vector<Slot> unique;
  for (Slot& s : r.report.slots) {
    bool same = std::any_of(unique.begin(), unique.end(), [&](const Slot& u) {
      return u.slot == s.slot && u.formula == s.formula && u.config_path == s.config_path;
    });
    if (!same)
      unique.push_back(std::move(s));
  }
  r.report.slots = std::move(unique);
  ConfigView whole;
  whole.node = root;
  r.report_unread(whole);
  for (Slot& s : r.report.slots)
    s.reader.version = "remote code in the repository";
  return true;
}

} // namespace gelint::hf
