// The DRAM of a configuration: size, order of the address, JEDEC timing. Each `visit` has the
// members mean (key.hpp).
#pragma once

#include <vector>

#include "axiometer/model/config/key.hpp"

namespace axm {

// DRAM clocks (JESD79-3F, section 12 and tables 60-70; DDR4: JESD79-4).
struct DramTiming {
  int CL = 0, CWL = 0, tRCD = 0, tRP = 0, tRAS = 0, tRC = 0, tRRD = 0, tFAW = 0, tCCD = 0;
  int tWTR = 0, tRTP = 0, tWR = 0, tRFC = 0, tREFI = 0;
  int read_to_write = 0;
  int tCCD_L = 0, tRRD_L = 0, tWTR_L = 0;
};

template <class V> void visit(V &v, DramTiming &t) {
  const About clocks{1, kMostDelay, "DRAM clocks"};
  v("CL", t.CL, clocks, "read command to its data");
  v("CWL", t.CWL, clocks, "write command to its data");
  v("tRCD", t.tRCD, clocks, "activate to a column command");
  v("tRP", t.tRP, clocks, "precharge to activate");
  v("tRAS", t.tRAS, clocks, "activate to precharge");
  v("tRC", t.tRC, clocks, "activate to activate of a bank");
  v("tRRD", t.tRRD, clocks, "activate to activate of another bank");
  v("tFAW", t.tFAW, clocks, "window with at most four activates");
  v("tCCD", t.tCCD, clocks,
    "column command to the next; of policies without bank groups half of "
    "the burst length");
  v("tWTR", t.tWTR, clocks, "end of write data to a read command");
  v("tRTP", t.tRTP, clocks, "read command to precharge");
  v("tWR", t.tWR, clocks, "end of write data to precharge");
  v("tRFC", t.tRFC, clocks, "refresh to the next command");
  v("tREFI", t.tREFI, clocks, "refresh to refresh");
  v("read_to_write", t.read_to_write, clocks,
    "first read to first write command; at least CL + tCCD + 2 - CWL");
  const About within = optional({0, kMostDelay, "DRAM clocks"});
  v("tCCD_L", t.tCCD_L, within, "tCCD within a bank group; 0: as between groups");
  v("tRRD_L", t.tRRD_L, within, "tRRD within a bank group; 0: as between groups");
  v("tWTR_L", t.tWTR_L, within, "tWTR within a bank group; 0: as between groups");
}

enum class Mapping { row_bank_column, bank_row_column };

inline constexpr Word<Mapping> kMappings[] = {{"row-bank-column", Mapping::row_bank_column},
                                              {"bank-row-column", Mapping::bank_row_column}};
constexpr auto &words(Mapping) { return kMappings; }

struct DramConfig {
  DramTiming timing;
  int banks = 8;
  int row_bytes = 4096;
  int column_bytes = 32;
  int burst_clocks = 4;
  std::uint64_t bytes = 0;
  Mapping mapping = Mapping::row_bank_column;
  int bank_groups = 1;
  int ranks = 1;
  int rank_gap = 0;
  int command_clocks = 1;
  std::vector<int> bank_address_bits;
  std::vector<int> row_address_bits;
  int rank_address_bit = -1;
};

template <class V> void visit(V &v, DramConfig &d) {
  visit_table(v, "timing", d.timing);
  v("banks", d.banks, {1, 64}, "banks of one rank; a power of two");
  v("row_bytes", d.row_bytes, {1, kMostSize, "bytes"},
    "size of one row of one bank over the whole bus; a power of two");
  v("column_bytes", d.column_bytes, {1, kMostSize, "bytes"},
    "data of one column command: bus times burst length; a power of two");
  v("burst_clocks", d.burst_clocks, {1, 64, "DRAM clocks"},
    "time of a column command on the data bus: half of the burst length");
  v("bytes", d.bytes, {0, kMostMemory, "bytes"}, "size of the memory; a power of two");
  v("mapping", d.mapping, {}, "order of the address, highest bits first");
  v("bank_groups", d.bank_groups, optional({1, 8}), "bank groups, of policies that have them");
  v("ranks", d.ranks, optional({1, 4}), "ranks, of policies that have them");
  v("rank_gap", d.rank_gap, optional({0, kMostDelay, "DRAM clocks"}),
    "idle clocks of the data bus when the rank changes");
  v("command_clocks", d.command_clocks, optional({1, 16, "DRAM clocks"}),
    "time of a command on the command bus, of policies that have it; with 1 a column and a row "
    "command share one clock of the controller");
  const About bit{0, kAddressBits - 1, "address bit"};
  v("bank_address_bits", d.bank_address_bits, optional(bit),
    "bits of the bank number, lowest first, the group's before the others");
  v("row_address_bits", d.row_address_bits, optional(bit), "first and last bit of the row");
  v("rank_address_bit", d.rank_address_bit, optional({-1, kAddressBits - 1, "address bit"}),
    "bit of the rank; -1: one rank");
}

} // namespace axm
