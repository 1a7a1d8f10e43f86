// A verilated design as a PCI device for a virtual machine, over vfio-user.
//
//   axm_vfio SOCKET msix|intx LATENCY [SEED]
//
// LATENCY: of the guest's memory as the design meets it, in clocks, 0 to 100000. SEED: the device
// lies (liar.hpp), differently for each. SIGUSR1 kills the device (mortal.hpp). Exit status: 0 when
// the client has gone; 2 for bad usage; 3 if the client sent nonsense or the socket cannot be had.
#include <atomic>
#include <charconv>
#include <csignal>
#include <exception>
#include <iostream>
#include <optional>
#include <string_view>

#include "liar.hpp"
#include "mortal.hpp"
#include "rtl_device.hpp"
#include "server.hpp"

namespace {

constexpr std::uint32_t kMostLatency = 100000;

std::atomic<bool> dead{false};
static_assert(std::atomic<bool>::is_always_lock_free);

std::optional<std::uint32_t> whole(std::string_view text) {
  std::uint32_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size())
    return std::nullopt;
  return number;
}

} // namespace

int main(int argc, char **argv) {
  using namespace axm::vfio;
  const std::string_view kind = argc >= 4 ? argv[2] : "";
  const std::optional<std::uint32_t> latency = argc >= 4 ? whole(argv[3]) : std::nullopt;
  const std::optional<std::uint32_t> seed = argc == 5 ? whole(argv[4]) : std::nullopt;
  if (argc > 5 || (argc == 5 && !seed) || (kind != "msix" && kind != "intx") || !latency ||
      *latency > kMostLatency) {
    std::cerr << "usage: axm_vfio SOCKET msix|intx LATENCY (0 to 100000 clocks) [SEED]\n";
    return 2;
  }
  std::cerr << "axm_vfio: this shows that software works; its times are no figure of any chip\n";
  try {
    GuestMemory memory;
    RtlDevice design(memory, *latency);
    Liar liar(design, memory, seed.value_or(0));
    Device &told = seed ? static_cast<Device &>(liar) : design;
    Mortal device(told, dead);
    std::signal(SIGUSR1, [](int) { dead = true; });
    Server server(device, memory, kind == "msix");
    Connection connection(argv[1]);
    server.serve(connection);
  } catch (const std::exception &e) {
    std::cerr << "axm_vfio: " << e.what() << "\n";
    return 3;
  }
  return 0;
}
