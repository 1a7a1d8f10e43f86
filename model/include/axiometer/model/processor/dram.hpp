// The DRAM as one initiator of the processor's side sees it: travel, the bus, refresh.
//
// Purpose      Reads and writes of up to a few lines by the processor and its DMA engine.
// Limits       No banks and rows, no other masters: what competes belongs to the command-level
//              model (system.hpp). Accesses come in the order of their issue.
#pragma once

#include "axiometer/model/processor/config.hpp"

namespace axm::processor {

class Memory {
public:
  Memory(const MemoryConfig &config, const Clocks &clocks);

  // A read issued at t: when its data are back. A write: when it is answered, which does not
  // wait for the DRAM's own access. The trail, if there is one, gets its legs.
  Time read(Time t, int bytes, Trail *trail = nullptr) { return access(t, bytes, true, trail); }
  Time write(Time t, int bytes, Trail *trail = nullptr) { return access(t, bytes, false, trail); }

private:
  Time access(Time t, int bytes, bool read, Trail *trail);
  Time past_refresh(Time t) const;

  Time out_, back_, device_, burst_, refresh_, interval_, phase_;
  int column_bytes_;
  Time bus_free_ = 0;
};

} // namespace axm::processor
