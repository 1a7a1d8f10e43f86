#include "axiometer/model/stepped_chip.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "axiometer/model/accounting/measurement.hpp"
#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/need.hpp"

namespace axm {

namespace clocked {

namespace {

template <class T> std::vector<Books *> books_of(std::vector<T> &streams) {
  std::vector<Books *> out;
  for (T &s : streams)
    out.push_back(&s.books);
  return out;
}

// Zynq UltraScale+ with its AXI side open: the same chip and the same measurement as in
// `System`, and masters that are somewhere else. A stream's data channel is in the class in
// which the model's master would see it.
class SteppedSystem final : public SteppedChip {
public:
  SteppedSystem(const SystemConfig &c, const RepeatStart &start)
      : clocks_(c.clocks), stop_(start.stop), dram_clocks_(c.controller.dram_clocks),
        chip_(c, start.first_refresh, &trace_), interfaces_(chip_.interfaces().size()),
        streams_(c.streams.size()), measured_(c, start.stop, books_of(streams_)) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      Stream &s = streams_[i];
      s.interface = Chip::interface_of(c, i);
      interfaces_[s.interface].streams.push_back(i);
      s.launch = start.launch[i];
      s.beat_bytes = c.ports[static_cast<std::size_t>(c.streams[i].port)].width_bytes;
    }
  }

  bool takes_address(std::size_t stream) const override {
    const Stream &s = streams_[stream];
    return afi(s).takes_address() && s.books.in_flight() < Books::kMostOutstanding;
  }

  bool takes_write_beat(std::size_t stream, int begins) const override {
    const Stream &s = streams_[stream];
    const auto &sending = interfaces_[s.interface].sending;
    return (sending.empty() ? begins > 0 : first(sending, stream)) && afi(s).takes_write_beat();
  }

  // std::invalid_argument if a burst does not begin at a beat of the port's full width.
  void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) override {
    Stream &s = streams_[stream];
    if (begins && (begins->beat_bytes != s.beat_bytes ||
                   begins->address % static_cast<std::uint64_t>(s.beat_bytes) != 0))
      throw std::invalid_argument("a burst with beats of " + std::to_string(begins->beat_bytes) +
                                  " bytes: beats must have the port's full width, and be aligned");
    s.begins = begins;
    s.moves = moves;
    s.takes_response = takes_response;
  }

  void step() override {
    if (!measured_.over())
      measured_.cycle(now_, next_clk_, chip_.counts());
    for (std::size_t i = 0; i < interfaces_.size(); ++i) {
      interfaces_[i].beat = false;
      for (const std::size_t stream : interfaces_[i].streams)
        begin(stream);
      chip_.interfaces()[i].step(next_clk_);
      for (const std::size_t stream : interfaces_[i].streams)
        streams_[stream].books.count(move(stream));
    }
    for (Stream &s : streams_) {
      s.begins.reset();
      s.moves = s.takes_response = false;
    }
    ++now_;
    const auto waits = [&] {
      return std::ranges::any_of(streams_, [](const Stream &s) { return s.books.in_flight() > 0; });
    };
    // The controller's clocks from this PL edge to before the next.
    for (; next_clk_ * clocks_.ddr * dram_clocks_ < now_ * clocks_.pl; ++next_clk_) {
      chip_.clock(next_clk_);
      if (!measured_.over())
        measured_.clock(chip_.bus_class(next_clk_, waits));
    }
    due_ = 0;
    for (std::size_t i = 0; i < streams_.size(); ++i)
      due_ |= std::uint64_t{answers(i)} << i;
  }

  RepeatResult result(Trace *trace) override {
    if (stop_ >= kNever)
      throw std::invalid_argument("stop: a free run needs an end");
    std::vector<StreamResult> whole;
    for (const Stream &s : streams_)
      whole.push_back({s.launch, now_, static_cast<std::uint64_t>(s.books.beats() * s.beat_bytes),
                       s.books.stats});
    while (!measured_.over())
      step();
    RepeatResult r = measured_.result();
    r.whole = std::move(whole);
    if (trace != nullptr)
      *trace = std::move(trace_);
    return r;
  }

private:
  struct Stream {
    std::size_t interface = 0;
    Cycle launch = 0;
    int beat_bytes = 0;
    int unsent = 0; // write bursts whose address has come and whose beats have not all
    // Of this cycle.
    std::optional<BurstRequest> begins;
    bool moves = false, takes_response = false;
    Books books;
  };

  // An AFI interface's streams, several of them behind a multiplexer in the fabric.
  struct Interface {
    std::vector<std::size_t> streams;
    std::deque<std::size_t> owners;  // of bursts whose data (read) or response (write) are to come
    std::deque<std::size_t> sending; // of write bursts whose data are to come
    bool beat = false;               // one has moved in this cycle
  };

  Afi &afi(const Stream &s) { return chip_.interfaces()[s.interface]; }
  const Afi &afi(const Stream &s) const { return chip_.interfaces()[s.interface]; }
  bool first(const std::deque<std::size_t> &turn, std::size_t stream) const {
    return !turn.empty() && turn.front() == stream;
  }
  // Whether it has a beat to read, or a response.
  bool answers(std::size_t stream) const {
    const Stream &s = streams_[stream];
    if (!first(interfaces_[s.interface].owners, stream))
      return false;
    return afi(s).reads() ? afi(s).read_beat() : afi(s).response(next_clk_);
  }

  void begin(std::size_t stream) {
    Stream &s = streams_[stream];
    if (!s.begins)
      return;
    afi(s).address(s.begins->address, s.begins->beats * s.begins->beat_bytes);
    s.books.begin(now_);
    interfaces_[s.interface].owners.push_back(stream);
    if (!afi(s).reads()) {
      interfaces_[s.interface].sending.push_back(stream);
      ++s.unsent;
    }
  }

  // The rest of a stream's cycle, and its class.
  StreamClass move(std::size_t stream) {
    Stream &s = streams_[stream];
    Interface &at = interfaces_[s.interface];
    Afi &port = afi(s);
    const bool reads = port.reads();
    if (s.takes_response) {
      port.take_response();
      s.books.complete(now_);
      at.owners.pop_front();
    }
    auto &turn = reads ? at.owners : at.sending;
    if (s.moves) {
      at.beat = true;
      if (!(reads ? port.take_beat() : port.write_beat(next_clk_)))
        return kData;
      turn.pop_front();
      if (reads)
        s.books.complete(now_);
      else
        --s.unsent;
      return kData;
    }
    if (now_ < s.launch)
      return kLaunch;
    if (turn.empty() || (!reads && s.unsent == 0))
      return kMaster;
    if (turn.front() != stream)
      return kPath; // behind another master's burst
    const bool offered = !at.beat && (reads ? port.read_beat() : port.takes_write_beat());
    return offered ? kMaster : port.waits_for();
  }

  ClockRatio clocks_;
  Cycle stop_;
  int dram_clocks_; // of a controller clock
  Trace trace_;
  Chip chip_;
  std::vector<Interface> interfaces_;
  std::vector<Stream> streams_;
  Measurement measured_;
  Clk next_clk_ = 0; // of the controller; the PL cycle begins in it
};

} // namespace

std::unique_ptr<SteppedChip> step(const SystemConfig &c, const RepeatStart &start) {
  return std::make_unique<SteppedSystem>(c, start);
}

} // namespace clocked

std::unique_ptr<SteppedChip> make_stepped(const SystemConfig &c, const RepeatStart &start) {
  c.check_closed();
  for (std::size_t i = 0; i < c.ports.size(); ++i)
    need(c.clocks_of(c.ports[i]).pl == c.clocks.pl, key_of("ports", i, "period"),
         "engines outside have the PL's clock");
  need(c.streams.size() <= 64, "streams", "at most 64 of engines outside");
  check_start(c, start);
  return part_of<ControllerPart>(c.controller).step(c, start);
}

} // namespace axm
