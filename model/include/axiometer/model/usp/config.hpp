// What the policy usp-ddrc is told beyond the other policies: the DDR controller of
// Zynq UltraScale+, its ports, and the AFI interfaces before them. The controller has a
// clock of its own, half as fast as the DRAM's; times here are in that clock.
#pragma once

#include <cstdint>

#include "axiometer/model/types.hpp"

namespace axm {

// Traffic classes of the controller (UG1085, chapter 17): of reads low priority, video and
// high priority; of writes the first two.
enum class TrafficClass : std::uint8_t { best_effort, video, low_latency };

struct DdrcConfig {
  int clocks = 0;               // DRAM clocks of one controller clock; 0: another policy
  int low_latency_entries = 31; // read store: entries for high priority reads
  int least_run = 0; // commands of a store that are served before an expired read ends its turn
  int idle_gap = 1;  // clocks that a store is empty before the other has its turn
  bool combine_writes = false; // writes to one DRAM burst are combined in the store
  bool turn_by_part = true;    // ports take turns by parts; otherwise by commands
  int write_bytes = 32;        // that pass from the ports to the write store in a clock
  bool store_expires = true;   // video reads expire in the read store, too, not only in the port
  bool starved_turn = false;   // starved writes turn the bus also while expired reads wait
  int read_clocks = 0;         // read command to the data at the controller's port
};

struct DdrcPortConfig {
  int queue_parts[2] = {64, 4}; // parts that wait in the port
  int timeout[2] = {79, 79};    // of the video class, from the entry into the port
  int entry_clocks[2] = {0, 0}; // from there until the arbiter sees the part
  int clock_bytes = 16;         // that a channel of the port carries in a controller clock
  // Data of a write come before its turn also where another interface wrote before, and reads
  // pass faster than their data go back.
  bool buffers = true;
  int write_buffer = 0; // bytes of write data that wait for the arbiter; 0: whole parts
  int write_gap = 0;    // clocks between the data of two DRAM bursts of a write
};

struct AfiConfig {
  int issue = 16;    // commands issued and not complete
  int inflight = 64; // read parts in the controller's port and behind it
  // Those are counted from the arbiter until the fabric has taken them, not from the port's
  // queue until they have come back; reads are then issued whatever the FIFO holds.
  bool until_taken = false;
  int qos[2] = {0, 0}; // AXI QoS values: the arbiter's order among what has not expired
  TrafficClass traffic[2] = {TrafficClass::best_effort, TrafficClass::best_effort};
};

// Convolution accelerators at every port, in place of independent engines: usp/convolution.hpp.
struct ConvolutionConfig {
  int lanes = 0;           // accelerators behind each port; 0: none
  int buffer_bytes = 4096; // of each lane's inputs and results
  int turn = 1;            // bursts of a stream before the next has its turn
};

// How a free run is measured. All in PL cycles.
struct MeasureConfig {
  Cycle settle = 0;      // never counted at the start
  Cycle block = 0;       // length of a block, of which batches are made; 0: none
  double confidence = 0; // the run ends when half of the interval (95 %, relative) is no more
};

} // namespace axm
