#include "engine.hpp"

#include "axi_cdma.hpp"
#include "axi_dma.hpp"
#include "axi_traffic_gen.hpp"
#include "msgdma.hpp"

namespace axm::vendor {

std::unique_ptr<Clocked> made(const Options &options, Master &memory, Objections &objections) {
  switch (options.kind) {
  case Kind::kAxiCdma:
    return std::make_unique<AxiCdma>(memory, objections, options);
  case Kind::kTrafficGen:
    return std::make_unique<AxiTrafficGen>(memory, objections, options);
  case Kind::kMsgdma:
    return std::make_unique<Msgdma>(memory, objections, options);
  case Kind::kAxiDma:
  case Kind::kAxiDmaSg:
    break;
  }
  return std::make_unique<AxiDma>(memory, objections, options);
}

} // namespace axm::vendor
