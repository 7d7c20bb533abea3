#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl111;
const Rule k_gl111{
    "GL111",
    "unreadable-file",
    Level::error,
    "A file cannot be read or is not valid.",
    R"(## What it finds

A path that does not exist, a broken symbolic link, a directory without a config, an empty file, invalid JSON (with
line and column), a GGUF or safetensors header that claims more than the file holds.

## Why it matters

A model that is left out in silence looks like a model without faults.

## Example

A config.json cut short by an interrupted download.

## How to mend

Download or convert the file again; the message names the place.

## How to waive

`--ignore GL111`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

RFC 8259; the GGUF and safetensors format descriptions.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl111, context, findings);
}

} // namespace
} // namespace gelint::decide
