// Zynq UltraScale+: masters behind AFI interfaces, the controller's ports, the controller,
// stepped one controller clock at a time. A free run is measured from `settle` on, and ends
// when the confidence interval of its rate is narrow enough, or at `stop`.
#pragma once

#include <vector>

#include "axiometer/model/simulator.hpp"

namespace axm::usp {

class System final : public Simulator {
public:
  // Throws std::invalid_argument that names the value and its range.
  explicit System(const SystemConfig &c);
  RepeatResult run(const RepeatStart &start, const RunOptions &options) override;

private:
  SystemConfig config_;
};

} // namespace axm::usp
