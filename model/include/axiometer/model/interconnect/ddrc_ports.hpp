// The ports of the UltraScale+ DDR controller and their arbiter. AFI interfaces that share
// a port (HP1 and HP2) take turns by parts. A port keeps parts in a queue, expands them into
// commands of one DRAM burst, and gives data back in the order of acceptance over its own
// data channel. Reads and writes share the way from the arbiter to the stores, which a command
// takes for `command_clocks`, a write for as long as its data need (`write_bytes`), reads first:
// the video class where one of its parts has expired, then high priority, then by AXI QoS value,
// then the ports in turn (UG1085, chapter 17, Port Arbiter). Before a port its interfaces and the
// chip's own masters meet in a switch that takes the highest AXI QoS value first, equal ones in
// turn (Arm's NIC-400: QoS value, then least recently granted). Where they differ, a port requests
// with the urgency of its most urgent waiting part: a guess, without which a master of a low value
// holds back all parts behind it as long as other ports request. The arbiter stays with a part
// until all of it has passed, and a port without a place in the store has no turn. A port that
// wrote `write_turns` parts in a row while others waited lets one of them write. A read part that
// had expired when its turn came, and any of two interfaces that share a port, keeps the way for as
// long as its data take to go back over the port's channel: others wait. Both are
// inferred from published rates (docs/numbers.md).
#pragma once

#include <bit>
#include <vector>

#include "axiometer/model/config.hpp"
#include "axiometer/model/ports/afi.hpp"
#include "axiometer/model/targets/usp_ddrc.hpp"

namespace axm::clocked {

// Row, bank and column of a byte address.
class Locator {
public:
  explicit Locator(const DramConfig &d);
  int bank(std::uint64_t address) const {
    std::uint64_t b = 0;
    for (int i = 0; i < count_; ++i)
      b |= std::rotr(address, runs_[i].shift) & runs_[i].mask;
    return static_cast<int>(b);
  }
  std::uint32_t row(std::uint64_t address) const {
    return static_cast<std::uint32_t>(address >> row_first_ & row_mask_);
  }

private:
  struct Run { // bits that follow each other in the address and in the number
    int shift = 0;
    std::uint64_t mask = 0;
  };

  Run runs_[8]; // of bank and rank, lowest first
  int count_ = 0;
  int row_first_ = 0;
  std::uint64_t row_mask_ = 0;
};

class Ports {
public:
  Ports(const SystemConfig &c, std::vector<Afi> &interfaces);

  // One controller clock: parts into the ports, commands into the stores.
  void step(Clk now, Ddrc &ddrc);
  // A column command was served at `now`.
  void served(Dir d, const Entry &e, Clk now);
  // Data that have crossed the ports' channels.
  void give_back(Clk now);

private:
  Ports(const SystemConfig &c, const DdrcConfig &keys, std::vector<Afi> &interfaces);
  struct Waiting { // a read part in the queue
    int stream = 0;
    unsigned part = 0;
    Clk seen = 0; // by the arbiter
  };
  struct Writing { // a write part whose data come in
    Part part;
    int stream = 0, sent = 0;
    Clk seen = 0; // by the arbiter
    Clk first_beat = kNever;
    // Of its next column: the DRAM burst, its bytes in that, and when these have come in.
    std::uint64_t column = 0;
    int bank = 0;
    Clk bytes = 0, there = kNever;
  };
  struct Returning { // a column's data
    int stream = 0;
    unsigned part = 0;
    Clk there = kNever;
  };
  struct Asked {          // of a port by what waits in it
    unsigned classes = 0; // a bit for each TrafficClass
    int qos = -1;
    Clk deadline = kNever;
  };
  struct Port {
    static constexpr int kMostReads = 64;
    DdrcPortConfig config;
    int read_places = 0;             // parts that wait
    int credits = 0;                 // read commands from acceptance to the data's return
    Clk column_clocks = 0;           // of the data channel, for a column
    std::vector<int> streams[2];     // of interfaces
    bool differ[2] = {false, false}; // interfaces of different classes or AXI QoS values
    std::size_t turn[2] = {0, 0};
    int last_source = -1;
    Clk channel_free[2] = {0, 0};
    Ring<Waiting, kMostReads> reads;
    Ring<Writing, 64> writes;
    Ring<Returning, 128> returns;
    Clk read_next = 0; // command
    int sent = 0;      // commands of the first read part
    Clk began = 0;     // when the first of them passed
    bool late = false; // whether the part had expired then
  };

  void fill(Clk now);
  int offering(Port &p, Dir d, Clk now);
  void take_read(Port &p, Clk now);
  void take_write(Port &p, Clk now);
  Clk requests_from(const Port &p, Clk now) const;
  bool late_read_waits(Clk now, const Ddrc &ddrc) const;
  Asked asks(const Port &p, Dir d, Clk now) const;
  // Whether one of them may pass something now.
  bool looks(Dir d, Clk now, const Ddrc &ddrc) const {
    return free_ <= now && (now >= from_[d] || (full_[d] && changes_[d] != ddrc.changes()));
  }
  int chosen(Dir d, Clk now, const Ddrc &ddrc);
  int most_urgent(Dir d, Clk now, std::uint64_t able);
  int next_write(Clk now, std::uint64_t able);
  bool kept_back(std::size_t k, Dir d, const Ddrc &ddrc) const;
  Clk passes_from(std::size_t k, Dir d, Clk now) const;
  int goes_on(Dir d, const Ddrc &ddrc) const;
  void pass_read(Clk now, Ddrc &ddrc);
  void pass_write(Clk now, Ddrc &ddrc);
  Entry entry(const Part &p, std::uint64_t column, int bank, int stream, int port, Dir d) const;
  // The address of a part's DRAM burst `n`.
  std::uint64_t column_at(std::uint64_t part, int n) const {
    return ((part >> column_shift_) + static_cast<std::uint64_t>(n)) << column_shift_;
  }
  void send(Port &p, Writing &w, Clk begin, Clk seen);
  void next_column(const Port &p, Writing &w) const;

  Afi *interfaces_; // the chip's, in its order
  Locator locator_;
  std::vector<Port> ports_;
  std::size_t count_ = 0; // of them: `size` divides by theirs
  int column_, column_shift_;
  Clk read_clocks_;
  bool by_part_;
  int write_turns_;
  std::uint64_t last_writer_ = 0; // the port that wrote last where another waited
  int in_row_ = 0;                // parts that it then wrote one after the other
  std::size_t turn_[2][16] = {};  // of the ports of a QoS value, and of those of a class
  std::size_t class_turn_[2][3] = {};
  Clk write_bytes_, command_clocks_; // of the way from the arbiter to the stores
  Clk free_ = 0;                     // that way
  int current_[2] = {-1, -1};        // port whose part is passed on
  // No port may pass anything before these clocks, unless a part or data come, or the stores
  // change.
  Clk from_[2] = {0, 0};
  bool full_[2] = {false, false};     // whether the stores kept one back at the latest look
  std::uint64_t changes_[2] = {0, 0}; // of the stores, then
  Clk fill_from_ = 0;                 // when a part may come in
  Clk give_from_ = 0;                 // when data may go back
};

} // namespace axm::clocked
