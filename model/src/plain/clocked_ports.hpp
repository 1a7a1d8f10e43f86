// The controller's ports and their arbiter in the executable specification; the rules are those of
// interconnect/ddrc_ports.hpp. A port holds parts of its interfaces in two queues, and what it has
// passed of reads until their data have gone back, in the order of passing.
#pragma once

#include <deque>
#include <vector>

#include "clocked_controller.hpp"
#include "clocked_fabric.hpp"

namespace axm::plain::clocked {

class Ports {
public:
  Ports(const SystemConfig &c, std::vector<Fabric> &fabrics);

  // A controller clock before the controller's: parts come in, commands pass to the stores.
  void clock(Clk now, Controller &controller);
  // Whether a video read that has expired waits before the full read store; after `clock`'s parts
  // have come in, before commands pass.
  bool late_read_waited() const { return late_read_waited_; }
  // After it: the data of a read that was served come at the end of their delay.
  void served(const Entry &e, Clk now);
  void give_back(Clk now);

private:
  struct Read {
    std::size_t interface = 0, part = 0;
    Clk seen = 0; // by the arbiter
    Clk deadline = kNever;
  };
  struct Write {
    std::size_t interface = 0, part = 0;
    Clk seen = 0;
    Clk deadline = kNever;
    Clk data = kNever; // the arbiter sees the first of them; kNever: they wait for its turn
    int passed = 0;    // columns
  };
  struct Returning {
    std::size_t interface = 0, part = 0, serial = 0;
    Clk there = kNever;
  };
  struct Asked {                         // of a port by what waits in it
    bool has[3] = {false, false, false}; // of each TrafficClass
    int qos = -1;
    Clk deadline = kNever;
  };
  struct Port {
    PathConfig config;
    std::vector<std::size_t> interfaces[2];
    std::size_t turn[2] = {0, 0}; // of the interfaces
    std::deque<Read> reads;
    std::deque<Write> writes;
    std::deque<Returning> returns;
    int read_passed = 0;     // columns of the first read
    Clk read_again = 0;      // from when on another may pass
    Clk read_began = 0;      // the first column of it passed
    bool read_late = false;  // it had expired then
    std::size_t serials = 0; // of reads that have passed
    int last_writer = -1;    // interface whose data came last
    Clk channel_free[2] = {0, 0};
  };

  Interface &interface(std::size_t i) { return fabrics_[i].port; }
  const Interface &interface(std::size_t i) const { return fabrics_[i].port; }
  const Part &part(const Write &w) const { return interface(w.interface).parts[w.part]; }
  TrafficClass traffic(std::size_t i, Dir d) const { return interface(i).port().afi.traffic[d]; }
  Clk column_clocks(const Port &p) const { return p.config.column_clocks / dram_clocks_; }

  int offering(Port &p, Dir d, Clk now);
  void enter(Port &p, Clk now);
  void data_come(Port &p, Write &w, Clk begin, Clk seen);
  bool asks_to_read(const Port &p, Clk now) const;
  bool may_read(const Port &p, Clk now, const Controller &controller) const;
  bool may_write(const Port &p, Clk now, const Controller &controller) const;
  bool data_are_here(const Port &p, Clk now) const;
  bool held_back(const Port &p, Dir d, const Controller &controller) const;
  int keeps_its_turn(Dir d, const Controller &controller) const;
  void pass_read(Clk now, Controller &controller);
  void pass_write(Clk now, Controller &controller);
  Asked asks(const Port &p, Dir d, Clk now) const;
  int choose(Dir d, Clk now, const std::vector<bool> &can);
  int choose_write(Clk now, const std::vector<bool> &can);
  Entry entry(std::size_t port, std::size_t interface, const Part &p, int column, Dir d) const;

  // Where column n of a part begins, and the bytes of the part in it.
  std::uint64_t column_address(const Part &p, int n) const;
  int column_bytes(const Part &p, int n) const;

  int dram_clocks_; // of a clock of the controller
  DdrcConfig config_;
  DramConfig dram_;
  std::vector<Fabric> &fabrics_;
  std::vector<Port> ports_;
  Clk again_ = 0;             // from when on another command may pass
  int current_[2] = {-1, -1}; // port that keeps its turn
  std::size_t qos_turn_[2][16] = {}, class_turn_[2][3] = {};
  bool late_read_waited_ = false;
  int last_writer_ = -1, wrote_in_row_ = 0; // while others waited
};

} // namespace axm::plain::clocked
