#include "hf/slot.h"

namespace gelint::hf {

std::string_view to_string(SlotSource s) {
  switch (s) {
  case SlotSource::declared: return "declared";
  case SlotSource::class_default: return "default";
  case SlotSource::hard_coded: return "hard_coded";
  case SlotSource::derived: return "derived";
  case SlotSource::parent_override: return "parent_override";
  case SlotSource::unresolved: return "unresolved";
  case SlotSource::absent: return "absent";
  }
  return "";
}

std::string_view to_string(SlotVerdict v) {
  switch (v) {
  case SlotVerdict::ok: return "ok";
  case SlotVerdict::conflict: return "conflict";
  case SlotVerdict::unresolved: return "unresolved";
  case SlotVerdict::absent: return "absent";
  case SlotVerdict::error: return "error";
  }
  return "";
}

} // namespace gelint::hf
