// The model under a random configuration: a result, or an exception with a message, within
// bounded time; no overflow, no float that does not fit, nothing out of bounds.
//
// The input is lines of "key value", as the co-simulation reads them. With "processor" it is the
// processor's side, else the chip and, below "start", how a run begins. Runs are cut short
// whatever the input: faults at limits are sought, not long runs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "axiometer/model/simulator.hpp"
#include "axiometer/model/transfer_run.hpp"
#include "chip_config.hpp"

using namespace axm;

namespace {

constexpr std::uint64_t kBursts = 48;
constexpr std::int64_t kSteps = 30'000;

void run_processor(cosim::KeyValues &values) {
  processor::Config c;
  cosim::read_lines(values, "", c);
  c.bytes = std::min<std::int64_t>(c.bytes, 4096);
  c.ring.buffer_bytes = std::min(c.ring.buffer_bytes, 4096);
  c.ring.packets = std::min(c.ring.packets, 4);
  for (int *often : {&c.cpu.call_instructions, &c.dmac.start_instructions, &c.cpu.loop_clocks,
                     &c.dmac.prepare_instructions, &c.dmac.start_accesses, &c.ring.doorbells,
                     &c.dmac.program_fetches, &c.ring.descriptors, &c.fabric.start_accesses})
    *often = std::min(*often, 3000);
  const processor::Outcome o = processor::run(c);
  processor::Time sum = 0;
  for (const processor::Time t : o.spent) {
    if (t < 0)
      std::abort();
    sum += t;
  }
  if (sum != o.elapsed)
    std::abort();
}

RepeatStart start_of(cosim::KeyValues &values, const SystemConfig &c) {
  RepeatStart s;
  const auto given = [&](const std::string &key, std::int64_t usual) {
    return values.has(key) ? values.integer(key) : usual;
  };
  const std::int64_t cycles = std::max<std::int64_t>(
      1, c.clocks.pl > c.clocks.ddr ? kSteps / (c.clocks.pl / c.clocks.ddr + 1) : kSteps);
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    s.launch.push_back(std::min(given("start.launch[" + std::to_string(i) + "]", 0), cycles));
  s.first_refresh = given("start.first_refresh", 1000);
  s.stop = given("start.stop", cycles);
  if (s.stop < 0 && c.controller.policy != "usp-ddrc")
    s.stop = kNever;
  else
    s.stop = std::min(s.stop, cycles);
  s.pattern_seed = static_cast<std::uint64_t>(given("start.pattern_seed", 0));
  return s;
}

void run_chip(cosim::KeyValues &values) {
  SystemConfig c = cosim::read_chip(values);
  for (StreamConfig &s : c.streams)
    if (s.burst_bytes > 0)
      s.bytes = std::min(s.bytes, kBursts * static_cast<std::uint64_t>(s.burst_bytes));
  const auto simulator = make_simulator(c);
  const RepeatStart s = start_of(values, c);
  Clk bus = 0;
  const RepeatResult r = simulator->run(s, {});
  for (const std::int64_t clocks : r.dram.classes) {
    if (clocks < 0)
      std::abort();
    bus += clocks;
  }
  if (bus != r.clocks || r.cycles < 0)
    std::abort();
  for (const StreamResult &stream : r.streams) {
    Cycle sum = 0;
    for (const Cycle cycles : stream.stats.classes) {
      if (cycles < 0)
        std::abort();
      sum += cycles;
    }
    if (sum != r.cycles)
      std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *bytes, std::size_t count) {
  try {
    std::istringstream in(std::string(reinterpret_cast<const char *>(bytes), count));
    cosim::KeyValues values(in);
    if (values.has("processor"))
      run_processor(values);
    else
      run_chip(values);
  } catch (const std::invalid_argument &error) {
    if (error.what()[0] == '\0')
      std::abort();
  } catch (const std::runtime_error &error) { // a run that makes no progress
    if (error.what()[0] == '\0')
      std::abort();
  }
  return 0;
}
