// A verilated design, or an engine of ../engines/, as a PCI device for a virtual machine, over
// vfio-user.
//
//   axm_vfio SOCKET msix|intx LATENCY [FAULT] [--engine=NAME|--chip=FILE]
//
// LATENCY: of the guest's memory as the design meets it, in clocks. FAULT: of faulty.hpp. SIGUSR1
// kills the device, SIGUSR2 lets it live again. Exit status: 0 when the client has gone, or 4 if
// the device had objections to what software did with it; 2 for bad usage; 3 if the socket cannot
// be opened.
#include <csignal>
#include <exception>
#include <iostream>

#include "faulty.hpp"
#include "served.hpp"
#include "server.hpp"

namespace {

constexpr int kObjections = 4;

std::atomic<bool> dead{false};
static_assert(std::atomic<bool>::is_always_lock_free);

} // namespace

int main(int argc, char **argv) {
  using namespace axm::vfio;
  const std::string_view option = take_option(argc, argv);
  if (argc < 4 || argc > 5) {
    std::cerr << "usage: axm_vfio SOCKET msix|intx LATENCY [FAULT] [--engine=NAME|--chip=FILE]\n";
    return 2;
  }
  try {
    GuestMemory memory;
    const auto latency = static_cast<unsigned>(std::stoul(argv[3]));
    const std::unique_ptr<Served> behind = served(memory, latency, option);
    std::cerr << "axm_vfio: " << behind->origin() << '\n';
    Faulty device(behind->device(), memory, argc == 5 ? argv[4] : "", dead);
    std::signal(SIGUSR1, [](int) { dead = true; });
    std::signal(SIGUSR2, [](int) { dead = false; });
    Server server(device, memory, std::string_view(argv[2]) == "msix");
    Connection connection(argv[1]);
    server.serve(connection);
    if (behind->objects() || device.objects())
      return kObjections;
  } catch (const std::exception &e) {
    std::cerr << "axm_vfio: " << e.what() << "\n";
    return 3;
  }
  return 0;
}
