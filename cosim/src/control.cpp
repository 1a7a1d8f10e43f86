#include "control.hpp"

#include <sstream>
#include <stdexcept>

#include "json.hpp"
#include "slave_driver.hpp"

namespace axm::cosim {

namespace {

constexpr std::int64_t kMostIdle = std::int64_t{1} << 32;

std::int64_t number(const std::string &text) {
  std::size_t used = 0;
  std::int64_t value = 0;
  try {
    value = std::stoll(text, &used, 0);
  } catch (const std::exception &) {
    used = 0;
  }
  if (used == 0 || used != text.size())
    throw std::invalid_argument("not a number: \"" + text + "\"");
  return value;
}

std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, at);)
    out.push_back(item);
  return out;
}

void start(Simulation &simulation, std::istringstream &words) {
  SteppedStart s;
  std::vector<Simulation::Arrival> arrivals;
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "first_refresh")
      s.first_refresh = number(value);
    else if (key == "stop")
      s.stop = number(value);
    else if (key == "pattern_seed")
      s.pattern_seed = static_cast<std::uint64_t>(number(value));
    else if (key == "launch")
      for (const std::string &item : split(value, ','))
        s.launch.push_back(number(item));
    else if (key == "origin")
      s.origin = number(value);
    else if (key == "refresh_phase")
      s.refresh_phase = static_cast<int>(number(value));
    else if (key == "arrivals")
      for (const std::string &item : split(value, ',')) {
        const auto at = item.find('@');
        if (at == std::string::npos)
          throw std::invalid_argument("write an arrival as ADDRESS@CYCLE, not " + item);
        arrivals.push_back(
            {static_cast<std::uint32_t>(number(item.substr(0, at))), number(item.substr(at + 1))});
      }
    else
      throw std::invalid_argument("start has no " + key);
  }
  simulation.start_run(s, std::move(arrivals));
}

// What the processor does at a slave in the fabric; the words are `key=number`.
std::string at_slave(Simulation &simulation, const std::string &command,
                     std::istringstream &words) {
  const Plan &plan = simulation.plan();
  if (!plan.processor)
    throw std::invalid_argument("the design has no slave");
  processor::Config config = *plan.processor;
  std::uint32_t seed = 0;
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const auto value = number(equals == std::string::npos ? "" : word.substr(equals + 1));
    if (key == "seed")
      seed = static_cast<std::uint32_t>(value);
    else if (key == "pl_phase")
      config.clocks.pl_phase = value;
    else if (key == "refresh_phase")
      config.memory.refresh_phase = static_cast<int>(value);
    else
      throw std::invalid_argument(command + " has no " + key);
  }
  SlaveDriver driver(simulation, plan.slave_bytes);
  const auto size = static_cast<std::uint64_t>(config.bytes);
  if (command == "transfer")
    return " " + json(driver.transfer(config, seed));
  command == "fill" ? driver.fill(size, seed) : driver.check(size, seed);
  return "";
}

} // namespace

std::string control(Simulation &simulation, const std::string &line) {
  try {
    std::istringstream words(line);
    std::string command;
    words >> command;
    std::string rest;
    if (command == "start") {
      start(simulation, words);
      return "!ok";
    }
    if (command == "fill" || command == "check" || command == "transfer")
      return "!ok" + at_slave(simulation, command, words);
    if (command == "result")
      return "!ok " + json(simulation.result());
    if (command == "trace")
      return "!ok " + json(simulation.trace());
    if (command == "fault") {
      std::getline(words, rest);
      simulation.faults().add(rest);
      return "!ok";
    }
    if (command == "fabric") {
      if (simulation.fabric() == nullptr)
        throw std::invalid_argument("no engine is beside the design");
      return "!ok " + simulation.fabric()->told();
    }
    if (command == "clear") {
      simulation.faults().clear();
      return "!ok";
    }
    if (command == "idle") {
      words >> rest;
      const std::int64_t clocks = number(rest);
      if (clocks < 0 || clocks > kMostIdle)
        throw std::invalid_argument("idle takes 0 to " + std::to_string(kMostIdle) + " clocks");
      simulation.await(static_cast<std::uint64_t>(clocks));
      return "!ok";
    }
    if (command == "time")
      return "!ok " + std::to_string(simulation.time_ps() / simulation.period_ps()) + " " +
             simulation.violation();
    return "!error unknown command " + command;
  } catch (const std::exception &e) {
    return std::string("!error ") + e.what();
  }
}

} // namespace axm::cosim
