// The DRAM as the UltraScale+ controller sees it: for each bank, bank group and rank the
// first controller clock at which a command is allowed. All JEDEC times are rounded up to
// controller clocks, as the controller's registers are. In one controller clock there is
// room for one column command and, half a clock later, one row command.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/targets/command_store.hpp"

namespace axm::clocked {

class Dram {
public:
  explicit Dram(const SystemConfig &c)
      : clocks_(c.controller.dram_clocks), ranks_(c.dram.ranks), rank_banks_(c.dram.banks),
        groups_(c.dram.bank_groups) {
    const DramTiming &t = c.dram.timing;
    const auto up = [&](int x) { return (x + clocks_ - 1) / clocks_; };
    const auto lasting = [](int within, int between) { return within > 0 ? within : between; };
    tRCD = up(t.tRCD), tRP = up(t.tRP), tRAS = up(t.tRAS), tRC = up(t.tRC), tFAW = up(t.tFAW);
    tRFC = up(t.tRFC), tREFI = t.tREFI / clocks_;
    tRRD[0] = up(t.tRRD), tRRD[1] = up(lasting(t.tRRD_L, t.tRRD));
    tCCD[0] = up(t.tCCD), tCCD[1] = up(lasting(t.tCCD_L, t.tCCD));
    const int written = t.CWL + c.dram.burst_clocks;
    tWTR[0] = up(written + t.tWTR), tWTR[1] = up(written + lasting(t.tWTR_L, t.tWTR));
    read_to_write = up(t.read_to_write);
    read_to_precharge = up(t.tRTP), write_to_precharge = up(written + t.tWR);
    burst = up(c.dram.burst_clocks), rank_gap = up(c.dram.rank_gap);
    open_row_.fill(-1);
  }

  int banks() const { return ranks_ * rank_banks_; }
  int ranks() const { return ranks_; }
  int rank(int bank) const { return bank / rank_banks_; }
  bool is_open(int bank, std::uint32_t row) const {
    return open_row_[bank] == static_cast<std::int64_t>(row);
  }
  bool closed(int bank) const { return open_row_[bank] < 0; }

  Clk column_ok(Dir d, int bank) const {
    const int r = rank(bank);
    Clk ok = std::max({bank_[bank].column, any_column_[d], group_column_[d][r][group(bank)]});
    if (r != last_rank_)
      ok = std::max(ok, last_column_ + burst + rank_gap);
    return ok;
  }
  // When the bus may carry a column of `d` at all.
  Clk turned(Dir d) const { return any_column_[d]; }
  Clk busy_until() const { return last_column_ + burst; }

  void column(Dir d, int bank, Clk t) {
    const int r = rank(bank), g = group(bank);
    Bank &b = bank_[bank];
    last_column_ = t;
    last_rank_ = r;
    any_column_[d] = t + tCCD[0];
    group_column_[d][r][g] = t + tCCD[1];
    const Dir o = other(d);
    if (d == kRead) {
      any_column_[o] = std::max(any_column_[o], t + read_to_write);
      b.precharge = std::max(b.precharge, t + read_to_precharge);
    } else {
      any_column_[o] = std::max(any_column_[o], t + tWTR[0]);
      group_column_[o][r][g] = std::max(group_column_[o][r][g], t + tWTR[1]);
      b.precharge = std::max(b.precharge, t + write_to_precharge);
    }
  }

  Clk activate_ok(int bank) const {
    const Rank &r = rank_[rank(bank)];
    return std::max(
        {bank_[bank].activate, r.activate, r.group_activate[group(bank)], r.recent[r.next] + tFAW});
  }
  void activate(int bank, std::uint32_t row, Clk t) {
    Rank &r = rank_[rank(bank)];
    Bank &b = bank_[bank];
    open_row_[bank] = row;
    open_ |= 1ULL << bank;
    b.column = t + tRCD;
    b.precharge = t + tRAS;
    b.activate = t + tRC;
    r.activate = t + tRRD[0];
    r.group_activate[group(bank)] = t + tRRD[1];
    r.recent[r.next] = t;
    r.next = (r.next + 1) & 3;
  }

  Clk precharge_ok(int bank) const { return bank_[bank].precharge; }
  void precharge(int bank, Clk t) {
    open_row_[bank] = -1;
    open_ &= ~(1ULL << bank);
    bank_[bank].activate = std::max(bank_[bank].activate, t + tRP);
  }

  // The banks of a rank; those open.
  std::uint64_t of_rank(int r) const {
    return (rank_banks_ >= 64 ? ~0ULL : (1ULL << rank_banks_) - 1) << (r * rank_banks_);
  }
  std::uint64_t open() const { return open_; }
  // First clock at which all banks of the rank may be precharged, or be refreshed.
  Clk all_precharge_ok(int r) const {
    Clk ok = 0;
    for (std::uint64_t m = open_ & of_rank(r); m != 0; m &= m - 1)
      ok = std::max(ok, bank_[std::countr_zero(m)].precharge);
    return ok;
  }
  Clk refresh_ok(int r) const {
    Clk ok = 0;
    for (int b = r * rank_banks_; b < (r + 1) * rank_banks_; ++b)
      ok = std::max(ok, bank_[b].activate);
    return ok;
  }
  void refresh(int r, Clk t) {
    for (int b = r * rank_banks_; b < (r + 1) * rank_banks_; ++b)
      bank_[b].activate = t + tRFC;
  }

  // In controller clocks; [1]: within a bank group.
  Clk tRCD, tRP, tRAS, tRC, tFAW, tRFC, tREFI, tRRD[2], tCCD[2], tWTR[2];
  Clk read_to_write, read_to_precharge, write_to_precharge, burst, rank_gap;

private:
  static constexpr Clk kPast = -100000;
  struct Bank {
    Clk activate = 0, column = 0, precharge = 0;
  };
  struct Rank {
    Clk activate = 0;
    std::array<Clk, 8> group_activate{};
    std::array<Clk, 4> recent{kPast, kPast, kPast, kPast};
    int next = 0;
  };
  int group(int bank) const { return bank & (groups_ - 1); }

  int clocks_, ranks_, rank_banks_, groups_;
  std::array<std::int64_t, CommandStore::kMaxBanks> open_row_;
  std::uint64_t open_ = 0;
  std::array<Bank, CommandStore::kMaxBanks> bank_{};
  std::array<Rank, 4> rank_{};
  Clk any_column_[2] = {0, 0};
  std::array<std::array<Clk, 8>, 4> group_column_[2] = {};
  Clk last_column_ = kPast;
  int last_rank_ = 0;
};

} // namespace axm::clocked
