#include "decide/rules/at_site.h"

#include <tuple>

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl206;
const Rule k_gl206{
    "GL206",
    "port-diverges",
    Level::note,
    "Another implementation of the model runs another formula than Hugging Face does.",
    R"(## What it finds

A port (mlx-lm, mlx-vlm, …) that runs another formula for the slot than the reference, and that the row does not list as known.

## Why it matters

Who compares an engine with that port sees differences that are the port's, and who copies the port copies the fault.

## Example

mlx-lm runs the erf form for StarCoder2, whose class default is `gelu_pytorch_tanh`.

## How to mend

Nothing in the engine: Hugging Face wins over a port. Record it with `ports` in the row, and report it to the port.

## How to waive

A `waivers` entry of the inventory with `rule: GL206` and a reason.

## Sources

The tables under hf_defaults/ports, made from the ports' sources.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.rows)
    return;
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const Row& r : *context.rows)
    for (const PortDivergence& p : r.ports) {
      if (p.expected || !seen.insert({p.port, r.model_type, r.slot.slot}).second)
        continue;
      std::string where = p.file.empty() ? ""
                          : p.line > 0   ? fmt::format(" ({}:{})", p.file, p.line)
                                         : " (" + p.file + ")";
      Finding f = make_finding(
          k_gl206, fmt::format("{} runs {} for {} of {}{}, Hugging Face {}; record it in the row",
                               p.port, to_string(p.formula), r.slot.slot, r.model_type, where,
                               to_string(r.required)));
      f.path = r.has_site ? r.site.place.path : "";
      f.line = r.has_site ? r.site.place.line : 0;
      f.config_path = r.slot.config_path;
      f.row = r.id;
      f.anchor = p.port + '|' + r.model_type + '|' + r.slot.slot;
      findings.push_back(std::move(f));
    }
}

} // namespace
} // namespace gelint::decide
