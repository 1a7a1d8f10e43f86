#include "ports.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "design.hpp"

namespace axm::cosim {

std::vector<AxiPort> ports_of(const SystemConfig &config) {
  if (config.ports.size() > Design::ports())
    throw std::invalid_argument("the design has only " + std::to_string(Design::ports()) +
                                " ports");
  std::vector<AxiPort> found;
  for (std::size_t p = 0; p < Design::ports(); ++p) {
    AxiPort::Streams streams{{}, {}, Design::master_bit()};
    for (std::size_t s = 0; s < config.streams.size(); ++s) {
      const StreamConfig &of = config.streams[s];
      if (of.port != static_cast<int>(p))
        continue;
      auto &masters = of.dir == kRead ? streams.read : streams.write;
      masters.resize(std::max(masters.size(), static_cast<std::size_t>(of.master) + 1), -1);
      masters[static_cast<std::size_t>(of.master)] = static_cast<int>(s);
    }
    if (p < config.ports.size() &&
        config.ports[p].width_bytes != static_cast<int>(Design::width_bytes()))
      throw std::invalid_argument("ports." + config.ports[p].name +
                                  ".width_bytes: the design has " +
                                  std::to_string(Design::width_bytes()));
    found.emplace_back(p, std::move(streams), Design::width_bytes(), Design::axi3(),
                       Design::crosses());
  }
  return found;
}

RepeatStart at_rest(const SystemConfig &config) {
  RepeatStart start;
  start.launch.assign(config.streams.size(), 0);
  return start;
}

} // namespace axm::cosim
