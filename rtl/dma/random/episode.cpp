// What an episode does: settings, transfers, trouble. What must come of it is in outcome.cpp.
#include "episode.hpp"

namespace {

constexpr std::uint64_t source_base = 0x12'0000'0000, target_base = 0x34'0000'0000,
                        slot_bytes = 0x8000;

} // namespace

Episode::Episode(Bench &bench, std::uint64_t seed, std::uint64_t number)
    : bench_(bench), chance_(seed * 1000003 + number * 7919 + 17), seed_(seed), number_(number) {
  // Weights of the kinds, in their order, out of 100.
  static constexpr unsigned weights[] = {40, 26, 6, 2, 8, 6, 3, 6, 3};
  unsigned drawn = chance_.between(0, 99), kind = 0;
  while (drawn >= weights[kind])
    drawn -= weights[kind++];
  kind_ = static_cast<Kind>(kind);
}

Episode::Episode(Bench &bench, const Batch &batch, std::uint64_t number)
    : bench_(bench), chance_(number), number_(number), kind_(Kind::responses),
      read_burst_(batch.burst), write_burst_(batch.burst) {
  auto &memory = bench_.memory;
  memory.written.clear();
  memory.read_faults = batch.read_faults;
  memory.write_faults = batch.write_faults;
  memory.manners = {100, 100, 1, 0};
  memory.longest_read = memory.longest_write = batch.burst;
  memory.most_reads = memory.most_writes = bench_.outstanding;
  bench_.taker.clear();
  bench_.giver.clear();
  configure(bench_.outstanding, bench_.outstanding, batch.whole_burst);
  for (const Plan &plan : batch.reads)
    reads_.push_back({.plan = plan});
  for (const Plan &plan : batch.writes) {
    writes_.push_back({.plan = plan});
    plan_data(writes_.back());
  }
}

const char *Episode::name() const {
  static constexpr const char *names[] = {
      "clean",  "bad responses",           "refused commands",     "no burst allowed",
      "aborts", "time-outs, late answers", "time-outs, bus reset", "broken protocol",
      "resets"};
  return names[static_cast<unsigned>(kind_)];
}

// Both halves' registers: most bursts in flight, lengths of bursts, and when one of writing begins.
void Episode::configure(unsigned reads, unsigned writes, bool whole_burst) {
  const auto config = [&](unsigned burst, unsigned most) {
    return burst - 1 | most << 8 | bench_.memory.data_cache << 16;
  };
  if (bench_.has_read) {
    bench_.write(reading.config, config(read_burst_, reads));
    bench_.write(reading.control, 0);
  }
  if (bench_.has_write) {
    bench_.write(writing.config, config(write_burst_, writes));
    bench_.write(writing.control, whole_burst ? AXM_DMA_WR_CONTROL__WHOLE_BURST_MASK : 0);
  }
}

void Episode::settings() {
  drawn_ = true;
  auto &memory = bench_.memory;
  memory.salt = chance_.word();
  memory.written.clear();
  memory.read_faults.clear();
  memory.write_faults.clear();
  memory.breaks.clear();
  memory.wrong_answers.clear();
  static constexpr unsigned percents[] = {100, 100, 70, 30};
  memory.manners = {percents[chance_.between(0, 3)], percents[chance_.between(0, 3)],
                    chance_.between(1, 30), chance_.between(0, 20)};
  static constexpr unsigned bursts[] = {1, 1, 2, 3, 7, 16, 16, 64, 256};
  const unsigned longest = bench_.axi3 ? 16 : 256;
  read_burst_ = std::min(longest, bursts[chance_.between(0, 8)]);
  write_burst_ = std::min(longest, bursts[chance_.between(0, 8)]);
  const unsigned reads = chance_.between(1, bench_.outstanding),
                 writes = chance_.between(1, bench_.outstanding);
  memory.longest_read = read_burst_;
  memory.longest_write = write_burst_;
  memory.most_reads = reads;
  memory.most_writes = writes;
  bench_.taker.clear();
  bench_.giver.clear();
  bench_.taker.limit = read_burst_ + 1 + chance_.between(0, 300);
  bench_.taker.ready_percent = percents[chance_.between(0, 3)];
  bench_.taker.drain_percent = percents[chance_.between(0, 3)];
  bench_.giver.come_percent = percents[chance_.between(0, 3)];
  // Of a copy's two halves either may be the one that allows nothing.
  const bool none = kind_ == Kind::none_allowed, of_reads = chance_.percent(50);
  const bool both = !bench_.copy;
  configure(none && (both || of_reads) ? 0 : reads, none && (both || !of_reads) ? 0 : writes,
            bench_.has_write && chance_.percent(60));
  choose_limits();
}

// Lengths and places with what is special: one beat, a beat less or more, ends of bursts and pages.
Plan Episode::draw(unsigned slot) {
  const unsigned step = bench_.unaligned ? 1 : bench_.width;
  Plan plan;
  static constexpr unsigned most[] = {40, 40, 200, 600, 5000};
  plan.bytes = chance_.between(1, most[chance_.between(0, 4)]);
  if (chance_.percent(15))
    plan.bytes = bench_.width * chance_.between(1, 300);
  plan.bytes = std::max(plan.bytes / step, 1u) * step;
  const auto place = [&](std::uint64_t base) {
    std::uint64_t offset = chance_.between(0, 4095);
    if (chance_.percent(30))
      offset = 4096 - chance_.between(1, 24);
    return base + slot * slot_bytes + offset / step * step;
  };
  plan.from = place(source_base);
  plan.to = place(target_base);
  plan.stream = plan.bytes;
  plan.last = chance_.percent(50);
  return plan;
}

void Episode::faults(std::uint64_t address, std::uint32_t bytes, Faults &into, unsigned percent) {
  if (kind_ != Kind::responses)
    return;
  while (chance_.percent(percent)) {
    const std::uint64_t at = address + chance_.between(0, bytes - 1);
    into[at / bench_.width * bench_.width] = chance_.between(2, 3);
  }
}

void Episode::plan_reads() {
  const unsigned count = chance_.between(1, bench_.queue);
  for (unsigned slot = 0; slot < count; ++slot) {
    Job job;
    job.plan = draw(slot);
    job.bad = kind_ == Kind::none_allowed;
    if (kind_ == Kind::refused && chance_.percent(40)) {
      job.bad = true;
      if (bench_.unaligned || chance_.percent(30))
        job.plan.bytes = 0;
      else if (chance_.percent(50))
        job.plan.bytes += 1;
      else
        job.plan.from += 1;
    }
    if (!job.bad)
      faults(job.plan.from, job.plan.bytes, bench_.memory.read_faults, 30);
    reads_.push_back(job);
  }
}

void Episode::plan_writes() {
  auto &memory = bench_.memory;
  const unsigned width = bench_.width, count = chance_.between(1, bench_.queue);
  for (unsigned slot = 0; slot < count; ++slot) {
    Job job;
    Plan &plan = job.plan = draw(slot);
    plan.last = false;
    job.bad = kind_ == Kind::none_allowed;
    if (kind_ == Kind::refused && chance_.percent(40)) {
      job.bad = true;
      if (bench_.unaligned || chance_.percent(30))
        plan.bytes = 0;
      else if (bench_.copy && chance_.percent(30))
        plan.from += 1;
      else
        plan.to += 1;
    }
    if (!job.bad) {
      faults(plan.to, plan.bytes, memory.write_faults, 25);
      if (bench_.copy)
        faults(plan.from, plan.bytes, memory.read_faults, 25);
      if (!bench_.copy && chance_.percent(40)) { // a packet ends here: before, at or behind the end
        plan.packet = true;
        plan.stream = chance_.percent(40) ? plan.bytes : chance_.between(1, plan.bytes);
        const unsigned room = (plan.bytes + width - 1) / width * width;
        if (chance_.percent(30))
          plan.stream = std::min(room, plan.bytes + chance_.between(0, width));
      }
    }
    plan_data(job);
    writes_.push_back(job);
  }
}

// What a transfer writes: what is at its source, or what the stream will bring.
void Episode::plan_data(Job &job) {
  if (!bench_.copy)
    for (unsigned i = 0; i < job.plan.stream; ++i)
      job.data.push_back(static_cast<std::uint8_t>(chance_.word() >> 40));
  else
    for (unsigned i = 0; i < job.plan.bytes; ++i)
      job.data.push_back(bench_.memory.original(job.plan.from + i));
}

// What must come of the batch.
void Episode::predict() {
  const auto &memory = bench_.memory;
  const unsigned width = bench_.width;
  for (Job &job : reads_)
    job.expected = job.bad ? Outcome{AXM_DMA_CODE_BAD_COMMAND}
                           : predict_read(job.plan, width, memory.read_faults);
  for (Job &job : writes_) {
    if (job.bad) {
      job.expected = {AXM_DMA_CODE_BAD_COMMAND};
      continue;
    }
    std::vector<unsigned> stream;
    if (bench_.copy)
      stream = stream_faults(job.plan, width, memory.read_faults);
    job.expected =
        predict_write(job.plan, width, write_burst_, memory.write_faults, stream, job.kept);
  }
}

// The stream of a transfer: whole beats; only a packet's last one may have fewer bytes.
void Episode::give(const Job &job) {
  const unsigned width = bench_.width;
  for (unsigned at = 0; at < job.plan.stream; at += width) {
    StreamBeat beat;
    beat.last = job.plan.packet && at + width >= job.plan.stream;
    beat.count = beat.last ? job.plan.stream - at : width;
    for (unsigned k = 0; k < width; ++k)
      beat.bytes[k] = at + k < job.data.size() ? job.data[at + k]
                                               : static_cast<std::uint8_t>(chance_.word() >> 32);
    bench_.giver.coming.push_back(beat);
  }
}

void Episode::submit(const Half &half, const Job &job) {
  const std::uint64_t address = half.control == reading.control ? job.plan.from : job.plan.to;
  if (bench_.copy) {
    bench_.write(reading.addr_lo, static_cast<std::uint32_t>(job.plan.from));
    bench_.write(reading.addr_hi, static_cast<std::uint32_t>(job.plan.from >> 32));
  }
  bench_.write(half.addr_lo, static_cast<std::uint32_t>(address));
  bench_.write(half.addr_hi, static_cast<std::uint32_t>(address >> 32));
  bench_.write(half.length, job.plan.bytes);
  bench_.write(half.submit, job.plan.last);
}

// What goes wrong, some clocks after the first transfers were submitted.
void Episode::trouble() {
  auto &memory = bench_.memory;
  if (!cut() || kind_ == Kind::broken)
    return;
  bench_.steps(chance_.between(0, chance_.percent(50) ? 60 : 600));
  if (kind_ == Kind::reset)
    bench_.reset();
  if (kind_ == Kind::abort) {
    // Either half of a copy, or both halves of others.
    const bool first = chance_.percent(50);
    if (bench_.has_read && (!bench_.copy || first))
      bench_.write(reading.control, AXM_DMA_RD_CONTROL__ABORT_MASK);
    if (bench_.has_write && (!bench_.copy || !first))
      bench_.write(writing.control, AXM_DMA_WR_CONTROL__ABORT_MASK);
  }
  if (kind_ == Kind::hang || kind_ == Kind::hang_reset) {
    shorten_time();
    static constexpr unsigned channels[] = {AR, R, AW, W, B};
    do
      channel_ = channels[chance_.between(0, 4)];
    while (!(channel_ & (bench_.copy || !reads_.empty() ? AR | R : 0)) &&
           !(channel_ & (writes_.empty() ? 0 : AW | W | B)));
    memory.hangs = channel_;
    bench_.steps(3 * 2 * 64 + chance_.between(0, 200));
    if (chance_.percent(60))
      submit_more();
    if (stopped() && kind_ == Kind::hang_reset) {
      // A copy's other half may still be at work, and has to stop before.
      if (bench_.copy)
        bench_.write(writing.control, AXM_DMA_WR_CONTROL__ABORT_MASK);
      bench_.steps(4);
      reset_bus();
    }
    memory.hangs = 0;
  }
}

// The bus is reset, takes nothing meanwhile, and the engine is informed; it may withdraw what it had
// offered.
void Episode::reset_bus() {
  auto &memory = bench_.memory;
  memory.held_bus = true;
  memory.hangs = AR | R | AW | W | B;
  memory.reset();
  if (bench_.has_read)
    bench_.write(reading.control, AXM_DMA_RD_CONTROL__FORGET_MASK);
  if (bench_.has_write)
    bench_.write(writing.control, AXM_DMA_WR_CONTROL__FORGET_MASK);
  bench_.giver.in_packet.reset();
  memory.reset();
  memory.held_bus = false;
}

// Software takes the completions of a half that has stopped and fills its queue again, while the
// slave still hangs. If there is room for it now, this work is reported as aborted.
void Episode::submit_more() {
  const bool write = !writes_.empty();
  const Half &half = write ? writing : reading;
  auto &jobs = write ? writes_ : reads_;
  collect(half, jobs, write ? taken_writes_ : taken_reads_, false);
  const std::uint32_t status =
      bench_.read(half.status) | (bench_.copy ? bench_.read(reading.status) & 2 : 0);
  if (!(status & AXM_DMA_WR_STATUS__DRAINING_MASK))
    return;
  for (unsigned count = AXM_GET(status, AXM_DMA_WR_STATUS__FREE); count; --count) {
    Job job;
    job.plan = draw(static_cast<unsigned>(jobs.size()));
    job.plan.last = false;
    for (unsigned i = 0; write && i < job.plan.bytes; ++i)
      job.data.push_back(bench_.copy ? bench_.memory.original(job.plan.from + i)
                                     : static_cast<std::uint8_t>(i));
    job.kept.assign(job.plan.bytes, true);
    job.expected = {AXM_DMA_CODE_OK, job.plan.bytes};
    submit(half, job);
    jobs.push_back(job);
  }
}

// Waits until the half whose channel hangs has stopped (true), or has nothing more to do: within
// the TIMEOUT, once it waits for the slave; its stream may be slow.
bool Episode::stopped() {
  const Half &half = channel_ & (AR | R) && !bench_.copy ? reading : writing;
  for (unsigned patience = 0; patience < 4000; ++patience) {
    const std::uint32_t status = bench_.read(half.status);
    const std::uint32_t other = bench_.copy ? bench_.read(reading.status) : 0;
    if ((status | other) & AXM_DMA_WR_STATUS__DRAINING_MASK)
      return true;
    if (!((status | other) & AXM_DMA_WR_STATUS__BUSY_MASK))
      return false;
  }
  wrong("neither stopped nor idle");
}

void Episode::run(std::map<std::string, std::uint64_t> &codes) {
  by_rings_ = bench_.rings && chance_.percent(60);
  settings();
  if (bench_.has_read && !bench_.copy)
    plan_reads();
  if (bench_.has_write)
    plan_writes();
  // The other half of the bus would lose its bursts with a reset that is not for it.
  if (kind_ == Kind::hang_reset && !reads_.empty() && !writes_.empty())
    (chance_.percent(50) ? reads_ : writes_).clear();
  if (kind_ == Kind::broken) {
    static constexpr Break kinds[] = {Break::early_last, Break::no_last, Break::fewer_beats,
                                      Break::more_beats, Break::wrong_id};
    const auto pick = [&](const std::vector<Job> &jobs, bool from) {
      const Plan &plan = jobs[chance_.between(0, static_cast<unsigned>(jobs.size()) - 1)].plan;
      return ((from ? plan.from : plan.to) + chance_.between(0, plan.bytes - 1)) / bench_.width *
             bench_.width;
    };
    const bool of_reads = bench_.has_read && (!bench_.has_write || chance_.percent(60));
    if (by_rings_ && chance_.percent(40)) // a descriptor; a wrong ID would never be missed
      bench_.memory.breaks[bench_.memory.ring_base + 32 * chance_.between(0, 3)] =
          kinds[chance_.between(0, 3)];
    else if (of_reads)
      bench_.memory.breaks[pick(bench_.copy ? writes_ : reads_, true)] =
          kinds[chance_.between(0, 4)];
    else
      bench_.memory.wrong_answers[pick(writes_, false)] = Break::wrong_id;
  }
  work(codes);
}

// The batch from its submission to idle engines, and whether all was right.
void Episode::work(std::map<std::string, std::uint64_t> &codes) {
  predict();
  for (const Job &job : writes_)
    if (!bench_.copy && !job.bad)
      give(job);
  // Both halves work together; a break in the submissions lets a queue run dry.
  if (by_rings_)
    run_rings();
  for (std::size_t slot = 0; !by_rings_ && slot < std::max(reads_.size(), writes_.size()); ++slot) {
    if (slot < writes_.size())
      submit(writing, writes_[slot]);
    if (slot < reads_.size())
      submit(reading, reads_[slot]);
    if (kind_ != Kind::broken && chance_.percent(20))
      bench_.steps(chance_.between(0, 200));
    change_limits();
  }
  // No completion was read: a full queue is full, and ignores what is submitted.
  for (const Half *half : {&reading, &writing}) {
    const auto &jobs = half == &reading ? reads_ : writes_;
    if (!by_rings_ && jobs.size() == bench_.queue && chance_.percent(20))
      bench_.write(half->submit, 1);
  }
  if (!by_rings_)
    trouble();
  if (kind_ != Kind::reset && !by_rings_) {
    collect(writing, writes_, taken_writes_, true);
    collect(reading, reads_, taken_reads_, true);
  }
  rest();
  if (kind_ == Kind::reset)
    return;
  for (const auto *jobs : {&reads_, &writes_})
    for (const Job &job : *jobs)
      if (job.done)
        ++codes[std::to_string(job.got.code)];
  if (cut()) {
    check_cut(reading, reads_);
    check_cut(writing, writes_);
  } else {
    for (const Job &job : reads_)
      check_exact("reading", job);
    for (const Job &job : writes_)
      check_exact("writing", job);
    check_stream();
    if (!bench_.giver.empty())
      wrong("stream beats were left over");
  }
  check_memory();
  if (drawn_)
    check_limits();
}
