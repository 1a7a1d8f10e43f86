// What of a free run is measured: from `settle` on (of a short run the second half), until the
// confidence interval of its rate, from block to block, is narrow enough, or until `stop`.
#pragma once

#include <vector>

#include "axiometer/model/config.hpp"
#include "axiometer/model/stats.hpp"
#include "axiometer/model/usp/books.hpp"

namespace axm::usp {

class Measurement {
public:
  using Counts = std::array<std::int64_t, kDramCounts>;

  // `books`: of each stream; they stay where they are.
  Measurement(const SystemConfig &c, Cycle stop, std::vector<const Books *> books);

  // A PL cycle begins, in controller clock `now`; nothing has happened in it.
  void cycle(Cycle cycle, Clk now, const Counts &dram) {
    if (cycle == next_)
      mark(cycle, now, dram);
  }
  bool over() const { return over_; }
  // The class of a controller clock.
  void clock(BusClass c) { ++classes_[latest_ = c]; }

  // Of what was measured; to be called when it is over.
  RepeatResult result() const;

private:
  void mark(Cycle cycle, Clk now, const Counts &dram);
  std::vector<StreamStats> copy() const;
  std::int64_t bytes() const; // so far, of all streams
  bool settled();

  MeasureConfig config_;
  ClockRatio clocks_;
  int dram_clocks_; // of a controller clock
  std::vector<const Books *> books_;
  std::vector<int> beat_bytes_;

  Cycle begin_, end_, next_;
  Clk begin_clk_ = 0, end_clk_ = 0;
  bool over_ = false;
  std::vector<StreamStats> at_begin_, at_end_;
  Counts dram_at_begin_{}, dram_at_end_{};
  std::array<std::int64_t, kBusClasses> classes_{};
  BusClass latest_ = kIdleNoRequest; // class of the last clock
  std::int64_t before_ = 0;          // bytes when the block began
  double sum_ = 0, squares_ = 0;
  int blocks_ = 0;
};

} // namespace axm::usp
