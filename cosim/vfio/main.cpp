// A verilated design as a PCI device for a virtual machine, over vfio-user.
//
//   axm_vfio SOCKET msix|intx LATENCY
//
// LATENCY: of the guest's memory as the design meets it, in clocks, 0 to 100000. Exit status: 0
// when the client has gone; 2 for bad usage; 3 if the client sent nonsense or the socket cannot be
// had.
#include <charconv>
#include <exception>
#include <iostream>
#include <string_view>

#include "rtl_device.hpp"
#include "server.hpp"

int main(int argc, char **argv) {
  using namespace axm::vfio;
  const std::string_view kind = argc == 4 ? argv[2] : "";
  const std::string_view number = argc == 4 ? argv[3] : "";
  unsigned latency = 0;
  const auto end = std::from_chars(number.data(), number.data() + number.size(), latency);
  if ((kind != "msix" && kind != "intx") || end.ec != std::errc() ||
      end.ptr != number.data() + number.size() || latency > 100000) {
    std::cerr << "usage: axm_vfio SOCKET msix|intx LATENCY (0 to 100000 clocks)\n";
    return 2;
  }
  std::cerr << "axm_vfio: this shows that software works; its times are no figure of any chip\n";
  try {
    GuestMemory memory;
    RtlDevice device(memory, latency);
    Server server(device, memory, kind == "msix");
    Connection connection(argv[1]);
    server.serve(connection);
  } catch (const std::exception &e) {
    std::cerr << "axm_vfio: " << e.what() << "\n";
    return 3;
  }
  return 0;
}
