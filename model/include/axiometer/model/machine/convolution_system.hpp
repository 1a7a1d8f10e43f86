// Zynq UltraScale+ with convolution accelerators at its ports instead of independent engines;
// measured as `System` measures.
#pragma once

#include "axiometer/model/simulator.hpp"

namespace axm::clocked {

class ConvolutionSystem final : public Simulator {
public:
  // Throws std::invalid_argument that names the value and its range.
  explicit ConvolutionSystem(const SystemConfig &c);
  RepeatResult run(const RepeatStart &start, const RunOptions &options) override;

private:
  SystemConfig config_;
};

} // namespace axm::clocked
