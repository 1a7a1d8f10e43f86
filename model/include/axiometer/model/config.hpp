// What a simulation is told: the chip (DRAM, controller, paths, ports) and the
// work (streams). Plain data; values come from the platform and experiment files.
// `check` names the first value that cannot be simulated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "axiometer/model/types.hpp"
#include "axiometer/model/usp/config.hpp"

namespace axm {

// JEDEC timing in DRAM clocks (JESD79-3F, section 12 and tables 60-70).
struct DramTiming {
  int CL = 0, CWL = 0, tRCD = 0, tRP = 0, tRAS = 0, tRC = 0, tRRD = 0, tFAW = 0, tCCD = 0;
  int tWTR = 0, tRTP = 0, tWR = 0, tRFC = 0, tREFI = 0;
  int read_to_write = 0; // first read to first write command; at least CL + tCCD + 2 - CWL
  // Within one bank group (DDR4, JESD79-4); 0: as between groups.
  int tCCD_L = 0, tRRD_L = 0, tWTR_L = 0;
};

enum class Mapping { row_bank_column, bank_row_column };

struct DramConfig {
  DramTiming timing;
  int banks = 8;
  int row_bytes = 4096;    // one row of one bank over the whole bus
  int column_bytes = 32;   // bus bytes x burst length: what one column command moves
  int burst_clocks = 4;    // burst length / 2
  std::uint64_t bytes = 0; // size of the memory
  Mapping mapping = Mapping::row_bank_column;
  // Bank groups and ranks, and where they lie in an address; of policies that know them.
  int bank_groups = 1;
  int ranks = 1;
  int rank_gap = 0;           // idle clocks of the data bus when the rank changes
  std::vector<int> bank_bits; // address bits of the bank number, lowest first; groups come first
  std::vector<int> row_bits;  // first and last address bit of the row
  int rank_bit = -1;
};

struct ControllerConfig {
  std::string policy;        // see policies.hpp
  int entries[2] = {32, 32}; // column commands that the read and the write store hold
  // zynq-ddrc (UG585, "DDR memory controller"): see switching/zynq_ddrc.hpp
  int starve_clocks = 0;
  int run_length = 0;
  int min_non_critical_clocks = 0;
  // in-order-batch: see switching/in_order_batch.hpp
  int batch = 0;
  // How many of the oldest entries of a store may be picked out of order, and
  // for how many a bank is opened ahead; 64 is all, 1 is strictly in order.
  int pick_window = 64;
  int prepare_window = 64;
  DdrcConfig ddrc; // of usp-ddrc
};

// A shared way from ports to the controller.
struct PathConfig {
  std::string name;
  int inflight[2] = {64, 64};       // column commands from acceptance to release, by direction
  int request_clocks[2] = {0, 0};   // travel of a request, DRAM clocks
  int release_clocks[2] = {0, 0};   // from the last column command to the release of the place
  int column_clocks = 0;            // DRAM clocks that one column command's data take on the path
  bool ordered[2] = {false, false}; // parts are given back in the order of acceptance
  DdrcPortConfig ddrc;              // of usp-ddrc
};

struct PortConfig {
  std::string name;
  int path = 0;
  int width_bytes = 8;
  int part_bytes = 128; // a burst is split at multiples of this
  int fifo_bytes[2] = {1024, 1024};
  int request_cycles[2] = {0, 0};  // address (read) or last beat (write) to the path, PL clocks
  int return_cycles = 0;           // data at the port to first beat (read), PL clocks
  int response_clocks = 0;         // acceptance or last column to write response, DRAM clocks
  bool early_response = true;      // a write is answered when the controller accepts it
  bool release_whole_burst = true; // a write's request leaves after the burst's last beat
  AfiConfig afi;                   // of usp-ddrc
};

enum class Pattern { sequential, stride, random };

// One engine of a master: reads or writes through one port.
struct StreamConfig {
  int port = 0;
  int master = 0; // its number behind the port's multiplexer; used by the co-simulation
  Dir dir = kRead;
  std::uint64_t base = 0; // byte address
  std::uint64_t bytes = 0;
  std::uint64_t region = 0; // bursts begin in base .. base + region; 0: all bytes, in sequence
  int burst_bytes = 128;
  int outstanding = 4;                   // bursts issued and not yet complete
  int gap_cycles = 0;                    // least idle PL clocks between two bursts
  Pattern pattern = Pattern::sequential; // burst_addresses.hpp
  std::uint64_t stride = 0;
  int partner = -1;        // loop-back: index of the other half
  int loopback_bursts = 0; // bursts that the read half may be ahead of the write half
  int loopback_cycles = 0; // last beat read to first beat written
};

struct SystemConfig {
  ClockRatio clocks;
  DramConfig dram;
  ControllerConfig controller;
  std::vector<PathConfig> paths;
  std::vector<PortConfig> ports;
  std::vector<StreamConfig> streams;
  MeasureConfig measure;         // of usp-ddrc
  ConvolutionConfig convolution; // of usp-ddrc

  // Throws std::invalid_argument that names the value and its range.
  void check() const;
};

// What differs between two repeats: drawn from the platform's unknowns.
struct RepeatStart {
  std::vector<Cycle> launch; // PL cycle at which each stream may begin
  Clk first_refresh = 0;     // clock at which the first refresh is due
  Cycle stop = kNever;       // no burst is issued at or after this cycle
  std::uint64_t pattern_seed = 0;
};

} // namespace axm
