#include "chip_memory.hpp"

#include <algorithm>
#include <bit>

#include "design.hpp"

namespace axm::vfio {

ChipMemory::ChipMemory(const SystemConfig &config, GuestMemory &guest)
    : config_(config), guest_(guest, config.dram.bytes), ports_(cosim::ports_of(config)) {
  reset();
}

void ChipMemory::reset() {
  chip_ = std::make_unique<cosim::CommandChip>(config_, cosim::at_rest(config_));
  for (cosim::AxiPort &port : ports_)
    port.connect(chip_.get());
}

cosim::ToMaster ChipMemory::offer(std::size_t port, const cosim::FromMaster &m) {
  return ports_[port].offer(m, guest_, faults_);
}

bool ChipMemory::commit(std::size_t port, const cosim::FromMaster &m, const cosim::ToMaster &t) {
  const bool read = t.r_valid && m.r_ready;
  const bool written = m.w_valid && t.w_ready;
  if (read)
    work_.read(static_cast<unsigned>(cosim::Design::width_bytes()));
  if (written)
    work_.written(static_cast<unsigned>(std::popcount(m.w_strobes)));
  ports_[port].commit(m, guest_, faults_);
  const bool moved = read || written || (m.ar.valid && t.ar_ready) || (m.aw.valid && t.aw_ready) ||
                     (t.b_valid && m.b_ready);
  moved_ = moved_ || moved;
  return moved;
}

void ChipMemory::clock() {
  work_.clock(moved_, std::ranges::all_of(ports_, &cosim::AxiPort::quiet));
  moved_ = false;
  if (work_.open())
    chip_->step();
}

Work ChipMemory::take_work() {
  if (std::ranges::all_of(ports_, &cosim::AxiPort::quiet))
    reset();
  return work_.take();
}

const std::string &ChipMemory::violation() const {
  for (const cosim::AxiPort &port : ports_)
    if (!port.violation().empty())
      return port.violation();
  return ports_.front().violation();
}

} // namespace axm::vfio
