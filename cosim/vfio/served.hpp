// What a program here serves. Two files have it, and a program is linked with one of them:
// served_design.cpp, a verilated top; ../vendor/served_engine.cpp, an engine by its name.
#pragma once

#include <memory>
#include <string_view>

#include "device.hpp"
#include "guest_memory.hpp"

namespace axm::vfio {

class Served {
public:
  virtual ~Served() = default;
  virtual Device &device() = 0;
  // Says on standard error what software did against the device's document; whether it did.
  virtual bool objects() const = 0;
};

// `latency`: clocks from an address to its first beat, and from the last beat to the response.
// `engine`: its name and parameters (../vendor/options.hpp); empty for a design.
// std::invalid_argument if there is no such engine.
std::unique_ptr<Served> served(GuestMemory &memory, unsigned latency, std::string_view engine);

// The engine of the last argument, `--engine=NAME`, which is taken away; empty if there is none.
inline std::string_view take_engine(int &argc, char **argv) {
  constexpr std::string_view kOption = "--engine=";
  if (argc < 2 || !std::string_view(argv[argc - 1]).starts_with(kOption))
    return {};
  return std::string_view(argv[--argc]).substr(kOption.size());
}

} // namespace axm::vfio
