#include "scan/site.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace gelint::scan {

std::string_view to_string(SiteKind k) {
  switch (k) {
  case SiteKind::definition: return "definition";
  case SiteKind::call: return "call";
  case SiteKind::selector: return "selector";
  case SiteKind::table_entry: return "table_entry";
  case SiteKind::dispatch: return "dispatch";
  case SiteKind::epilogue: return "epilogue";
  case SiteKind::registration: return "registration";
  case SiteKind::config_read: return "config_read";
  }
  return "";
}

std::string_view to_string(KnownBy k) {
  switch (k) {
  case KnownBy::evaluated: return "evaluated";
  case KnownBy::rule: return "rule";
  case KnownBy::name: return "name";
  case KnownBy::none: return "none";
  }
  return "";
}

std::string_view to_string(Tier t) {
  switch (t) {
  case Tier::ast: return "ast";
  case Tier::stub: return "stub";
  case Tier::lexical: return "lexical";
  }
  return "";
}

std::string_view to_string(Backend b) {
  switch (b) {
  case Backend::cpu: return "cpu";
  case Backend::cuda: return "cuda";
  case Backend::metal: return "metal";
  case Backend::vulkan: return "vulkan";
  case Backend::opencl: return "opencl";
  case Backend::sycl: return "sycl";
  case Backend::hip: return "hip";
  case Backend::webgpu: return "webgpu";
  case Backend::graph: return "graph";
  case Backend::unknown: return "unknown";
  }
  return "";
}

std::string site_id(const Site& s, int ordinal) {
  std::string text = s.place.path + '\n' + s.enclosing + '\n' + std::string(to_string(s.kind)) + '\n' + s.symbol;
  return fmt::format("{:016x}", XXH3_64bits_withSeed(text.data(), text.size(), static_cast<XXH64_hash_t>(ordinal)));
}

} // namespace gelint::scan
