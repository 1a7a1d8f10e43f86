#include "axiometer/model/sources/convolution.hpp"

#include "axiometer/model/need.hpp"

namespace axm::clocked {

namespace {

bool power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

} // namespace

void Convolution::check(const SystemConfig &c) {
  const ConvolutionConfig &v = c.convolution;
  need(v.lanes >= 1 && v.lanes <= kMostLanes, "convolution.lanes", "must be 1 to 8 accelerators");
  need(power_of_two(v.buffer_bytes) && v.buffer_bytes >= 1024 && v.buffer_bytes <= 4096,
       "convolution.buffer_bytes", "must be 1024, 2048 or 4096");
  need(c.streams.size() == 2 * c.ports.size(), "streams",
       "accelerators have a read and a write stream at each port");
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const StreamConfig &s = c.streams[i];
    need(s.dir == (i % 2 == 0 ? kRead : kWrite) && s.port == static_cast<int>(i / 2), "streams",
         "must be a read and a write stream of each port in turn");
    need(s.stop < 0, key_of("streams", i, "stop"), "accelerators stop with the run");
    need(power_of_two(s.burst_bytes) && s.burst_bytes >= kMatrixBytes &&
             s.burst_bytes <= v.buffer_bytes,
         key_of("streams", i, "burst_bytes"), "must be a power of two from 64 to a buffer");
    need(power_of_two(v.turn) && s.burst_bytes * v.turn <= v.buffer_bytes, "convolution.turn",
         "must be a power of two, at most a buffer's worth of bursts");
    need(s.region / static_cast<std::uint64_t>(2 * v.lanes) >=
             static_cast<std::uint64_t>(v.buffer_bytes),
         key_of("streams", i, "region"), "must have room for a buffer of each input of each lane");
  }
  for (std::size_t i = 0; i < c.ports.size(); ++i)
    need(c.ports[i].width_bytes <= 64, key_of("ports", i, "width_bytes"),
         "must be at most a matrix");
}

Convolution::Convolution(const SystemConfig &c, std::size_t read, std::size_t write)
    : beat_(c.ports[static_cast<std::size_t>(c.streams[read].port)].width_bytes),
      burst_(c.streams[read].burst_bytes), turn_(c.convolution.turn), turn_bytes_(burst_ * turn_),
      buffer_(c.convolution.buffer_bytes), lanes_(static_cast<std::size_t>(c.convolution.lanes)) {
  const auto side = [&](Side &s, std::size_t stream, int inputs, int bytes) {
    const StreamConfig &of = c.streams[stream];
    const int count = inputs * c.convolution.lanes;
    const auto whole = static_cast<std::uint64_t>(buffer_);
    s.stream = stream;
    s.limit = of.outstanding;
    // Results have the same distance as inputs.
    s.span = of.region / static_cast<std::uint64_t>(2 * c.convolution.lanes) / whole * whole;
    s.latest = count - 1;
    for (int k = 0; k < count; ++k) {
      // Of the inputs, first all lanes' A, then all lanes' B.
      const int place = inputs == 2 ? k / 2 + k % 2 * c.convolution.lanes : k;
      s.streams.push_back({of.base + static_cast<std::uint64_t>(place) * s.span, 0, bytes});
    }
  };
  side(read_, read, 2, buffer_);
  side(write_, write, 1, 0);
}

// The stream that has its turn, or begins one; -1: none can.
int Convolution::next(const Side &s) const {
  if (s.left > 0)
    return s.latest;
  const int count = static_cast<int>(s.streams.size());
  for (int i = 1, k = s.latest; i <= count; ++i) {
    k = k + 1 == count ? 0 : k + 1;
    if (s.streams[static_cast<std::size_t>(k)].bytes >= turn_bytes_)
      return k;
  }
  return -1;
}

// The stream of the burst that is chosen in this cycle; `free`: the address register is.
int Convolution::choose(const Side &s, bool free) const {
  const std::int64_t flying = s.sent - s.books.stats.bursts;
  return free && flying < s.limit ? next(s) : -1;
}

void Convolution::send(Side &s, int stream) {
  Stream &of = s.streams[static_cast<std::size_t>(stream)];
  if (s.left == 0) {
    s.left = turn_;
    of.bytes -= turn_bytes_;
  }
  --s.left;
  s.latest = stream;
  s.valid = true;
  s.address = of.base + of.offset;
  of.offset += static_cast<std::uint64_t>(burst_);
  if (of.offset == s.span)
    of.offset = 0;
  ++s.sent;
  s.of.push(stream);
}

void Convolution::take_address(Side &s, Cycle cycle, Afi &to) {
  if (!s.valid || !to.takes_address())
    return;
  to.address(s.address, burst_);
  s.books.begin(cycle);
  s.valid = false;
}

void Convolution::move_read(Cycle cycle, Afi &reads) {
  if (!reads.read_beat()) {
    read_.books.count(reads.waits_for());
    return;
  }
  read_.books.count(kData);
  const auto stream = static_cast<std::size_t>(read_.of.front());
  lanes_[stream / 2].held[stream % 2] += beat_;
  if (reads.take_beat()) {
    read_.of.pop();
    read_.books.complete(cycle);
  }
}

// `more`: a beat follows the current one, if that is taken.
void Convolution::move_write(Cycle cycle, Clk now, Afi &writes, bool more) {
  if (writes.response(now)) {
    writes.take_response();
    write_.books.complete(cycle);
  }
  bool taken = false;
  if (!beat_valid_)
    write_.books.count(write_.books.in_flight() >= write_.limit ? kMaster : kPartner);
  else if (!writes.takes_write_beat())
    write_.books.count(writes.waits_for());
  else {
    write_.books.count(kData);
    writes.write_beat(now);
    taken = true;
  }
  if (taken)
    beat_valid_ = false;
  if (!beat_valid_ && more) {
    beat_valid_ = true;
    lanes_[static_cast<std::size_t>(write_.of.front())].results -= beat_;
    if ((write_.moved += beat_) == burst_) {
      write_.moved = 0;
      write_.of.pop();
    }
  }
}

// As registers do: what is decided in a cycle looks at what was at its beginning.
void Convolution::step(Cycle cycle, Clk now, Afi &reads, Afi &writes) {
  if (cycle < launch_) {
    read_.books.count(kLaunch);
    write_.books.count(kLaunch);
    return;
  }
  const bool more = !write_.of.empty();
  const int next_read = choose(read_, !read_.valid || reads.takes_address());
  const int next_write = choose(write_, !write_.valid || writes.takes_address());
  for (Lane &l : lanes_)
    l.begins = l.clock == 0 && l.held[0] >= kMatrixBytes && l.held[1] >= kMatrixBytes &&
               l.results <= buffer_ - kMatrixBytes;
  take_address(read_, cycle, reads);
  take_address(write_, cycle, writes);
  reads.step(now);
  move_read(cycle, reads);
  move_write(cycle, now, writes, more);
  if (next_read >= 0)
    send(read_, next_read);
  if (next_write >= 0)
    send(write_, next_write);
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    Lane &l = lanes_[k];
    if (l.begins) {
      l.held[0] -= kMatrixBytes;
      l.held[1] -= kMatrixBytes;
      l.results += kMatrixBytes;
    }
    if (l.clock == kConsumed)
      for (std::size_t input = 0; input < 2; ++input)
        read_.streams[2 * k + input].bytes += kMatrixBytes;
    if (l.clock == kProduced) {
      write_.streams[k].bytes += kMatrixBytes;
      l.clock = 0;
    } else if (l.begins || l.clock > 0) {
      ++l.clock;
    }
  }
}

} // namespace axm::clocked
