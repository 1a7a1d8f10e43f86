#include "axiometer/model/processor/run.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "axiometer/model/need.hpp"
#include "axiometer/model/processor/config_keys.hpp"
#include "axiometer/model/processor/workloads.hpp"

namespace axm::processor {

const std::array<const char *, kClasses> kClassNames = {
    "software",     "fetch",    "system", "copy", "cache_control", "setup", "engine",
    "interconnect", "crossing", "fabric", "data", "memory",        "queue"};

namespace {

void need(bool good, const char *what) {
  if (!good)
    throw std::invalid_argument(what);
}

bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

// Each number by itself: none is negative or so large that sums and products of a few overflow.
class Bounds {
public:
  void operator()(const char *, const char *, bool &) {}
  void operator()(const char *table, const char *key, int &x) {
    need_within(x, 0, most_of(key), std::string(table) + "." + key);
    if (!std::string_view(key).ends_with("bytes"))
      delays_ += x;
  }
  void operator()(const char *table, const char *key, std::int64_t &x) {
    need_within(x, 0, std::int64_t{1} << 40, std::string(table) + "." + key);
    if (std::string_view(key) != "bytes" && std::string_view(key) != "system_call")
      period_ = std::max(period_, static_cast<double>(x));
  }
  // No time of a run is beyond this: every byte takes each delay in the slowest clock.
  double most(const Config &c) const {
    const double packets = c.master == Master::ring ? c.ring.packets : 1;
    const double bytes = static_cast<double>(std::max<std::int64_t>(c.bytes, c.ring.buffer_bytes));
    return packets * (bytes * delays_ * period_ + 4.0 * static_cast<double>(c.system.system_call));
  }

private:
  // Sizes of memories and buffers; what one access or burst moves, whose products must fit; delays
  // and counts.
  static std::int64_t most_of(std::string_view key) {
    for (const char *size :
         {"l1_bytes", "l2_bytes", "program_bytes", "fifo_bytes", "buffer_bytes", "prefetch_from"})
      if (key == size)
        return 1 << 30;
    return key.ends_with("bytes") || key.ends_with("ways") || key == "burst_beats" ? 4096 : 1 << 24;
  }

  double delays_ = 0, period_ = 0;
};

} // namespace

void check(const Config &c) {
  Config copy = c;
  Bounds bounds;
  visit_config(copy, bounds);
  axm::need(bounds.most(c) < 0x1p61, "transfer.bytes",
            "with these clocks and delays the run would be longer than time can be held");
  const Clocks &k = c.clocks;
  need(k.cpu > 0 && k.interconnect > 0 && k.apb > 0 && k.ddr > 0 && k.pl > 0,
       "every clock needs a period of at least 1");
  need(c.bytes > 0 && c.bytes <= (std::int64_t{1} << 30), "bytes must be 1 to 2^30");
  need(c.memory.refresh_interval > c.memory.refresh_clocks, "tREFI must be above tRFC");
  need(c.memory.column_bytes > 0, "a column command must move at least 1 byte");
  need(is_power_of_two(c.cache.line_bytes), "line_bytes must be a power of two");
  need(c.cache.l1_bytes >= c.cache.l1_ways * c.cache.line_bytes && c.cache.l1_ways > 0,
       "the first-level cache has no set");
  need(c.cache.l2_bytes >= c.cache.l2_ways * c.cache.line_bytes && c.cache.l2_ways > 0,
       "the second-level cache has no set");
  need(c.cache.line_buffers > 0, "line_buffers must be at least 1");
  need(c.cpu.access_bytes > 0 && c.cpu.device_read_bytes > 0 && c.cpu.device_write_bytes > 0 &&
           c.cpu.fetch_bytes >= 4,
       "accesses must move at least 1 byte, instruction fetches 4");
  need(c.gp.beat_bytes > 0 && c.gp.burst_beats > 0 && c.gp.outstanding_read > 0,
       "the GP port needs beats, bursts and places");
  need(c.slave.read_beat_cycles > 0, "a beat takes at least one cycle");
  need(c.dmac.burst_bytes > 0 && c.dmac.beat_bytes > 0 && c.dmac.program_bytes > 0 &&
           c.dmac.bursts_in_flight > 0,
       "the DMA engine needs bursts, beats, programs and places");
  need(c.fabric.burst_beats > 0 && c.fabric.outstanding > 0 && c.fabric.issue_cycles > 0,
       "a master in the fabric needs beats, places and a cycle to issue");
  need(c.port.acceptance_read > 0 && c.port.acceptance_write > 0 && c.port.beat_bytes > 0 &&
           c.port.beat_period > 0,
       "the slave port needs places and beats");
  need(c.ring.buffer_bytes > 0 && c.ring.depth > 0 && c.ring.packets > 0 && c.ring.fifo_bytes > 0 &&
           c.ring.width_bytes > 0,
       "the ring needs buffers, packets and a FIFO");
}

Outcome run(const Config &config, OutsideSlave slave) {
  check(config);
  Machine m(config);
  m.gp.use(std::move(slave));
  // What leaves the processor's memory was written there just before; what arrives has a place.
  m.cpu.warm(config.bytes);
  bool from_fabric_side = false;
  switch (config.master) {
  case Master::copy:
    m.cpu.copy(config.bytes, config.to_fabric, config.cpu.access_bytes);
    break;
  case Master::loop:
    m.cpu.words(config.bytes, config.to_fabric);
    break;
  case Master::dmac:
    run_dmac(m);
    break;
  case Master::fabric:
    run_fabric(m);
    from_fabric_side = true;
    break;
  case Master::ring:
    run_ring(m);
    break;
  }
  const Beats &beats = from_fabric_side ? m.beats : m.gp.beats();
  Outcome out;
  out.elapsed = m.ledger.elapsed();
  for (int i = 0; i < kClasses; ++i)
    out.spent[static_cast<std::size_t>(i)] = m.ledger.in(static_cast<Class>(i));
  out.beats = beats.count();
  out.first_beat = beats.first();
  out.last_beat = beats.last();
  out.between = beats.between();
  out.frame_begins = m.frame_begins;
  out.frame_ends = m.frame_ends;
  return out;
}

} // namespace axm::processor
