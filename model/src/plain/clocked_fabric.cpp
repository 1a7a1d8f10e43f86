#include "clocked_fabric.hpp"

namespace axm::plain::clocked {

void Fabric::cycle(Cycle now, Clk clk) {
  for (Engine &e : engines)
    e.begin(now);
  take_address(now);
  if (port.reads())
    port.cut_read(clk);
  beat_ = response_ = false;
  for (std::size_t k = 0; k < engines.size(); ++k) {
    Engine &e = engines[k];
    e.completed(now);
    if (!e.launched(now))
      e.classes.push_back(kLaunch);
    else if (e.finished(now))
      e.classes.push_back(kDone);
    else
      e.classes.push_back(e.reads() ? read(k, now) : write(k, now, clk));
    if (e.classes.back() == kMaster && e.waits_for_job(now))
      e.classes.back() = kPartner;
  }
  ++cycles;
}

void Fabric::take_address(Cycle now) {
  for (std::size_t k = 0; k < engines.size() && chosen_ < 0; ++k)
    if (engines[(next_ + k) % engines.size()].asks())
      chosen_ = static_cast<int>((next_ + k) % engines.size());
  if (chosen_ < 0 || !port.takes_address())
    return;
  const auto at = static_cast<std::size_t>(chosen_);
  const Engine::Request taken = engines[at].take_address(now);
  port.address(taken.address, taken.bytes);
  owners_.push_back(at);
  if (!port.reads())
    sending_.push_back(at);
  next_ = (at + 1) % engines.size();
  chosen_ = -1;
}

// Behind another engine's burst the path is what a burst waits for.
StreamClass Fabric::waits(const std::deque<std::size_t> &turn, std::size_t engine) const {
  if (turn.empty())
    return kMaster;
  return has_turn(turn, engine) ? port.waits_for() : kPath;
}

StreamClass Fabric::read(std::size_t engine, Cycle now) {
  if (beat_ || !has_turn(owners_, engine) || !port.has_beat())
    return waits(owners_, engine);
  beat_ = true;
  if (port.take_beat()) {
    owners_.pop_front();
    engines[engine].answered(now);
  }
  return kData;
}

StreamClass Fabric::write(std::size_t engine, Cycle now, Clk clk) {
  Engine &e = engines[engine];
  if (!response_ && has_turn(owners_, engine) && port.has_response(clk)) {
    response_ = true;
    port.take_response();
    owners_.pop_front();
    e.answered(now);
  }
  if (!e.sends())
    return kMaster;
  if (beat_ || !has_turn(sending_, engine) || !port.has_place())
    return waits(sending_, engine);
  beat_ = true;
  if (port.give_beat(clk)) {
    sending_.pop_front();
    e.sent(now);
  }
  return kData;
}

} // namespace axm::plain::clocked
