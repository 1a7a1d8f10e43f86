// A verilated top on the guest's memory. At the end it prints on standard error how its bursts went
// out:
//
//   bursts: port=N cache=N prot=N count=N
#include <iostream>

#include "axi_memory.hpp"
#include "rtl_device.hpp"
#include "served.hpp"

namespace axm::vfio {

namespace {

class Design final : public Served {
public:
  Design(GuestMemory &memory, unsigned latency)
      : memory_(cosim::Design::ports(), memory, latency), design_(memory_) {}
  ~Design() override { say(); }
  Device &device() override { return design_; }
  bool objects() const override { return false; }

private:
  // Memory here has no caches, so that only this shows which accesses would be coherent.
  void say() const {
    for (std::size_t p = 0; p < cosim::Design::ports(); ++p)
      for (const auto &[pair, bursts] : memory_.port(p).settings())
        std::cerr << "bursts: port=" << p << " cache=" << pair.first << " prot=" << pair.second
                  << " count=" << bursts << '\n';
  }

  PlainMemory memory_;
  RtlDevice design_;
};

} // namespace

std::unique_ptr<Served> served(GuestMemory &memory, unsigned latency, std::string_view option) {
  if (!option.empty())
    throw std::invalid_argument("this program serves its design, without options");
  return std::make_unique<Design>(memory, latency);
}

} // namespace axm::vfio
