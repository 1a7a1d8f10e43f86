#include "options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace axm::vendor {

namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 6> kKinds{
    {{"axi-dma", Kind::kAxiDma},
     {"axi-dma-sg", Kind::kAxiDmaSg},
     {"axi-cdma", Kind::kAxiCdma},
     {"axi-cdma-sg", Kind::kAxiCdma}, // the same core: software takes either
     {"msgdma", Kind::kMsgdma},
     {"axi-traffic-gen", Kind::kTrafficGen}}};

unsigned number(std::string_view name, std::string_view text, unsigned least, unsigned most,
                bool power) {
  unsigned value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
  if (!whole || value < least || value > most || (power && (value & (value - 1)) != 0))
    throw std::invalid_argument(std::string(name) + " is " + std::string(text) + ": give a " +
                                (power ? "power of two" : "whole number") + " from " +
                                std::to_string(least) + " to " + std::to_string(most));
  return value;
}

void set(Options &o, std::string_view name, std::string_view value) {
  if (name == "data")
    o.data = number(name, value, 32, 512, true);
  else if (name == "length")
    o.length = number(name, value, 8, o.kind == Kind::kMsgdma ? 31 : 26, false);
  else if (name == "address")
    o.address = number(name, value, 32, 64, true);
  else if (name == "realign")
    o.realign = number(name, value, 0, 1, false) != 0;
  else if (name == "fifo")
    o.fifo = number(name, value, 64, 1 << 24, false);
  else if (name == "memory")
    o.memory = number(name, value, 4096, 1 << 20, true);
  else if (name == "fault")
    o.fault = number(name, value, 1 << 4, 1 << 6, true);
  else if (name == "depth")
    o.depth = number(name, value, 8, 1024, true);
  else
    throw std::invalid_argument(
        "an engine has no parameter " + std::string(name) +
        "; it has data, length, address, realign, fifo, memory, fault, depth");
}

} // namespace

Options parse(std::string_view text, unsigned latency) {
  Options o;
  o.latency = latency;
  const std::string_view kind = text.substr(0, text.find(','));
  const auto *const found =
      std::ranges::find(kKinds, kind, &std::pair<std::string_view, Kind>::first);
  if (found == kKinds.end())
    throw std::invalid_argument(
        "no engine " + std::string(kind) +
        ": write axi-dma, axi-dma-sg, axi-cdma, axi-cdma-sg, msgdma or axi-traffic-gen");
  o.kind = found->second;
  text.remove_prefix(kind.size());
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view word = text.substr(0, text.find(','));
    const std::size_t at = word.find('=');
    if (at == std::string_view::npos)
      throw std::invalid_argument("no value in " + std::string(word) + ": write name=value");
    set(o, word.substr(0, at), word.substr(at + 1));
    text.remove_prefix(word.size());
  }
  return o;
}

} // namespace axm::vendor
