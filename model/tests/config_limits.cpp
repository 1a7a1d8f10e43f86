// No number of a configuration or a start, however large, overflows or divides by zero: it is
// refused, and the message begins with its name.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/simulator.hpp"
#include "check.hpp"
#include "configs.hpp"

using namespace axm;

struct Number {
  const char *name;
  std::function<int &(SystemConfig &)> of;
};

static int &of_usp(SystemConfig &c, const char *key) {
  c.controller.policy = kUspDdrc;
  return c.controller.number(key);
}

TEST(a_number_beyond_its_limits_is_named) {
  const std::vector<Number> numbers = {
      {"dram.timing.tRFC", [](SystemConfig &c) -> int & { return c.dram.timing.tRFC; }},
      {"dram.timing.tREFI", [](SystemConfig &c) -> int & { return c.dram.timing.tREFI; }},
      {"dram.timing.tCCD_L", [](SystemConfig &c) -> int & { return c.dram.timing.tCCD_L; }},
      {"dram.burst_clocks", [](SystemConfig &c) -> int & { return c.dram.burst_clocks; }},
      {"dram.rank_gap", [](SystemConfig &c) -> int & { return c.dram.rank_gap; }},
      {"dram.row_bytes", [](SystemConfig &c) -> int & { return c.dram.row_bytes; }},
      {"controller.starve_clocks",
       [](SystemConfig &c) -> int & { return c.controller.number("starve_clocks"); }},
      {"controller.run_length",
       [](SystemConfig &c) -> int & { return c.controller.number("run_length"); }},
      {"controller.dram_clocks", [](SystemConfig &c) -> int & { return of_usp(c, "dram_clocks"); }},
      {"controller.write_bytes", [](SystemConfig &c) -> int & { return of_usp(c, "write_bytes"); }},
      {"controller.read_clocks", [](SystemConfig &c) -> int & { return of_usp(c, "read_clocks"); }},
      {"paths[0].request_clocks_read",
       [](SystemConfig &c) -> int & { return c.paths[0].request_clocks[kRead]; }},
      {"paths[0].release_clocks_write",
       [](SystemConfig &c) -> int & { return c.paths[0].release_clocks[kWrite]; }},
      {"paths[0].column_clocks", [](SystemConfig &c) -> int & { return c.paths[0].column_clocks; }},
      {"paths[0].timeout_clocks_read",
       [](SystemConfig &c) -> int & { return c.paths[0].ddrc.timeout_clocks[0]; }},
      {"paths[0].clock_bytes",
       [](SystemConfig &c) -> int & { return c.paths[0].ddrc.clock_bytes; }},
      {"ports[0].fifo_bytes_read",
       [](SystemConfig &c) -> int & { return c.ports[0].fifo_bytes[0]; }},
      {"ports[0].request_cycles_read",
       [](SystemConfig &c) -> int & { return c.ports[0].request_cycles[0]; }},
      {"ports[0].return_cycles", [](SystemConfig &c) -> int & { return c.ports[0].return_cycles; }},
      {"ports[0].response_clocks",
       [](SystemConfig &c) -> int & { return c.ports[0].response_clocks; }},
      {"ports[0].inflight_parts",
       [](SystemConfig &c) -> int & { return c.ports[0].afi.inflight_parts; }},
      {"streams[0].burst_bytes", [](SystemConfig &c) -> int & { return c.streams[0].burst_bytes; }},
      {"streams[0].gap_cycles", [](SystemConfig &c) -> int & { return c.streams[0].gap_cycles; }},
  };
  using Limits = std::numeric_limits<int>;
  for (const Number &n : numbers)
    for (const int v : {-1, Limits::min(), Limits::max(), 1 << 30}) {
      SystemConfig c = configs::good();
      n.of(c) = v;
      const std::string said = check::message([&] { c.check(); });
      if (said.rfind(std::string(n.name) + ": must be ", 0) != 0)
        check::failed(__FILE__, __LINE__, std::string(n.name) + " said \"" + said + "\"");
    }
}

TEST(a_buffer_whose_end_would_wrap_is_outside) {
  SystemConfig c = configs::good();
  c.streams[1].base = ~std::uint64_t{0} - 100;
  CHECK(check::message([&] { c.check(); }).find("streams[1].base: ") == 0);
  c = configs::good();
  c.dram.row_address_bits = {0, 39};
  CHECK(check::message([&] { c.check(); }).find("dram.row_address_bits: ") == 0);
  c.dram.row_address_bits = {};
  c.dram.bank_address_bits.assign(33, 1);
  CHECK(check::message([&] { c.check(); }).find("dram.bank_address_bits: ") == 0);
  c.dram.bank_address_bits = {};
  c.measure.confidence = std::numeric_limits<double>::quiet_NaN();
  CHECK(check::message([&] { c.check(); }).find("measure.confidence: ") == 0);
}

// Products of clocks and periods fit, or the run is refused before it begins.
TEST(a_start_beyond_what_time_can_hold_is_refused) {
  SystemConfig c = configs::good();
  c.clocks = {std::int64_t{1} << 37, (std::int64_t{1} << 37) + 1};
  RepeatStart s;
  s.launch = {0, 0};
  CHECK_EQ(check::message([&] { check_start(c, s); }), "");
  s.launch = {0, most_cycles(c)};
  CHECK(check::message([&] { check_start(c, s); }).find("launch: ") == 0);
  s.launch = {-1, 0};
  CHECK(check::message([&] { check_start(c, s); }).find("launch: ") == 0);
  s.launch = {0, 0};
  s.stop = std::int64_t{1} << 40;
  CHECK(check::message([&] { make_simulator(c)->run(s, {}); }).find("stop: ") == 0);
  s.stop = 1000;
  s.first_refresh = -1;
  CHECK(check::message([&] { check_start(c, s); }).find("first_refresh: ") == 0);
  c.clocks.ddr = std::int64_t{1} << 60;
  CHECK(check::message([&] { c.check(); }).find("clocks.ddr: ") == 0);
}

// A run that becomes too long ends at the end of the time counter: with its clocks a
// unit each, the same run is over long before.
TEST(a_run_that_outgrows_time_ends) {
  SystemConfig c = configs::good();
  c.streams.resize(1);
  c.streams[0].partner = -1;
  c.streams[0].bytes = 1 << 28;
  c.clocks = {std::int64_t{1} << 38, std::int64_t{1} << 38};
  RepeatStart s;
  s.launch = {0};
  const auto run = [&] { make_simulator(c)->run(s, {}); };
  CHECK(check::message(run).find("clocks: the run is too long") == 0);
  c.clocks = {1, 1};
  CHECK_EQ(check::message(run), "");
}
