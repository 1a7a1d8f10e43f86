// Vendors' engines beside axm_vendor_top, one at each port: the models of .., made as
// the top's parameters.
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "axi_master.hpp"
#include "design.hpp"
#include "engine.hpp"
#include "fabric.hpp"

namespace axm::beside {

namespace {

constexpr unsigned kLatency = 0; // an access takes the clocks that it takes

vendor::Options options_of(const cosim::Design::Engine &made) {
  static const char *const names[] = {"",         "axi-dma",         "axi-dma-sg", "axi-cdma",
                                      "axi-cdma", "axi-traffic-gen", "msgdma"};
  const std::string name = made.number < std::size(names) ? names[made.number] : "";
  if (name.empty())
    throw std::invalid_argument("there is no model of engine " + std::to_string(made.number));
  return vendor::parse(name + ",data=" + std::to_string(8 * cosim::Design::width_bytes()) +
                           ",length=" + std::to_string(made.length_bits) +
                           ",address=" + std::to_string(made.address_bits) +
                           ",realign=" + (made.unaligned ? "1" : "0"),
                       kLatency);
}

class Engines final : public cosim::Fabric {
public:
  Engines(const cosim::PortMemory &memory, const std::function<void()> &pass)
      : made_(cosim::Design::engine()), options_(options_of(made_)),
        objections_(std::cerr, options_.kind) {
    masters_.reserve(cosim::Design::ports()); // engines refer to them
    for (std::size_t p = 0; p < cosim::Design::ports(); ++p) {
      masters_.emplace_back(cosim::Design::width_bytes(), memory, pass);
      engines_.push_back(vendor::made(options_, masters_.back(), objections_));
    }
  }

  bool has(std::uint32_t address) const override {
    return address >= made_.base && (address - made_.base) / made_.step < engines_.size();
  }
  std::uint32_t read(std::uint32_t address) override {
    return of(address).read((address - made_.base) % made_.step).value_or(UINT32_MAX);
  }
  void write(std::uint32_t address, std::uint32_t value) override {
    of(address).write((address - made_.base) % made_.step, value);
  }
  bool interrupt(std::size_t port) override { return engines_[port]->interrupt(); }
  cosim::FromMaster at(std::size_t port) const override { return masters_[port].pins(); }
  void commit(std::size_t port, const cosim::ToMaster &t) override { masters_[port].commit(t); }
  void clock() override {
    for (const auto &engine : engines_)
      engine->run(1);
  }
  std::string told() const override {
    std::string text = "{\"objections\": " + std::to_string(objections_.all()) + ", \"ports\": [";
    for (const AxiMaster &m : masters_)
      text += (&m == &masters_.front() ? "" : ", ") + std::string("{\"read\": ") + json(m.reads()) +
              ", \"write\": " + json(m.writes()) + "}";
    return text + "]}";
  }

private:
  vfio::Device &of(std::uint32_t address) { return *engines_[(address - made_.base) / made_.step]; }
  static std::string json(const AxiMaster::Counts &c) {
    return "{\"bursts\": " + std::to_string(c.bursts) + ", \"beats\": " + std::to_string(c.beats) +
           ", \"bytes\": " + std::to_string(c.bytes) + "}";
  }

  cosim::Design::Engine made_;
  vendor::Options options_;
  vendor::Objections objections_;
  std::vector<AxiMaster> masters_;
  std::vector<std::unique_ptr<vfio::Device>> engines_;
};

} // namespace

} // namespace axm::beside

namespace axm::cosim {

std::unique_ptr<Fabric> fabric_beside(const PortMemory &memory, std::function<void()> pass) {
  return std::make_unique<beside::Engines>(memory, pass);
}

} // namespace axm::cosim
