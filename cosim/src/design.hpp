// The verilated top, behind functions without Verilator's signal names. The only file
// that includes it; rebuilt for each top and its parameters.
#pragma once

#include <cstdint>
#include <memory>

#include "signals.hpp"

namespace axm::cosim {

class Design {
public:
  Design();
  ~Design();

  static std::size_t ports();
  static std::size_t width_bytes();
  static bool axi3();
  static bool crosses(); // bursts may cross 4 KiB
  // Of the ID bits of a port those from here on are the number of the master behind it.
  static int master_bit();

  // Of a top with vendors' engines beside it (fabric.hpp): their parameters.
  struct Engine {
    unsigned number = 0, length_bits = 0, address_bits = 0;
    bool unaligned = false;
    std::uint32_t base = 0, step = 0;
  };
  static Engine engine();

  void reset(bool active);
  // Outputs follow from inputs that have changed; then the rising edge, after which they follow
  // from registers.
  void settle();
  void clock();

  // VALID and READY of all ports.
  Lines from_masters() const;
  void to_masters(Lines l);
  // A port's own, which are `asked`, with the addresses that are VALID, and its write data, in a
  // place that keeps the rest.
  void requests(std::size_t port, Lines asked, FromMaster &m) const;
  void write_data(std::size_t port, FromMaster &m) const;
  void read_data(std::size_t port, const ToMaster &t);
  void response(std::size_t port, const ToMaster &t);
  // All of a port.
  FromMaster from_master(std::size_t port) const;
  void to_master(std::size_t port, const ToMaster &t);
  // The same at the slave ports of such a top, and its engines' interrupts; std::logic_error for
  // others.
  void from_engine(std::size_t port, const FromMaster &m, bool interrupt);
  ToMaster to_engine(std::size_t port) const;
  bool interrupt() const;
  // Of tops with a slave instead of masters, which have no ports; std::logic_error for others.
  void to_slave(const ToSlave &t);
  FromSlave from_slave() const;

  // The register bus, AXI4-Lite; the lengths of the pins are those of the top.
  struct LiteRequest {
    bool aw_valid = false, w_valid = false, b_ready = false, ar_valid = false, r_ready = false;
    std::uint32_t address = 0, data = 0;
    bool operator==(const LiteRequest &) const = default;
  };
  struct LiteReply {
    bool aw_ready = false, w_ready = false, b_valid = false, ar_ready = false, r_valid = false;
    int response = 0;
    std::uint32_t data = 0;
  };
  void lite(const LiteRequest &r);
  LiteReply lite() const;

private:
  struct Top;
  void addresses(std::size_t port, FromMaster &m) const;

  std::unique_ptr<Top> top_;
  LiteRequest lite_;
  Lines offered_ = ~Lines{0}; // of the chip: unknown at first
  bool changed_ = true;       // an input, since the outputs last followed
};

} // namespace axm::cosim
