// Runs the configurations of a file, one after the other: a fixed piece of work, whose instructions
// are counted (lab/bench/instructions.py). A configuration is lines of keys and values
// (cosim/src/chip_config.hpp) up to an empty line: the chip's, those of `start`, `repeats` and
// `skip`. Prints the clocks of each, so that nothing is left out.
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>

#include "../../cosim/src/chip_config.hpp"
#include "axiometer/model/simulator.hpp"

namespace {

using namespace axm;

// One configuration's lines; "" at the end of the file.
std::string block(std::istream &in) {
  std::string lines;
  for (std::string line; std::getline(in, line) && !line.empty();)
    lines += line + "\n";
  return lines;
}

// What is counted: callgrind collects in here alone.
[[gnu::noinline]] long long measured(Simulator &simulator, RepeatStart start,
                                     const RunOptions &options, std::int64_t repeats,
                                     Clk interval) {
  long long clocks = 0;
  for (std::int64_t i = 0; i < repeats; ++i) {
    clocks += simulator.run(start, options).clocks;
    start.first_refresh = (start.first_refresh + 977) % interval;
  }
  return clocks;
}

long long run(const std::string &lines) {
  std::istringstream in(lines);
  cosim::KeyValues values(in);
  const SystemConfig config = cosim::read_chip(values);
  RepeatStart start;
  cosim::read_lines(values, "start", start);
  if (start.stop < 0)
    start.stop = kNever;
  const auto repeats = values.integer("repeats", 1, 1000);
  RunOptions options;
  options.skip = values.integer("skip", 0, 1) != 0;
  values.expect_no_more();
  return measured(*make_simulator(config), start, options, repeats, config.dram.timing.tREFI);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  try {
    std::ifstream in(argv[1]);
    for (std::string lines = block(in); !lines.empty(); lines = block(in))
      std::printf("%lld\n", run(lines));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }
  return 0;
}
