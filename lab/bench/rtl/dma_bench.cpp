// Moves transfers through the DMA engines (verilated axm_dma_engines) and says how long they took.
//
//   dma_bench DIRECTION LATENCY BYTES TRANSFERS [BURST_BEATS [FIRST_ADDRESS]]
//
// DIRECTION: read (memory to stream), write, copy. All transfers are queued at once; TRANSFERS = 1
// is "one at a time". Prints one line of JSON: clocks from the offer of the first transfer to the
// last completion, clocks from the start to the first address, and from the last beat or response
// to the completion. Every byte that was moved is compared; status 1 if one differs or an engine
// reports a fault.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "Vaxm_dma_engines.h"
#include "ideal_memory.hpp"
#include "verilated.h"

using Dut = Vaxm_dma_engines;

namespace {

std::uint64_t word_of(std::uint64_t index) { return index * 0x9E3779B97F4A7C15u + 0x1234567u; }

[[noreturn]] void fail(const char *what, std::uint64_t clock) {
  std::fprintf(stderr, "%s in clock %" PRIu64 "\n", what, clock);
  std::exit(1);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  const std::string direction = argv[1];
  const unsigned latency = std::strtoul(argv[2], nullptr, 0);
  const std::uint64_t bytes = std::strtoull(argv[3], nullptr, 0);
  const std::uint64_t transfers = std::strtoull(argv[4], nullptr, 0);
  const unsigned burst = argc > 5 ? std::strtoul(argv[5], nullptr, 0) : 16;
  const std::uint64_t base = argc > 6 ? std::strtoull(argv[6], nullptr, 0) : 0x10000;
  const bool reads = direction != "write", writes = direction != "read",
             copies = direction == "copy";
  const std::uint64_t target = copies ? base + 0x40000000 : base;
  const std::uint64_t words = bytes * transfers / 8;

  VerilatedContext context;
  const auto dut = std::make_unique<Dut>(&context);
  IdealMemory<Dut> memory(*dut, latency);
  if (reads)
    for (std::uint64_t i = 0; i < words; ++i) {
      const std::uint64_t word = word_of(i);
      for (unsigned k = 0; k < 8; ++k)
        memory.at(base + 8 * i + k) = static_cast<std::uint8_t>(word >> 8 * k);
    }

  dut->rd_cfg_burst = dut->wr_cfg_burst = burst - 1;
  dut->rd_cfg_outstanding = dut->wr_cfg_outstanding = 16;
  dut->wr_cfg_whole_burst = !copies;
  dut->m_axis_room = dut->s_axis_avail = 0x7FFF;
  dut->m_axis_tready = dut->s_axis_tvalid = 1;
  dut->s_axis_tkeep = 0xFF;
  dut->rst = 1;

  std::uint64_t clock = 0, given_rd = 0, given_wr = 0, done = 0, sent = 0, received = 0;
  std::uint64_t start = 0, end = 0;
  const std::uint64_t give_up = 1000000 + words * 40 + transfers * latency * 8;
  while (done < transfers) {
    dut->clk = 0;
    dut->rst = clock < 4;
    dut->rd_cmd_valid = reads && clock >= 8 && given_rd < transfers;
    dut->rd_cmd_addr = base + given_rd * bytes;
    dut->wr_cmd_valid = writes && clock >= 8 && given_wr < transfers;
    dut->wr_cmd_addr = target + given_wr * bytes;
    dut->rd_cmd_bytes = dut->wr_cmd_bytes = static_cast<std::uint32_t>(bytes);
    dut->s_axis_tdata = word_of(sent);
    memory.drive(clock);
    dut->eval();
    if (start == 0 && (dut->rd_cmd_valid || dut->wr_cmd_valid))
      start = clock;
    given_rd += dut->rd_cmd_valid && dut->rd_cmd_ready;
    given_wr += dut->wr_cmd_valid && dut->wr_cmd_ready;
    memory.sample(clock);
    if (!copies && dut->m_axis_tvalid && dut->m_axis_tready)
      if (dut->m_axis_tdata != word_of(received++))
        fail("a beat of the stream differs", clock);
    sent += !copies && dut->s_axis_tvalid && dut->s_axis_tready;
    if (writes ? dut->wr_done_valid : dut->rd_done_valid) {
      if (writes ? dut->wr_done_code : dut->rd_done_code)
        fail("the engine reports a fault", clock);
      if ((writes ? dut->wr_done_bytes : dut->rd_done_bytes) != bytes)
        fail("the engine reports a wrong number of bytes", clock);
      ++done;
      end = clock;
    }
    dut->clk = 1;
    dut->eval();
    if (++clock > give_up)
      fail("no end", clock);
  }
  if (writes)
    for (std::uint64_t i = 0; i < words * 8; ++i)
      if (memory.at(target + i) != static_cast<std::uint8_t>(word_of(i / 8) >> 8 * (i % 8)))
        fail("memory differs", clock);
  std::printf("{\"beats\": %" PRIu64 ", \"clocks\": %" PRIu64 ", \"to_address\": %" PRIu64
              ", \"to_done\": %" PRIu64 "}\n",
              words, end - start, memory.first_address - start, end - memory.last_event);
  return 0;
}
