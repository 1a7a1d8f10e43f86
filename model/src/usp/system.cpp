#include "axiometer/model/usp/system.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "axiometer/model/usp/afi.hpp"
#include "axiometer/model/usp/ddrc.hpp"
#include "axiometer/model/usp/master.hpp"
#include "axiometer/model/usp/ports.hpp"

namespace axm::usp {

namespace {

void need(bool ok, const char *what, const char *right) {
  if (!ok)
    throw std::invalid_argument(std::string(what) + ": " + right);
}

void check(const SystemConfig &c) {
  const DdrcConfig &d = c.controller.ddrc;
  need(d.clocks >= 1 && d.clocks <= 8, "controller.ddrc.clocks", "must be 1 to 8 DRAM clocks");
  need(c.dram.ranks >= 1 && c.dram.ranks <= 4 &&
           c.dram.ranks * c.dram.banks <= CommandStore::kMaxBanks,
       "dram.ranks", "must be 1 to 4, with at most 64 banks together");
  need(c.dram.bank_groups >= 1 && c.dram.bank_groups <= 8, "dram.bank_groups", "must be 1 to 8");
  need((1 << c.dram.bank_bits.size()) == c.dram.banks, "dram.bank_bits",
       "must list an address bit for each bit of the bank number");
  need(c.dram.row_bits.size() == 2 && c.dram.row_bits[0] <= c.dram.row_bits[1], "dram.row_bits",
       "must be the first and the last address bit of the row");
  need(c.dram.ranks == 1 || (c.dram.ranks == 2 && c.dram.rank_bit >= 0), "dram.rank_bit",
       "must be given for two ranks");
  need(c.controller.entries[0] + d.low_latency_entries <= 64, "controller.entries",
       "the read store has 64 places");
  for (const PathConfig &p : c.paths)
    need(p.ddrc.queue_parts[0] >= 1 && p.ddrc.queue_parts[0] <= 64 && p.ddrc.queue_parts[1] >= 1 &&
             p.ddrc.queue_parts[1] <= 64 && p.ddrc.clock_bytes >= 1,
         "path.queue_parts", "must be 1 to 64");
  for (const PortConfig &p : c.ports)
    need(p.afi.issue >= 1 && p.afi.issue <= 64 && p.afi.inflight >= 1, "port.issue",
         "must be 1 to 64 commands");
  for (const StreamConfig &s : c.streams)
    need(s.region > 0 && s.partner < 0, "stream.region",
         "this controller's streams run freely in a region, and alone");
}

// 95 % of a normal distribution.
constexpr double kNormal95 = 1.96;
constexpr int kLeastBlocks = 10;

} // namespace

System::System(const SystemConfig &c) : config_(c) { check(c); }

RepeatResult System::run(const RepeatStart &start, const RunOptions &options) {
  const MeasureConfig &measure = config_.measure;
  if (start.stop >= kNever)
    throw std::invalid_argument("stop: a free run needs an end");
  std::vector<Master> masters;
  std::vector<Afi> interfaces; // one for each master
  for (std::size_t i = 0; i < config_.streams.size(); ++i) {
    masters.emplace_back(config_, i);
    masters.back().start(start.launch[i], start.pattern_seed);
    interfaces.emplace_back(config_, masters[i].port(), config_.streams[i].dir);
  }
  Ddrc ddrc(config_, start.first_refresh);
  ddrc.trace = options.trace;
  Ports ports(config_, interfaces);

  const int clocks = config_.controller.ddrc.clocks;
  const std::int64_t core = config_.clocks.ddr * clocks, pl = config_.clocks.pl;
  RepeatResult r;
  std::array<std::int64_t, kBusClasses> classes{};
  std::array<std::int64_t, kDramCounts> counted{};
  const Cycle begin = std::min(measure.settle, start.stop / 2); // a short run still counts half
  Cycle cycle = 0, end = start.stop;
  Clk now = 0, begin_clk = 0;
  BusClass latest = kIdleNoRequest; // class of the last clock
  std::uint64_t before = 0;         // bytes when the block began
  double sum = 0, squares = 0;
  int blocks = 0;
  const auto bytes = [&] {
    std::uint64_t n = 0;
    for (const Master &m : masters)
      n += m.bytes();
    return n;
  };
  const auto settled = [&] {
    const auto of = static_cast<double>(bytes() - before);
    before = bytes();
    sum += of;
    squares += of * of;
    if (++blocks < kLeastBlocks || sum <= 0)
      return false;
    const double mean = sum / blocks;
    const double variance = std::max(0.0, squares / blocks - mean * mean) / (blocks - 1);
    return kNormal95 * std::sqrt(variance) < measure.confidence * mean;
  };
  for (;; ++now) {
    for (; cycle * pl <= now * core && cycle < end; ++cycle) {
      if (cycle == begin) {
        for (Master &m : masters)
          m.count_from();
        classes = {};
        counted = ddrc.counts;
        begin_clk = now;
      } else if (cycle > begin && measure.block > 0 && (cycle - begin) % measure.block == 0 &&
                 settled()) {
        end = cycle;
        break;
      }
      for (std::size_t i = 0; i < masters.size(); ++i) {
        masters[i].begin(cycle, interfaces[i]);
        interfaces[i].step(now);
        masters[i].move(cycle, now, interfaces[i]);
      }
    }
    if (cycle >= end)
      break;
    ports.step(now, ddrc);
    ddrc.step(now, [&](Dir d, const Entry &e) { ports.served(d, e, now); });
    ports.give_back(now);
    BusClass c = ddrc.bus_class(now);
    if (c == kIdleNoRequest)
      for (std::size_t i = 0; i < masters.size(); ++i)
        c = std::max(
            {c, interfaces[i].idle_class(), masters[i].waits() ? kIdlePort : kIdleNoRequest});
    ++classes[latest = c];
  }
  r.cycles = end - begin;
  r.clocks = (now - begin_clk) * clocks;
  for (std::size_t i = 0; i < kBusClasses; ++i)
    r.dram.classes[i] = classes[i] * clocks;
  // The controller's last clock may reach beyond the last cycle, which ends the run.
  const std::int64_t beyond = (now - begin_clk) * core - r.cycles * pl;
  if (beyond > 0) {
    const std::int64_t back = ceil_div(beyond, config_.clocks.ddr);
    r.dram.classes[latest] -= back;
    r.clocks -= back;
  }
  for (std::size_t i = 0; i < kDramCounts; ++i)
    r.dram.counts[i] = ddrc.counts[i] - counted[i];
  for (const Master &m : masters)
    r.streams.push_back({0, r.cycles, m.bytes(), m.stats()});
  r.intervals = static_cast<std::uint64_t>(ddrc.counts[kRefreshes]);
  return r;
}

} // namespace axm::usp
