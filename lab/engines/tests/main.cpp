// All tests of the engines; then, that each rule was broken by one of them.
#include <stdexcept>

#include "bench.hpp"

int main() {
  bench::memory_port();
  bench::axi_dma();
  bench::axi_cdma();
  bench::msgdma();
  bench::axi_traffic_gen();
  for (const auto &rule : axm::vendor::kRules)
    if (bench::seen()[static_cast<std::size_t>(rule.rule)] == 0) {
      std::cerr << "no test breaks the rule " << rule.name << "\n";
      return 1;
    }
  for (const char *const wrong : {"axi-vdma", "axi-dma,data", "axi-dma,data=65", "msgdma,depth=0",
                                  "axi-dma,length=27", "axi-cdma,burst=1"}) {
    bool refused = false;
    try {
      axm::vendor::parse(wrong, 0);
    } catch (const std::invalid_argument &) {
      refused = true;
    }
    CHECK(refused);
  }
  return 0;
}
