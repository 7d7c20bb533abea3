#pragma once
// The passes that outline() is made of.

#include "scan/outline.h"

namespace gelint::scan {

/// Tokens [begin, end) hold the labels of an arm.
struct LabelRange {
  size_t arm = 0, begin = 0, end = 0;
};

void find_scopes(const LexedFile& f, Outline& o);
std::vector<LabelRange> find_arms(const LexedFile& f, Outline& o);

} // namespace gelint::scan
