#include "simulation.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "ports.hpp"

namespace axm::cosim {

namespace {

constexpr std::uint64_t kResetClocks = 16;
// Far longer than any register block takes; the design's own demultiplexer answers
// for a dead one before.
constexpr std::uint64_t kDeadClocks = 10000;
// Of an access to a register of an engine beside the design.
constexpr std::uint64_t kFabricClocks = 8;

// A clock of 1 kHz: times of hours fit into 64 bits.
constexpr std::uint64_t kMostPeriod = 1'000'000'000;

// The design's ports, by the configuration's names where it has them.
std::vector<std::string> names(const SystemConfig &c) {
  std::vector<std::string> out;
  for (std::size_t p = 0; p < Design::ports(); ++p)
    out.push_back(p < c.ports.size() ? c.ports[p].name : std::to_string(p));
  return out;
}

} // namespace

Simulation::Simulation(Plan plan, std::uint64_t period_ps, Watchdog::Limits limits)
    : plan_(std::move(plan)), period_ps_(period_ps), memory_(plan_.outline.dram.bytes),
      ports_(ports_of(plan_.outline)), asked_(ports_.size()),
      watchdog_(names(plan_.outline), limits) {
  const SystemConfig &config = plan_.outline;
  if (period_ps == 0 || period_ps > kMostPeriod)
    throw std::invalid_argument("pl_period_ps: 1 to " + std::to_string(kMostPeriod));
  fabric_ = fabric_beside(memory_, [this] { tick(); });
  start_run({at_rest(config)}, {});
  design_.reset(true);
  for (std::uint64_t i = 0; i < kResetClocks; ++i)
    tick();
  design_.reset(false);
  idle(kResetClocks);
}

void Simulation::start_run(const SteppedStart &start, std::vector<Arrival> arrivals) {
  for (const AxiPort &p : ports_)
    if (!p.quiet())
      throw std::logic_error("a run cannot start: bursts of the previous run are in flight");
  chip_ = plan_.make(start);
  for (AxiPort &p : ports_)
    p.connect(chip_.get());
  answers_ = 0;
  watchdog_.begin();
  arrivals_ = std::move(arrivals);
  waiting_ = !arrivals_.empty();
}

RepeatResult Simulation::result() {
  trace_.clear();
  return chip_->result(&trace_);
}

std::string Simulation::violation() const {
  for (const AxiPort &p : ports_)
    if (!p.violation().empty())
      return p.violation();
  return {};
}

// One PL clock. The design's outputs follow its registers; the ports answer; the
// design's outputs follow that answer; then everybody moves on.
void Simulation::tick(bool awaiting) {
  for (std::size_t p = 0; fabric_ && p < ports_.size(); ++p)
    design_.from_engine(p, fabric_->at(p), fabric_->interrupt(p));
  if (access_ != nullptr)
    design_.lite(access_->request);
  design_.settle();
  if (access_ != nullptr)
    access_->look(design_.lite());
  const Lines offered = offer(design_.from_masters());
  design_.settle();
  const Lines asked = design_.from_masters();
  watchdog_.look(asked, offered, answers_);
  commit(asked, offered);
  for (std::size_t p = 0; fabric_ && p < ports_.size(); ++p)
    fabric_->commit(p, design_.to_engine(p));
  watchdog_.clock(awaiting);
  if (!waiting_)
    chip_->step();
  design_.clock();
  ++clocks_;
  if (fabric_ && !in_fabric_)
    in_fabric([&] { fabric_->clock(); });
}

// What the ports drive; those at which nothing is under way are left out.
Lines Simulation::offer(Lines asked) {
  constexpr Lines kRequests = lines(0xff, 0, 0xff, 0xff, 0);
  Lines offered = 0;
  unsigned busy = ports_with(asked & kRequests);
  for (std::size_t p = 0; p < ports_.size(); ++p)
    busy |= unsigned{ports_[p].may_answer()} << p;
  for (unsigned at = faults_.none() ? busy : all_ports(); at != 0; at &= at - 1) {
    const auto p = static_cast<std::size_t>(std::countr_zero(at));
    design_.requests(p, asked >> p, asked_[p]);
    const ToMaster &t = ports_[p].offer(asked_[p], memory_, faults_);
    offered |= lines_of(t) << p;
    if (t.r_valid)
      design_.read_data(p, t);
    if (t.b_valid)
      design_.response(p, t);
  }
  design_.to_masters(offered);
  return offered;
}

// What happens at the ports. A fault can have a beat vanish that was not offered.
void Simulation::commit(Lines asked, Lines offered) {
  for (unsigned at = faults_.none() ? ports_with(asked & offered) : all_ports(); at != 0;
       at &= at - 1) {
    const auto p = static_cast<std::size_t>(std::countr_zero(at));
    AxiPort &port = ports_[p];
    design_.requests(p, asked >> p, asked_[p]);
    if ((line(asked & offered, kW) >> p & 1) != 0)
      design_.write_data(p, asked_[p]);
    port.commit(asked_[p], memory_, faults_);
    answers_ &= ~(lines(1, 1, 1, 1, 1) << p);
    answers_ |= lines(0, port.reading(), 0, 0, port.answering()) << p;
  }
}

template <class Step> void Simulation::in_fabric(Step step) {
  in_fabric_ = true;
  step();
  in_fabric_ = false;
}

void Simulation::idle(std::uint64_t clocks) {
  for (; clocks > 0; --clocks)
    tick();
}

void Simulation::await(std::uint64_t clocks) {
  for (; clocks > 0; --clocks)
    tick(true);
}

FromSlave Simulation::tick_slave(const ToSlave &pins) {
  design_.to_slave(pins);
  design_.settle();
  const FromSlave answer = design_.from_slave();
  tick();
  design_.to_slave({});
  return answer;
}

FromSlave Simulation::look_at_slave() {
  design_.settle();
  return design_.from_slave();
}

bool Simulation::wait_for_interrupt(std::uint64_t clocks) {
  for (; clocks > 0; --clocks) {
    design_.settle();
    if (design_.interrupt())
      return true;
    tick(true);
  }
  return false;
}

// ---- the register bus --------------------------------------------------------------

// What the design answers in this clock; the request is then that of the next.
void Simulation::Access::look(const Design::LiteReply &a) {
  request.ar_valid = request.ar_valid && !a.ar_ready;
  request.aw_valid = request.aw_valid && !a.aw_ready;
  request.w_valid = request.w_valid && !a.w_ready;
  if (response >= 0 || !(value != nullptr ? a.r_valid : a.b_valid))
    return;
  response = a.response;
  if (value != nullptr)
    *value = a.data;
  request = {};
}

int Simulation::access(const Design::LiteRequest &request, std::uint32_t *value) {
  Access access{request, value};
  access_ = &access;
  for (std::uint64_t i = 0; i < kDeadClocks && access.response < 0; ++i)
    tick();
  access_ = nullptr;
  design_.lite({});
  return access.response;
}

int Simulation::read(std::uint32_t address, std::uint32_t &value) {
  if (fabric_ && fabric_->has(address)) {
    in_fabric([&] {
      value = fabric_->read(address);
      idle(kFabricClocks);
    });
    return kOkay;
  }
  Design::LiteRequest r;
  r.address = address;
  r.ar_valid = true;
  r.r_ready = true;
  return access(r, &value);
}

int Simulation::write(std::uint32_t address, std::uint32_t value) {
  if (fabric_ && fabric_->has(address)) {
    in_fabric([&] {
      fabric_->write(address, value);
      idle(kFabricClocks);
    });
    return kOkay;
  }
  const auto arrival = std::ranges::find(arrivals_, address, &Arrival::address);
  if (arrival != arrivals_.end()) {
    const Cycle at = arrival->cycle;
    arrivals_.erase(arrival);
    if (waiting_ && at < 0)
      throw std::logic_error("a write cannot arrive before the run begins");
    waiting_ = false;
    if (chip_->now() > at)
      throw std::logic_error("a register write comes " + std::to_string(chip_->now() - at) +
                             " clocks after its time");
    idle(static_cast<std::uint64_t>(at - chip_->now()));
  }
  Design::LiteRequest r;
  r.address = address;
  r.data = value;
  r.aw_valid = r.w_valid = r.b_ready = true;
  return access(r, nullptr);
}

} // namespace axm::cosim
