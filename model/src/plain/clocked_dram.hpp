// The DRAM of Zynq UltraScale+ in the executable specification: when each command was given last,
// and from that whether another may be. JEDEC's times are rounded up to controller clocks.
#pragma once

#include <vector>

#include "axiometer/model/config.hpp"

namespace axm::plain::clocked {

class Dram {
public:
  explicit Dram(const SystemConfig &c);

  int ranks() const { return config_.ranks; }
  int banks() const { return config_.ranks * config_.banks; }
  int rank(int bank) const { return bank / config_.banks; }
  bool open(int bank) const { return of(bank).open; }
  bool open(int bank, std::uint32_t row) const { return of(bank).open && of(bank).row == row; }
  bool any_open(int rank) const;

  // Whether a command may be given now, and that it is.
  bool may_turn(Dir d, Clk now) const; // as far as the order of reads and writes goes
  bool may_column(Dir d, int bank, Clk now) const;
  bool may_activate(int bank, Clk now) const;
  bool may_precharge(int bank, Clk now) const;
  bool may_precharge_rank(int rank, Clk now) const; // all its open banks
  bool may_refresh(int rank, Clk now) const;
  void column(Dir d, int bank, Clk now);
  void activate(int bank, std::uint32_t row, Clk now);
  void precharge(int bank, Clk now);
  void refresh(int rank, Clk now);

  bool carries_data(Clk now) const { return now < column_ + up(config_.burst_clocks); }
  bool refreshes(Clk now) const { return now < refreshed_ + up(t_.tRFC); }
  Clk refresh_interval() const { return t_.tREFI / clocks_; }

private:
  static constexpr Clk kLongAgo = -1'000'000'000;
  struct Bank {
    bool open = false;
    std::uint32_t row = 0;
    Clk activated = kLongAgo, precharged = kLongAgo, refreshed = kLongAgo;
    Clk column[2] = {kLongAgo, kLongAgo};
  };
  const Bank &of(int bank) const { return banks_[static_cast<std::size_t>(bank)]; }
  Clk up(int dram_clocks) const { return (dram_clocks + clocks_ - 1) / clocks_; }
  // The lowest bits of a bank's number are those of its group.
  bool same_group(int a, int b) const {
    return rank(a) == rank(b) && a % config_.bank_groups == b % config_.bank_groups;
  }
  Clk last_column(Dir d) const;
  int written() const { return t_.CWL + config_.burst_clocks; } // from command to end of data

  DramConfig config_;
  DramTiming t_;
  int clocks_; // DRAM clocks of a controller clock
  std::vector<Bank> banks_;
  std::vector<std::vector<Clk>> activates_; // of each rank, all
  Clk column_ = kLongAgo, refreshed_ = kLongAgo;
  int column_rank_ = 0;
};

} // namespace axm::plain::clocked
