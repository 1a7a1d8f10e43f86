// A DMA engine with its slave, its streams and its registers, moved clock by clock.
#pragma once
#include <memory>

#include "Vaxm_dma.h"
#include "generated/dma.h"
#include "memory.hpp"
#include "streams.hpp"
#include "verilated.h"

struct Half { // offsets of its registers
  unsigned control, status, config, addr_lo, addr_hi, length, submit, done, done_bytes;
};
inline constexpr Half reading{AXM_DMA_RD_CONTROL, AXM_DMA_RD_STATUS,  AXM_DMA_RD_CONFIG,
                              AXM_DMA_RD_ADDR_LO, AXM_DMA_RD_ADDR_HI, AXM_DMA_RD_LENGTH,
                              AXM_DMA_RD_SUBMIT,  AXM_DMA_RD_DONE,    AXM_DMA_RD_DONE_BYTES};
inline constexpr Half writing{AXM_DMA_WR_CONTROL, AXM_DMA_WR_STATUS,  AXM_DMA_WR_CONFIG,
                              AXM_DMA_WR_ADDR_LO, AXM_DMA_WR_ADDR_HI, AXM_DMA_WR_LENGTH,
                              AXM_DMA_WR_SUBMIT,  AXM_DMA_WR_DONE,    AXM_DMA_WR_DONE_BYTES};

class Bench {
public:
  explicit Bench(std::uint64_t seed)
      : dut(std::make_unique<Vaxm_dma>(&context)), width(sizeof dut->m_axi_rdata),
        memory(*dut, width, seed + 1), taker(*dut, width, seed + 2), giver(*dut, width, seed + 3) {
    reset();
    const std::uint32_t caps = read(AXM_DMA_CAPS);
    has_read = caps & AXM_DMA_CAPS__HAS_READ_MASK;
    has_write = caps & AXM_DMA_CAPS__HAS_WRITE_MASK;
    rings = caps & AXM_DMA_CAPS__RINGS_MASK;
    copy = caps & AXM_DMA_CAPS__COPY_MASK;
    unaligned = caps & AXM_DMA_CAPS__UNALIGNED_MASK;
    axi3 = caps & AXM_DMA_CAPS__AXI3_MASK;
    outstanding = AXM_GET(caps, AXM_DMA_CAPS__OUTSTANDING);
    queue = AXM_GET(caps, AXM_DMA_CAPS__QUEUE);
  }

  VerilatedContext context;
  std::unique_ptr<Vaxm_dma> dut;
  unsigned width;
  Memory<Vaxm_dma> memory;
  Taker<Vaxm_dma> taker;
  Giver<Vaxm_dma> giver;
  bool has_read = false, has_write = false, rings = false, copy = false, unaligned = false,
       axi3 = false;
  unsigned outstanding = 0, queue = 0;
  std::uint64_t clock = 0;

  void step() {
    dut->clk = 0;
    memory.drive(clock);
    taker.drive();
    giver.drive();
    dut->eval();
    if (!dut->rst) {
      memory.sample(clock);
      taker.sample();
      giver.sample();
    }
    write_taken_ = dut->s_axil_awvalid && dut->s_axil_awready;
    read_taken_ = dut->s_axil_arvalid && dut->s_axil_arready;
    answered_ = dut->s_axil_bvalid || dut->s_axil_rvalid;
    answer_ = dut->s_axil_rdata;
    refused_ = dut->s_axil_bvalid ? dut->s_axil_bresp : dut->s_axil_rresp;
    dut->clk = 1;
    dut->eval();
    ++clock;
  }
  void steps(unsigned count) {
    while (count--)
      step();
  }

  // Engine and slave together, as a reset of the fabric does.
  void reset() {
    dut->rst = 1;
    dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_arvalid = 0;
    dut->s_axil_bready = dut->s_axil_rready = 1;
    dut->s_axil_wstrb = 15;
    memory.reset();
    taker.clear();
    giver.clear();
    giver.in_packet = false;
    steps(3);
    memory.reset();
    dut->rst = 0;
    steps(2);
  }

  std::uint32_t read(unsigned offset) {
    dut->s_axil_araddr = offset;
    dut->s_axil_arvalid = 1;
    do
      step();
    while (!read_taken_);
    dut->s_axil_arvalid = 0;
    do
      step();
    while (!answered_);
    if (refused_)
      fail("a register was refused");
    return answer_;
  }

  void write(unsigned offset, std::uint32_t value) {
    dut->s_axil_awaddr = offset;
    dut->s_axil_wdata = value;
    dut->s_axil_awvalid = dut->s_axil_wvalid = 1;
    do
      step();
    while (!write_taken_);
    dut->s_axil_awvalid = dut->s_axil_wvalid = 0;
    do
      step();
    while (!answered_);
    if (refused_)
      fail("a register was refused");
  }

private:
  bool write_taken_ = false, read_taken_ = false, answered_ = false;
  std::uint32_t answer_ = 0, refused_ = 0;
};
