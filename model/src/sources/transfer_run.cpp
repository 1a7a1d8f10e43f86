#include "axiometer/model/transfer_run.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "axiometer/model/config/bounds.hpp"
#include "axiometer/model/need.hpp"
#include "source.hpp"

namespace axm::processor {

const std::array<const char *, kClasses> kClassNames = {
    "software",     "fetch",    "system", "copy", "cache_control", "setup", "engine",
    "interconnect", "crossing", "fabric", "data", "memory",        "queue"};

namespace {

bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

// An upper bound of a run's time, by the configuration's numbers: every byte takes each delay in
// the slowest clock. Sizes and the time between refreshes delay nothing.
class LongestRun {
public:
  template <class T> void operator()(const char *key, T &x, const About &about, const char *) {
    if constexpr (std::is_same_v<T, int>) {
      const std::string_view name = key;
      if (!name.ends_with("bytes") && name != "refresh_interval")
        delays_ += x;
    } else if constexpr (std::is_same_v<T, Time>) {
      if (std::string_view(about.unit) == "base units" && std::string_view(key) != "system_call")
        period_ = std::max(period_, static_cast<double>(x));
    }
  }
  template <class Inside> void table(const char *, bool, Inside &&inside) { inside(*this); }

  double of(const Config &c) const {
    const double packets = c.master == Master::ring ? c.ring.packets : 1;
    const double bytes = static_cast<double>(std::max<std::int64_t>(c.bytes, c.ring.buffer_bytes));
    return packets * (bytes * delays_ * period_ + 4.0 * static_cast<double>(c.system.system_call));
  }

private:
  double delays_ = 0, period_ = 0;
};

double longest_run(const Config &c) {
  LongestRun longest;
  visit(longest, const_cast<Config &>(c)); // which only looks
  return longest.of(c);
}

void check_ways(int bytes, int ways, int line, const char *key) {
  need(bytes >= ways * line, key, "must hold a line in each way");
}

} // namespace

void check(const Config &c) {
  check_bounds(c);
  need(longest_run(c) < 0x1p61, "transfer.bytes",
       "the run is too long for the time counter at these clocks and delays");
  need(c.memory.refresh_interval > c.memory.refresh_clocks, "memory.refresh_interval",
       "must be above refresh_clocks");
  need(is_power_of_two(c.cache.line_bytes), "cache.line_bytes", "must be a power of two");
  check_ways(c.cache.l1_bytes, c.cache.l1_ways, c.cache.line_bytes, "cache.l1_bytes");
  check_ways(c.cache.l2_bytes, c.cache.l2_ways, c.cache.line_bytes, "cache.l2_bytes");
}

Outcome run(const Config &config, OutsideSlave slave) {
  check(config);
  need(!config.mapped, "transfer.mapped", "only sources that share the memory have mapped buffers");
  sources::Timeline timeline;
  sources::Schedule schedule(timeline);
  sources::IdleDram dram(config);
  sources::GpPort gp(config, schedule, true, std::move(slave));
  const sources::Travel way = sources::idle_travel(config);
  sources::Source source(config,
                         {.timeline = timeline, .dram = dram, .read = way, .write = way, .gp = gp});
  source.begin();
  while (!timeline.empty())
    timeline.step();
  return source.outcome();
}

} // namespace axm::processor
