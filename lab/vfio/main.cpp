// A verilated design, or an engine of ../engines/, as a PCI device for a virtual machine, over
// vfio-user.
//
//   axm_vfio SOCKET msix|intx LATENCY [SEED|stuck|deaf|gated] [--engine=NAME|--chip=FILE]
//
// LATENCY: of the guest's memory as the design meets it, in clocks, 0 to 100000. SEED: the device
// lies (lying_device.hpp), differently for each; an engine does not. stuck, deaf, gated:
// faulty.hpp. SIGUSR1 the device, SIGUSR2 lets it live again (failing_device.hpp). Exit status: 0
// when the client has gone, or 4 if the device had objections to what software did with it; 2 for
// bad usage; 3 if the client sent invalid messages or the socket cannot be opened.
#include <atomic>
#include <charconv>
#include <csignal>
#include <exception>
#include <iostream>
#include <optional>
#include <string_view>

#include "failing_device.hpp"
#include "faulty.hpp"
#include "lying_device.hpp"
#include "served.hpp"
#include "server.hpp"

namespace {

constexpr std::uint32_t kMostLatency = 100000;
constexpr int kObjections = 4;

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
  const std::string_view option = take_option(argc, argv);
  const std::string_view kind = argc >= 4 ? argv[2] : "";
  const std::optional<std::uint32_t> latency = argc >= 4 ? whole(argv[3]) : std::nullopt;
  const std::optional<std::uint32_t> seed = argc == 5 ? whole(argv[4]) : std::nullopt;
  const std::optional<Fault> fault = argc == 5 ? fault_named(argv[4]) : std::nullopt;
  if (argc > 5 || (argc == 5 && !seed && !fault) || (kind != "msix" && kind != "intx") ||
      !latency || *latency > kMostLatency || ((seed || fault) && !option.empty())) {
    std::cerr << "usage: axm_vfio SOCKET msix|intx LATENCY (0 to 100000 clocks) "
                 "[SEED|stuck|deaf|gated] [--engine=NAME|--chip=FILE]\n";
    return 2;
  }
  try {
    GuestMemory memory;
    const std::unique_ptr<Served> behind = served(memory, *latency, option);
    std::cerr << "axm_vfio: " << behind->origin() << '\n';
    LyingDevice lying_device(behind->device(), memory, seed.value_or(0));
    Faulty faulty(behind->device(), fault.value_or(Fault::kNone));
    FailingDevice device(seed ? static_cast<Device &>(lying_device) : faulty, dead);
    std::signal(SIGUSR1, [](int) { dead = true; });
    std::signal(SIGUSR2, [](int) { dead = false; });
    Server server(device, memory, kind == "msix");
    Connection connection(argv[1]);
    server.serve(connection);
    if (behind->objects() || faulty.objects())
      return kObjections;
  } catch (const std::exception &e) {
    std::cerr << "axm_vfio: " << e.what() << "\n";
    return 3;
  }
  return 0;
}
