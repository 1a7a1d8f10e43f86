// The master of an engine's model at a slave port of the design: one burst at a time, INCR, in
// whole beats of the port's width, ID 0.
//
// Purpose      An engine's accesses pass the design's RTL, where the instrument counts them.
// Limits       An engine waits for the end of its access: reads and writes of one engine do not
//              overlap, nor do engines. No time is that of a chip.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>

#include "master.hpp"
#include "port_memory.hpp"
#include "signals.hpp"

namespace axm::beside {

class AxiMaster final : public vendor::Master {
public:
  AxiMaster(std::size_t width_bytes, const cosim::PortMemory &memory, std::function<void()> pass)
      : width_(width_bytes), memory_(memory), pass_(std::move(pass)) {}

  // At most a burst, which crosses no 4 KiB. std::runtime_error if the bus does not answer.
  bool read(std::uint64_t address, void *to, std::size_t bytes) override;
  bool write(std::uint64_t address, const void *from, std::size_t bytes) override;
  bool look(std::uint64_t address, void *to, std::size_t bytes) override;
  std::size_t burst_bytes() const override { return kBeats * width_; }

  const cosim::FromMaster &pins() const { return pins_; }
  void commit(const cosim::ToMaster &t);

  struct Counts {
    std::uint64_t bursts = 0, beats = 0, bytes = 0;
  };
  const Counts &reads() const { return reads_; }
  const Counts &writes() const { return writes_; }

private:
  static constexpr std::size_t kBeats = 16; // AXI3 has no more

  cosim::FromMaster::Address burst(std::uint64_t address, std::size_t bytes) const;
  void wait(const bool &done);
  void offer_beat();

  std::size_t width_;
  const cosim::PortMemory &memory_;
  std::function<void()> pass_;
  cosim::FromMaster pins_;
  Counts reads_, writes_;

  // The access under way.
  std::uint64_t address_ = 0;
  std::uint8_t *to_ = nullptr;
  const std::uint8_t *from_ = nullptr;
  std::size_t bytes_ = 0;
  int beats_ = 0, moved_ = 0;
  bool done_ = true, good_ = true;
};

} // namespace axm::beside
