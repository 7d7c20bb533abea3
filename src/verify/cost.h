#pragma once
// What the switch to the required formula costs: both formulas timed in one process, interleaved, with a null arm.
//
// Three arms: implemented, required, and implemented again (the null arm). Each run times all three, in an order that
// goes through their six permutations, so that no arm always follows the same one. A run gives one paired difference,
// required − implemented, and one null difference. The median difference is called none when it lies within the range of
// the null differences: the measurement moves that much by itself.
//
// An arm is one fused elementwise kernel over the row's tensor: what the code would pay if nothing else changed. Tensor
// libraries that run an op-by-op class as several kernels pay more.

#include "verify/judge.h"

namespace gelint::verify {

struct Shape {
  uint64_t rows = 0, columns = 0;
  std::string origin; ///< where it comes from, or that it is unknown; empty for one that was given
  uint64_t elements() const { return rows * columns; }
};

/// "4096x11008".
Result<Shape> parse_shape(const std::string& text);

/// 4096 tokens by the width at the activation, from the config.json of a checkpoint (directory or file) at the level of
/// `config_path`: "vision_config.hidden_act" reads vision_config.intermediate_size. 4096 x 4096 when it is not there.
Shape shape_of(const std::string& checkpoint, const std::string& config_path);

/// Where arms run.
class Stopwatch {
public:
  virtual ~Stopwatch() = default;
  virtual std::string_view backend() const = 0;
  virtual uint64_t most_elements() const = 0; ///< of a tensor
  /// Makes an arm ready over `elements` normal values of the type, the same for every arm; its number.
  virtual Result<int> prepare(const Candidate& c, formula::Type type, uint64_t elements) = 0;
  /// Milliseconds of one pass.
  virtual Result<double> run(int arm) = 0;
};

/// The expression as it is evaluated here, by interpretation: it shows the method, not what compiled code costs.
std::unique_ptr<Stopwatch> make_cpu_stopwatch();
Result<std::unique_ptr<Stopwatch>> make_cuda_stopwatch();

/// `runs` is raised to a multiple of six.
Result<report::CostRow> cost_of(Stopwatch& watch, const RowSpec& row, formula::Type type, const Shape& shape, int runs);

/// Normal values of the type, a period of 2^18 repeated.
std::vector<float> cost_inputs(formula::Type type, uint64_t elements);

} // namespace gelint::verify
