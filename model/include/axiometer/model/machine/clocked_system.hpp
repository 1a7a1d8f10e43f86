// Zynq UltraScale+: masters behind AFI interfaces, the controller's ports, the controller,
// stepped one controller clock at a time. `Measurement` selects the measured part of a free run,
// and when it ends.
#pragma once

#include <vector>

#include "axiometer/model/simulator.hpp"

namespace axm::clocked {

class System final : public Simulator {
public:
  // Throws std::invalid_argument that names the value and its range.
  explicit System(const SystemConfig &c);
  RepeatResult run(const RepeatStart &start, const RunOptions &options) override;

private:
  SystemConfig config_;
};

} // namespace axm::clocked
