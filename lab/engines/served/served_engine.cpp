#include <iostream>

#include "engine.hpp"
#include "guest_master.hpp"
#include "served.hpp"

namespace axm::vfio {

namespace {

class Engine final : public Served {
public:
  Engine(const vendor::Options &options, GuestMemory &memory)
      : master_(memory), objections_(std::cerr, options.kind),
        device_(vendor::made(options, master_, objections_)) {}
  Device &device() override { return *device_; }
  bool objects() const override {
    objections_.summary();
    return objections_.all() != 0;
  }

private:
  vendor::GuestMaster master_;
  vendor::Objections objections_;
  std::unique_ptr<Device> device_;
};

} // namespace

std::unique_ptr<Served> served(GuestMemory &memory, unsigned latency, std::string_view option) {
  return std::make_unique<Engine>(vendor::parse(after("--engine=", option), latency), memory);
}

} // namespace axm::vfio
