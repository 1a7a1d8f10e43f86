// A verilated top on the guest's memory, whose first beat or response comes a plain number of
// clocks after an address or a last beat, in order. No chip is modelled: times mean nothing. At the
// end it prints on standard error how its bursts went out:
//
//   bursts: port=N cache=N prot=N count=N
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>

#include "rtl_device.hpp"
#include "served.hpp"

namespace axm::vfio {

namespace {

constexpr std::size_t kMostBursts = 64, kMostStreams = 8;

// Stream 2p is what port p reads, 2p + 1 what it writes.
class PlainChip final : public SteppedChip {
public:
  explicit PlainChip(unsigned latency) : latency_(latency) {}

  bool takes_address(std::size_t stream) const override {
    return bursts_[stream].size() < kMostBursts;
  }
  bool takes_write_beat(std::size_t, int) const override { return true; }
  void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) override {
    std::deque<Burst> &bursts = bursts_[stream];
    const bool reads = stream % 2 == 0;
    if (begins)
      bursts.push_back({begins->beats, reads ? now_ + latency_ : kNever});
    if (moves) {
      const auto b = std::ranges::find_if(bursts, [](const Burst &each) { return each.left > 0; });
      if (--b->left == 0)
        b->due = now_ + latency_;
    }
    if (takes_response || (reads && bursts.front().left == 0))
      bursts.pop_front();
  }
  void step() override {
    ++now_;
    due_ = 0;
    for (std::size_t s = 0; s < kMostStreams; ++s)
      if (!bursts_[s].empty() && bursts_[s].front().due <= now_)
        due_ |= std::uint64_t{1} << s;
  }
  RepeatResult result(Trace *) override { return {}; }

private:
  struct Burst {
    int left; // beats
    Cycle due;
  };
  Cycle latency_;
  std::array<std::deque<Burst>, kMostStreams> bursts_;
};

std::vector<cosim::AxiPort> ports() {
  constexpr int kOneMaster = 31; // the first bit of an ID that tells masters apart
  std::vector<cosim::AxiPort> found;
  for (int p = 0; p < static_cast<int>(cosim::Design::ports()); ++p)
    found.emplace_back(p, cosim::AxiPort::Streams{{2 * p}, {2 * p + 1}, kOneMaster},
                       cosim::Design::width_bytes(), cosim::Design::axi3(), false);
  return found;
}

class PlainMemory final : public Slaves {
public:
  PlainMemory(GuestMemory &guest, unsigned latency)
      : Slaves(guest, ~std::uint64_t{0}, ports()), latency_(latency) {
    reset();
  }
  // Memory here has no caches, so that only this shows which accesses would be coherent.
  void say() const {
    for (const auto &[how, bursts] : settings_)
      std::cerr << "bursts: port=" << std::get<0>(how) << " cache=" << std::get<1>(how)
                << " prot=" << std::get<2>(how) << " count=" << bursts << '\n';
  }

private:
  std::unique_ptr<SteppedChip> make() const override {
    return std::make_unique<PlainChip>(latency_);
  }
  void saw(std::size_t port, const cosim::FromMaster &m, const cosim::ToMaster &t) override {
    if (m.ar.valid && t.ar_ready)
      ++settings_[{port, m.ar.cache, m.ar.prot}];
    if (m.aw.valid && t.aw_ready)
      ++settings_[{port, m.aw.cache, m.aw.prot}];
  }

  unsigned latency_;
  std::map<std::tuple<std::size_t, int, int>, std::uint64_t> settings_;
};

class Design final : public Served {
public:
  Design(GuestMemory &memory, unsigned latency) : memory_(memory, latency), design_(memory_) {}
  ~Design() override { memory_.say(); }
  Device &device() override { return design_; }
  bool objects() const override { return memory_.objects(); }

private:
  PlainMemory memory_;
  RtlDevice design_;
};

} // namespace

std::unique_ptr<Served> served(GuestMemory &memory, unsigned latency, std::string_view option) {
  if (!option.empty())
    throw std::invalid_argument("this program serves its design, without options");
  return std::make_unique<Design>(memory, latency);
}

} // namespace axm::vfio
