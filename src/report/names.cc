#include "report/fields.h"

namespace gelint::report {

std::string_view to_string(Command c) {
  switch (c) {
  case Command::lint: return "lint";
  case Command::scan: return "scan";
  case Command::audit: return "audit";
  case Command::verify: return "verify";
  case Command::defaults: return "defaults";
  }
  return "";
}

std::string_view hazard_rule(formula::HazardKind k) {
  switch (k) {
  case formula::HazardKind::pow_negative_base: return "GL401";
  case formula::HazardKind::exp_overflow: return "GL402";
  case formula::HazardKind::cube_overflows_f16: return "GL403";
  case formula::HazardKind::f16_table: return "GL404";
  case formula::HazardKind::approximate: return "GL405";
  }
  return "";
}

std::string_view enum_name(scan::FallbackKind k) {
  switch (k) {
  case scan::FallbackKind::none_found: return "none_found";
  case scan::FallbackKind::silent: return "silent";
  case scan::FallbackKind::error: return "error";
  }
  return "";
}

} // namespace gelint::report
