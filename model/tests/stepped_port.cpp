// Masters outside that act as the model's own in the fabric get its frames at a slave port.
#include <algorithm>
#include <deque>
#include <numeric>
#include <random>

#include "axiometer/model/stepped_chip.hpp"
#include "axiometer/model/transfer_run.hpp"
#include "check.hpp"

using namespace axm;

namespace {

// A clock of 10, that of the interconnect 6; 2 registers at each crossing.
processor::Config side() {
  processor::Config c;
  c.clocks = {1, 3, 6, 2, 10, 0};
  c.memory.read_clocks = 40;
  c.memory.device_clocks = 5;
  c.memory.refresh_interval = 1000000;
  c.memory.refresh_phase = 900000;
  c.port.beat_period = 4;
  c.fabric.interconnect_cycles = 5;
  c.fabric.burst_beats = 16;
  c.master = processor::Master::fabric;
  return c;
}

// The frame of a master whose first address comes in the cycle `launch`, at the time `begins`.
RepeatResult frame(const processor::Config &c, Cycle launch, std::int64_t begins) {
  const SteppedStart start{{{launch}}, begins - launch * c.clocks.pl, c.memory.refresh_phase};
  const auto chip = make_stepped(c, start);
  std::int64_t left = c.bytes / 4; // words that no burst has
  std::deque<int> bursts;          // under way: beats that have not moved
  Cycle next = launch;             // the next address, at the earliest
  while (left > 0 || !bursts.empty()) {
    const Cycle now = chip->now();
    const bool sends = !c.to_fabric && !bursts.empty() && bursts.back() > 0;
    std::optional<BurstRequest> request;
    if (left > 0 && !sends && now >= next && bursts.size() < std::size_t(c.fabric.outstanding)) {
      const auto beats = std::min<std::int64_t>(left, c.fabric.burst_beats);
      request = {0, static_cast<int>(beats), 4};
      bursts.push_back(request->beats);
      left -= beats;
      next = now + c.fabric.issue_cycles;
    }
    const bool answered = chip->is_due(0);
    const bool moves =
        c.to_fabric ? answered
                    : (sends || request) && chip->takes_write_beat(0, request ? request->beats : 0);
    if (moves) {
      --(c.to_fabric ? bursts.front() : bursts.back());
      if (!c.to_fabric)
        next = now + c.fabric.issue_cycles;
    }
    chip->drive(0, request, moves, answered && !c.to_fabric);
    if (answered && (!c.to_fabric || bursts.front() == 0)) {
      bursts.pop_front();
      if (c.fabric.outstanding == 1)
        next = now + c.fabric.issue_cycles;
    }
    chip->step();
  }
  return chip->result(nullptr);
}

} // namespace

TEST(a_write_by_hand) {
  processor::Config c = side();
  c.to_fabric = false;
  c.bytes = 64;
  c.fabric.hold_cycles = 2;
  const RepeatResult r = frame(c, 5, 50);
  const StreamResult &s = r.streams[0];
  // Beats in cycles 0 and 3 to 17, all sent at 180. There 200, two registers 208, eight beats 236,
  // the DRAM 266; edge 270, two registers 290, back 320; taken in cycle 32.
  CHECK(r.beats == std::pair(Cycle{5}, Cycle{5 + 17}));
  CHECK_EQ(r.cycles, 5 + 33);
  CHECK_EQ(r.clocks, (5 + 33) * 10 / 2);
  CHECK_EQ(s.stats.latency_sum, 32);
  CHECK_EQ(s.bytes, 64u);
  CHECK_EQ(s.stats.classes[kLaunch], 5);
  CHECK_EQ(s.stats.classes[kData], 16);
  CHECK_EQ(s.stats.classes[kMaster], 2 + 1); // between the first two beats; the response is there
  CHECK_EQ(s.stats.classes[kLatency], 14);
}

TEST(reads_of_parts_of_a_line_by_hand) {
  processor::Config c = side();
  c.bytes = 32;
  c.fabric.burst_beats = 4;
  c.fabric.outstanding = 2;
  c.port.serial_time = 1000;
  const StreamResult s = frame(c, 0, 0).streams[0];
  // Sent at 10. There 30, two registers 40, two beats 44, to the DRAM 59 and from it 69, out 84;
  // edge 90, two registers 110, back 140. The second is let pass at 1044, and comes from 1140 on.
  CHECK_EQ(s.end, 114 + 4);
  CHECK_EQ(s.stats.latency_sum, 17 + 116); // the second began in cycle 1
  CHECK_EQ(s.stats.classes[kData], 8);
  CHECK_EQ(s.stats.classes[kPath], 87); // that begin at 180 to 1040
  CHECK_EQ(s.stats.classes[kController], 1 + 1);
  CHECK_EQ(s.stats.classes[kLatency], 13 + 8);
}

TEST(masters_outside_get_the_frames_of_the_models) {
  std::mt19937 draw(3);
  const auto upto = [&](int n) { return static_cast<int>(draw() % static_cast<unsigned>(n)); };
  for (int i = 0; i < 2000; ++i) {
    processor::Config c = side();
    c.to_fabric = upto(2);
    c.clocks.pl = 10 + upto(30);
    c.clocks.pl_phase = upto(10);
    c.memory.refresh_interval = 1000 + upto(3000);
    c.memory.refresh_clocks = upto(200);
    c.memory.refresh_phase = upto(1000);
    c.fabric.interconnect_cycles = upto(20);
    c.fabric.burst_beats = 1 + upto(16);
    c.fabric.outstanding = 1 + upto(8);
    c.fabric.hold_cycles = upto(3);
    c.fabric.issue_cycles = 1 + upto(6);
    c.fabric.start_accesses = upto(4);
    c.port.address_cycles = upto(3);
    c.port.beat_period = 3 + upto(9);
    c.port.acceptance_read = c.port.acceptance_write = 1 + upto(8);
    c.port.central = upto(2);
    c.port.serial_time = upto(2) * 75;
    c.bytes = 4 * (1 + upto(300));
    const processor::Outcome model = processor::run(c);
    const Cycle launch = upto(50);
    const RepeatResult r = frame(c, launch, model.frame_begins);
    const auto at = [&](Cycle cycle) {
      return model.frame_begins + (cycle - launch) * c.clocks.pl;
    };
    CHECK_EQ(at(r.beats->first), model.first_beat);
    CHECK_EQ(at(r.beats->second), model.last_beat);
    CHECK_EQ(at(r.cycles), model.frame_ends);
    const StreamResult &s = r.streams[0];
    CHECK_EQ(s.stats.classes[kLaunch], launch);
    CHECK_EQ(s.stats.classes[kData], model.beats);
    CHECK_EQ(std::accumulate(s.stats.classes.begin(), s.stats.classes.end(), Cycle{0}), r.cycles);
    CHECK_EQ(s.bytes, static_cast<std::uint64_t>(c.bytes));
    CHECK_EQ(s.stats.bursts, (c.bytes / 4 + c.fabric.burst_beats - 1) / c.fabric.burst_beats);
  }
}
