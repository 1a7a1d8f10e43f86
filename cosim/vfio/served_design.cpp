#include "axi_memory.hpp"
#include "rtl_device.hpp"
#include "served.hpp"

namespace axm::vfio {

namespace {

class Design final : public Served {
public:
  Design(GuestMemory &memory, unsigned latency)
      : memory_(cosim::Design::ports(), memory, latency), design_(memory_) {}
  Device &device() override { return design_; }
  bool objects() const override { return false; }

private:
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
