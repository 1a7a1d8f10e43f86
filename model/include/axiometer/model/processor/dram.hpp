// The DRAM as one initiator of the processor's side sees it: travel, the bus, refresh.
//
// Purpose      Reads and writes of up to a few lines by the processor and its DMA engine.
// Limits       No banks and rows, no other masters: what competes belongs to the command-level
//              model (machine/system.hpp). Accesses come in the order of their issue; one whose
//              moment is still to come is left to `later`.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "axiometer/model/processor/config.hpp"

namespace axm::processor {

class Memory {
public:
  Memory(const MemoryConfig &config, const Clocks &clocks);

  // A read issued at t: when its data are back. A write: when it is answered, which does not
  // wait for the DRAM's own access. The trail, if there is one, gets its legs.
  Time read(Time t, int bytes, Trail *trail = nullptr) { return access(t, bytes, true, trail); }
  Time write(Time t, int bytes, Trail *trail = nullptr) { return access(t, bytes, false, trail); }

  // Calls `issue`, which issues accesses at t, when no earlier access can come: before the first
  // one that is issued after t, or when it is waited for.
  void later(Time t, std::function<void()> issue) { planned_.emplace(t, std::move(issue)); }
  // The same for a write of the DMA engine, and all of these, for a read of their data.
  void write_later(Time t, int bytes);
  void settle_writes();
  // Issues planned accesses, in the order of time, until `there` is true. Nothing else is issued
  // meanwhile: the only other initiator waits.
  template <class There> void settle(There &&there) {
    while (!there())
      issue_next();
  }

private:
  void issue_next();
  Time access(Time t, int bytes, bool read, Trail *trail);
  Time past_refresh(Time t) const;

  Time out_, back_, device_, burst_, refresh_, interval_, phase_;
  int column_bytes_;
  Time bus_free_ = 0;
  std::multimap<Time, std::function<void()>> planned_;
  bool issuing_ = false; // what was planned
  int writes_ = 0;       // of planned accesses
};

} // namespace axm::processor
