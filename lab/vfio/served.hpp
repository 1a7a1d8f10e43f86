// What a program here serves. Three files have it, and a program is linked with one of them:
// served_design.cpp, a verilated top; ../chip_memory/served_chip.cpp, the same on a simulated chip;
// ../engines/served/served_engine.cpp, an engine by its name.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "device.hpp"
#include "guest_memory.hpp"

namespace axm::vfio {

class Served {
public:
  virtual ~Served() = default;
  virtual Device &device() = 0;
  // What its times mean.
  virtual std::string_view origin() const {
    return "this shows that software works; its times are not those of any chip";
  }
  // Prints on standard error the rules of the device's document that software broke; whether any.
  virtual bool objects() const = 0;
};

// `latency`: clocks from an address to its first beat, and from the last beat to the response.
// `option`: "--engine=" and its name and parameters (../engines/options.hpp), "--chip=" and the
// file of a chip (../chip_memory/), which has its own times; empty for a design on plain memory.
// std::invalid_argument if the program does not support it.
std::unique_ptr<Served> served(GuestMemory &memory, unsigned latency, std::string_view option);

// The text behind `name` in an option.
inline std::string_view after(std::string_view name, std::string_view option) {
  if (!option.starts_with(name))
    throw std::invalid_argument("give this program the option " + std::string(name));
  return option.substr(name.size());
}

// The last argument if it is an option, which is taken away; empty if not.
inline std::string_view take_option(int &argc, char **argv) {
  if (argc < 2 || !std::string_view(argv[argc - 1]).starts_with("--"))
    return {};
  return argv[--argc];
}

} // namespace axm::vfio
