#include <stdexcept>

#include "rtl_device.hpp"
#include "served.hpp"

namespace axm::vfio {

namespace {

class Design final : public Served {
public:
  Design(GuestMemory &memory, unsigned latency) : design_(memory, latency) {}
  Device &device() override { return design_; }
  bool objects() const override { return false; }

private:
  RtlDevice design_;
};

} // namespace

std::unique_ptr<Served> served(GuestMemory &memory, unsigned latency, std::string_view engine) {
  if (!engine.empty())
    throw std::invalid_argument("this program serves its design, and no engine");
  return std::make_unique<Design>(memory, latency);
}

} // namespace axm::vfio
