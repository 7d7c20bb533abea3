#include "report/writer.h"

namespace gelint::report {

#define GELINT_WRITER(name) extern const Writer name;
#include "report/writers.def"
#undef GELINT_WRITER

namespace {
const Writer k_writers[] = {
#define GELINT_WRITER(name) name,
#include "report/writers.def"
#undef GELINT_WRITER
};
} // namespace

std::span<const Writer> writers() { return k_writers; }

const Writer* find_writer(std::string_view format) {
  for (const Writer& w : k_writers)
    if (w.format == format)
      return &w;
  return nullptr;
}

} // namespace gelint::report
