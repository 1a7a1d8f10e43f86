#include "axiometer/model/processor/gp_port.hpp"

namespace axm::processor {

GpPort::GpPort(const Config &config)
    : gp_(config.gp), slave_(config.slave), pl_{config.clocks.pl, config.clocks.pl_phase},
      interconnect_{config.clocks.interconnect, 0}, apb_{config.clocks.apb, 0},
      gpio_clocks_(config.gpio_clocks), beats_(pl_),
      reads_(static_cast<std::size_t>(config.gp.outstanding_read), 0) {
  for (Channel &c : channels_)
    c.places.assign(static_cast<std::size_t>(slave_.outstanding), 0);
}

// The slave as its figures describe it.
void GpPort::at_slave(Time start, int beats, bool read, Time data_free) {
  const int latency = read ? slave_.read_latency : slave_.write_latency;
  const Time first = std::max(data_free, start + (read ? latency * pl_.period : 0));
  const Time step = (read ? slave_.read_beat_cycles : 1) * pl_.period;
  served_.beats.clear();
  for (int i = 0; i < beats; ++i)
    served_.beats.push_back(first + i * step);
  served_.end = first + beats * step + (read ? 0 : latency * pl_.period);
}

// One burst at the slave, its address there at `arrived` (an edge of the fabric): the edge after
// its last beat, or its response.
Time GpPort::serve(Time arrived, int beats, bool read, Trail *trail) {
  Channel &channel = channels_[read];
  auto place = std::min_element(channel.places.begin(), channel.places.end());
  const bool several = slave_.outstanding > 1;
  const Time start = several ? std::max({arrived, *place, channel.taken})
                             : std::max(arrived, pl_.edge(slave_free_));
  if (outside_)
    served_ = outside_(start, beats, read);
  else
    at_slave(start, beats, read, several ? channel.data_free : 0);
  const Served &s = served_;
  for (const Time beat : s.beats)
    beats_.at(beat);
  channel.taken = start;
  *place = s.end;
  channel.data_free = read ? s.end : s.beats.back() + pl_.period;
  slave_free_ = s.end + (read ? slave_.read_recovery : slave_.write_recovery) * pl_.period;
  if (trail) {
    trail->add(start, Class::queue);
    trail->add(s.beats.front(), Class::fabric);
    trail->add(read ? s.end : s.beats.back() + pl_.period, Class::data);
    trail->add(s.end, Class::fabric);
  }
  return s.end;
}

// Cut into bursts of the port. The interconnect takes a write's data a beat a clock, and passes
// none of a burst on before it has all of it; of a read it needs the address only.
Time GpPort::access(Time t, int bytes, bool read, Trail *trail) {
  const int clocks = read ? gp_.read_clocks : gp_.write_clocks;
  const int out = clocks / 2, back = clocks - out;
  const int way = read ? slave_.read_way_cycles : slave_.write_way_cycles;
  const int beats = std::max(1, (bytes + gp_.beat_bytes - 1) / gp_.beat_bytes);
  Time end = t;
  for (int done = 0; done < beats;) {
    const int burst = std::min(beats - done, gp_.burst_beats);
    done += burst;
    const Time sent = interconnect_.after(t, out + (read ? 0 : done));
    const Time crossed = pl_.after(sent, gp_.sync_cycles);
    const Time arrived = crossed + way / 2 * pl_.period;
    if (trail) {
      trail->add(sent, Class::interconnect);
      trail->add(crossed, Class::crossing);
      trail->add(arrived, Class::fabric);
    }
    // Bursts of one access follow one another.
    if (!slave_.single)
      end = serve(std::max(arrived, end), burst, read, trail);
    else
      for (int i = 0; i < burst; ++i)
        end = serve(std::max(arrived, end), 1, read, trail);
  }
  end += (way - way / 2) * pl_.period;
  const Time crossed = interconnect_.edge(end);
  const Time done = crossed + back * interconnect_.period;
  if (trail) {
    trail->add(end, Class::fabric);
    trail->add(crossed, Class::crossing);
    trail->add(done, Class::interconnect);
  }
  return done;
}

Time GpPort::read(Time t, int bytes, Trail *trail, bool waits) {
  if (!waits)
    return access(t, bytes, true, trail);
  auto place = std::min_element(reads_.begin(), reads_.end());
  const Time begin = std::max(t, *place);
  if (trail)
    trail->add(begin, Class::queue);
  return *place = access(begin, bytes, true, trail);
}

Time GpPort::write(Time t, int bytes, Trail *trail) { return access(t, bytes, false, trail); }

Time GpPort::reg(Time t, bool read, bool data, Trail *trail) {
  const int clocks = read ? gp_.read_clocks : gp_.write_clocks;
  const int out = clocks / 2, back = clocks - out;
  const Time sent = interconnect_.after(t, out);
  const Time end = apb_.after(sent, gpio_clocks_);
  if (data)
    beats_.at(pl_.edge(end));
  const Time done = interconnect_.after(end, back);
  if (trail) {
    trail->add(done, Class::interconnect);
  }
  return done;
}

} // namespace axm::processor
