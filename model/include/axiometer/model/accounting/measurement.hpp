// Selects the measured part of a free run, and ends the run. From `settle` on (in a short run, the
// second half) the run is cut into batches of one or more blocks, at most kBatches; at that number,
// neighbours are joined. From time to time `Steady` checks the batches' bytes: the run ends when
// its rate has settled and the interval of its mean is narrow enough, else at `stop`. The longer it
// lasts, the wider the interval may be. The measured part begins behind the start-up that was cut.
//
// Sequential streams disturb each other by their distance in the banks. Where two streams of a
// direction drift apart, but by less than once around the banks, the rate holds only for the
// distances of the run: it has not settled, however steady it looks. Where they only wander, to and
// fro, by more than taking turns explains, the rate has settled, but may drift: nothing holds them
// at these distances, and others may have another rate.
//
// Where a stream stops by itself nothing is steady: the run goes to `stop`, and is measured from
// `settle` on as a whole. A port with its own clock has its own cycles: cycles count that begin and
// end between the two.
//
// Classes, bytes and commands are counted between two cycles; bursts that begin and are complete
// between them count for latencies, so that Little's law holds.
#pragma once

#include <span>
#include <vector>

#include "axiometer/model/accounting/clocked_books.hpp"
#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/machine/steady.hpp"

namespace axm::clocked {

class Measurement {
public:
  using Counts = std::array<std::int64_t, kDramCounts>;
  static constexpr std::size_t kBatches = 32;

  // `books`: of each stream; their addresses stay valid.
  Measurement(const SystemConfig &c, Cycle stop, std::vector<Books *> books);

  // A PL cycle begins, in controller clock `now`; nothing has happened in it.
  void cycle(Cycle cycle, Clk now, const Counts &dram) {
    if (cycle == next_)
      mark(cycle, now, dram);
  }
  // The next PL cycle to count.
  Cycle next() const { return next_; }
  bool over() const { return over_; }
  // The class of a controller clock, or of so many in a row.
  void clock(BusClass c, Clk clocks = 1) { classes_[latest_ = c] += clocks; }
  // It ends with a PL cycle that was not counted, because its stop was not known before.
  void end(Cycle cycle) {
    stop_ = cycle;
    if (!begins_.empty())
      next_ = cycle;
  }

  // Of the measured part; call it at the end.
  RepeatResult result() const;

private:
  // The moment at which a batch begins; the streams' accounting has theirs under the same number.
  struct Moment {
    Cycle cycle = 0;
    Clk clk = 0;
    Counts dram{};
    std::array<std::int64_t, kBusClasses> classes{};
    std::int64_t bytes = 0;              // so far, of all streams
    std::vector<std::int64_t> of_stream; // so far
  };

  // Two streams of a direction, neither at random.
  struct Pair {
    std::size_t first, second;
    bool sequential; // both
  };

  void mark(Cycle cycle, Clk now, const Counts &dram);
  void begin_batch(const Moment &at);
  void merge();
  bool judge(const Moment &now);
  Steady judged(const Moment &now) const;
  bool drift(std::span<const Moment> moments) const;
  bool wander(std::span<const Moment> moments) const;
  double distance(const Pair &pair, const Moment &at) const;
  void finish(const Moment &now);
  StreamStats measured(std::size_t stream) const;

  MeasureConfig config_;
  ClockRatio clocks_;
  int dram_clocks_; // of a controller clock
  std::vector<Books *> books_;
  std::vector<int> beat_bytes_;
  std::vector<std::uint64_t> most_bytes_;        // of the streams: the last beat may be in part
  std::vector<std::int64_t> periods_;            // of the streams' clocks, base units
  std::vector<double> step_bytes_, burst_bytes_; // of the streams, from burst to burst
  std::vector<Pair> pairs_;                      // of streams that may drift apart
  double row_bytes_, round_bytes_;               // of a bank; of all of them

  Cycle stop_, next_;
  bool over_ = false;
  std::vector<Moment> begins_; // of each batch; the last one's is that of the one under way
  Moment end_;
  std::vector<StreamStats> measured_;  // of each stream, when it is over
  std::size_t blocks_ = 1, block_ = 0; // of a batch; so far in the one under way
  Steady steady_;
  bool may_drift_ = false;
  std::array<std::int64_t, kBusClasses> classes_{};
  BusClass latest_ = kIdleNoRequest; // class of the last clock
};

} // namespace axm::clocked
