#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl110;
const Rule k_gl110{
    "GL110",
    "sub-config-is-a-string",
    Level::warning,
    "A tower is named by a string instead of described by a config.",
    R"(## What it finds

A sub-config, `mm_vision_tower`, `timm_model_name` or `hf_model_name` that names another repository or architecture.

## Why it matters

The activation is decided there. The default of a class must not be put in its place.

## Example

`"mm_vision_tower": "mobileclip_l_1024"`.

## How to mend

Check the named model, or write its config as an object.

## How to waive

`--ignore GL110`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://github.com/Blaizzy/mlx-vlm/pull/502.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl110, context, findings);
}

} // namespace
} // namespace gelint::decide
