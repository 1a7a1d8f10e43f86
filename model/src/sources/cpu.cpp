#include "cpu.hpp"

namespace axm::sources {

namespace {

// Bytes of the slave are numbered from here on, to distinguish lines.
constexpr std::int64_t kSlave = std::int64_t{1} << 40;
// Where the loop is, of which all is in one line or two.
constexpr Address kCode{Place::memory, 0};

} // namespace

Cpu::Cpu(const Config &config, Schedule &schedule, Books &books, Memory &memory, GpPort &gp,
         Throttle &throttle)
    : config_(config), schedule_(schedule), books_(books), memory_(memory), gp_(gp),
      throttle_(throttle),
      l1_(config.cache.l1_bytes, config.cache.l1_ways, config.cache.line_bytes),
      l2_(config.cache.l2_bytes, config.cache.l2_ways, config.cache.line_bytes) {}

// The program wrote its buffer before: the second level has it, changed; the first has a copy.
void Cpu::warm(std::int64_t bytes) {
  for (std::int64_t a = 0; config_.cpu.caches && a < bytes; a += config_.cache.line_bytes) {
    const bool second = config_.cache.l2;
    l1_.take(a / config_.cache.line_bytes, !second);
    if (second)
      l2_.take(a / config_.cache.line_bytes, true);
  }
}

void Cpu::warm_round(std::int64_t bytes, bool reads, bool writes) {
  const std::int64_t line = config_.cache.line_bytes;
  const std::int64_t held = config_.cache.l2 ? config_.cache.l2_bytes : config_.cache.l1_bytes;
  for (std::int64_t at = std::max<std::int64_t>(0, bytes - held) / line; at * line < bytes; ++at)
    for (const bool dirty : {false, true}) {
      const Address a = (dirty ? target(reads) : source()) + at * line;
      if (!cached(a) || !(dirty ? writes : reads))
        continue;
      l1_.take(line_of(a), dirty);
      if (config_.cache.l2)
        l2_.take(line_of(a), dirty);
    }
}

// Where a `stream` reads, and where it writes: mapped buffers are what is warm, others far from it.
Address Cpu::source() const { return {Place::memory, config_.mapped ? 0 : kSlave / 2}; }

Address Cpu::target(bool reads) const {
  if (!config_.mapped)
    return {Place::uncached};
  return {Place::memory, reads ? kSlave / 2 : 0};
}

side::Attribute Cpu::attribute(Address a) const {
  const bool in_memory = a.place == Place::memory && !config_.mapped;
  return in_memory ? side::Attribute::cached : config_.attribute;
}

bool Cpu::cached(Address a) const {
  return config_.cpu.caches && a.place != Place::uncached &&
         attribute(a) == side::Attribute::cached;
}

// Whether stores there are gathered: what is written through, and normal memory that no cache
// holds.
bool Cpu::gathers(Address a) const {
  return attribute(a) == side::Attribute::noncacheable || (a.place == Place::slave && cached(a));
}

std::int64_t Cpu::line_of(Address a) const {
  return (a.byte + (a.place == Place::slave ? kSlave : 0)) / config_.cache.line_bytes;
}

Pending Cpu::access(Address a, std::int64_t bytes, bool read) {
  return books_.begin([&](Transaction &t) {
    if (a.place == Place::uncached && read)
      return memory_.access(t, {a.byte, bytes, read, memory_.place()});
    if (a.place != Place::slave)
      return memory_.access(t, {a.byte, bytes, read});
    return read ? gp_.read(t, bytes, true) : gp_.write(t, bytes);
  });
}

Job Cpu::instructions(std::int64_t n, Class what) {
  if (config_.cpu.instruction_cache) {
    co_await books_.spend(n * config_.clocks.cpu, what);
    co_return;
  }
  for (std::int64_t byte = 0; byte < 4 * n; byte += config_.cpu.fetch_bytes)
    co_await books_.wait(access({kCode}, config_.cpu.fetch_bytes, true), Class::fetch);
}

// The next of a loop, each of which moves so many bytes. Without caches their reads began when
// those before were there.
Job Cpu::next_instructions(int n, std::int64_t bytes) {
  if (config_.cpu.instruction_cache) {
    Time clocks = n;
    for (std::int64_t left = bytes - config_.cpu.clock_bytes; left > 0;
         left -= config_.cpu.clock_bytes)
      clocks += n;
    co_await books_.spend(clocks * config_.clocks.cpu, Class::software);
    co_return;
  }
  if (fetched_)
    co_await books_.wait(fetched_, Class::fetch);
  fetched_ = books_.begin([&](Transaction &t) -> Job {
    return [](Cpu &cpu, Transaction &of, int size) -> Job {
      for (int byte = 0; byte < size; byte += cpu.config_.cpu.fetch_bytes)
        co_await cpu.memory_.access(of, {kCode.byte, cpu.config_.cpu.fetch_bytes});
    }(*this, t, 4 * n);
  });
}

Job Cpu::slave_register(bool read) {
  co_await books_.wait(access({Place::slave}, 4, read), Class::setup);
}

Job Cpu::peripheral_register(bool read, bool data, std::optional<Class> what) {
  co_await books_.wait(books_.begin([&](Transaction &t) { return gp_.peripheral(t, read, data); }),
                       what);
}

Job Cpu::memory_write(std::int64_t byte, std::int64_t bytes, Class what) {
  co_await books_.wait(access({Place::uncached, byte}, bytes, false), what);
}

// Puts a line into both levels. A replaced dirty line goes to the DRAM, without a wait unless too
// many are on their way.
Job Cpu::keep(std::int64_t line, bool dirty) {
  if (const auto left = l1_.take(line, dirty))
    co_await into_second(*left, true);
  if (config_.cache.l2)
    co_await into_second(line, dirty);
}

Job Cpu::into_second(std::int64_t line, bool dirty) {
  const auto left = config_.cache.l2 ? l2_.take(line, dirty) : std::optional(line);
  const int bytes = config_.cache.line_bytes;
  if (!left || !(config_.cache.l2 || dirty))
    co_return;
  const Address at{Place::memory, *left * bytes};
  if (config_.mapped && config_.cache.write_backs > 0) {
    co_await books_.until(path_free_, Class::queue);
    path_free_ = schedule_.now() + config_.cache.write_back_time;
    co_await post(at, bytes, config_.cache.write_backs);
  } else
    access(at, bytes, false);
}

// The lines behind `line`, into the second level.
void Cpu::prefetch(std::int64_t line) {
  const int bytes = config_.cache.line_bytes;
  for (std::int64_t next = line + 1; next <= line + config_.cache.l2_prefetch_lines; ++next) {
    if (next * bytes >= source_end_ || prefetched_.contains(next) || l2_.use(next))
      continue;
    prefetched_[next] = books_.begin([&](Transaction &t) {
      return [](Cpu &cpu, Transaction &of, std::int64_t which, int size) -> Job {
        co_await cpu.memory_.access(of, {which * size, size});
        cpu.prefetched_.erase(which);
        if (const auto left = cpu.l2_.take(which, false))
          cpu.access({Place::memory, *left * size}, size, false);
      }(*this, t, next, bytes);
    });
  }
}

// Requests a line that the first level lacks: from the second, or after its look-up from the slave.
void Cpu::ask(Address a) {
  const std::int64_t line = line_of(a);
  for (const auto &[number, transaction] : asked_)
    if (number == line)
      return;
  const bool second = config_.cache.l2, hit = second && l2_.use(line);
  const auto ahead = prefetched_.find(line);
  const Pending under_way = ahead == prefetched_.end() ? Pending{} : ahead->second;
  if (second && config_.mapped)
    prefetch(line);
  asked_.emplace_back(line, books_.begin([&](Transaction &t) {
    return [](Cpu &cpu, Transaction &of, Address at, bool in_l2, Pending coming) -> Job {
      const auto &cache = cpu.config_.cache;
      const int bytes = cache.line_bytes;
      const Time look_up = cache.l2 ? cache.l2_clocks * cpu.config_.clocks.cpu : 0;
      co_await cpu.schedule_.until(cpu.schedule_.now() + look_up, of.turn);
      cpu.books_.passed(of, Class::software);
      if (coming)
        co_await coming->job;
      if (in_l2 || coming)
        co_return;
      if (at.place == Place::slave)
        co_await cpu.gp_.read(of, bytes, true);
      else
        co_await cpu.memory_.access(of, {at.byte / bytes * bytes, bytes});
    }(*this, t, a, hit, under_way);
  }));
}

Job Cpu::load_line(Address a) {
  const std::int64_t line = line_of(a);
  if (l1_.use(line))
    co_return;
  ask(a);
  const std::int64_t step = config_.cache.prefetch_step;
  for (int i = 1; i <= ahead_ && line % step == 0; ++i) {
    const Address next = a + i * step * config_.cache.line_bytes;
    // The line's own begin decides whether the source still has it.
    if (next.byte / config_.cache.line_bytes * config_.cache.line_bytes < source_end_ &&
        !l1_.use(line + i * step))
      ask(next);
  }
  // Those of lines before it are of no use any more.
  Pending mine;
  for (auto at = asked_.begin(); at != asked_.end();) {
    if (at->first == line)
      mine = at->second;
    at = at->first > line ? at + 1 : asked_.erase(at);
  }
  co_await books_.wait(mine);
  co_await keep(line, false);
}

Job Cpu::load(Address a, int bytes) {
  if (cached(a)) {
    for (std::int64_t line = line_of(a); line <= line_of(a + (bytes - 1)); ++line)
      co_await load_line(
          {a.place, line * config_.cache.line_bytes - (a.place == Place::slave ? kSlave : 0)});
    co_return;
  }
  const bool cut = (a.place == Place::slave || config_.mapped) &&
                   config_.attribute != side::Attribute::noncacheable;
  const int most = cut ? config_.cpu.device_read_bytes : bytes;
  for (int left = bytes; left > 0; left -= most)
    co_await books_.wait(access(a + (bytes - left), std::min(left, most), true));
}

Job Cpu::store(Address a, int bytes) {
  if (a.place == Place::uncached) {
    co_await post(a, bytes, config_.cache.line_buffers);
  } else if (!cached(a) && !gathers(a)) {
    const bool cut = a.place == Place::slave || config_.mapped;
    const int most = cut ? config_.cpu.device_write_bytes : bytes;
    const bool ordered = config_.attribute == side::Attribute::strongly_ordered;
    const int under_way = cut && !ordered ? config_.cpu.device_stores : 1;
    for (int left = bytes; left > 0; left -= most)
      if (under_way == 1)
        co_await books_.wait(access(a + (bytes - left), std::min(left, most), false));
      else
        co_await post(a + (bytes - left), std::min(left, most), under_way);
  } else if (a.place == Place::memory &&
             !gathers(a)) { // the routine writes whole lines: none is read before
    for (std::int64_t line = line_of(a); line <= line_of(a + (bytes - 1)); ++line)
      if (!l1_.use_to_write(line))
        co_await keep(line, true);
  } else { // gathered byte by byte into a line, which goes when it is full or is left
    for (std::int64_t byte = 0; byte < bytes; ++byte) {
      if (gathered_ > 0 && line_of(a + byte) != line_of(gathered_at_))
        co_await send_gathered();
      if (gathered_ == 0)
        gathered_at_ = a + byte;
      if (++gathered_ == config_.cache.line_bytes)
        co_await send_gathered();
    }
  }
}

Job Cpu::send_gathered() {
  const std::int64_t bytes = std::exchange(gathered_, 0);
  co_await post(gathered_at_, bytes, config_.cache.line_buffers);
}

Job Cpu::end_of_stores() {
  if (gathered_ > 0)
    co_await send_gathered();
  // A barrier behind stores to a device: only then are their data there.
  while (!cached({Place::slave, 0}) && !posted_.empty()) {
    const Pending oldest = posted_.front();
    posted_.pop_front();
    co_await books_.wait(oldest);
  }
}

// A write without a wait, as long as fewer than `most` are under way.
Job Cpu::post(Address a, std::int64_t bytes, std::int64_t most) {
  while (!posted_.empty() && posted_.front()->job.over())
    posted_.pop_front();
  if (std::ssize(posted_) >= most) {
    const Pending oldest = posted_.front();
    posted_.pop_front();
    co_await books_.wait(oldest);
  }
  posted_.push_back(access(a, bytes, false));
}

void Cpu::begin(Address source, std::int64_t bytes) {
  asked_.clear();
  source_end_ = source.byte + bytes;
  ahead_ = bytes < config_.cache.prefetch_from ? 0 : config_.cache.prefetch_lines;
}

Job Cpu::copy(Address from, Address to, std::int64_t bytes, int access_bytes,
              std::optional<int> loop_clocks) {
  begin(from, bytes);
  // Towards a slave they move while it is waited for.
  const bool in_memory = from.place != Place::slave && to.place != Place::slave;
  for (std::int64_t at = 0; at < bytes && schedule_.now() < throttle_.stop; at += access_bytes) {
    const int n = static_cast<int>(std::min<std::int64_t>(access_bytes, bytes - at));
    if (throttle_.any())
      co_await books_.until(throttle_.from(), Class::software);
    throttle_.begun(schedule_.now(), n);
    if (!loop_clocks)
      co_await next_instructions(2, in_memory ? n : 1); // a load and a store
    co_await load(from + at, n);
    co_await store(to + at, n);
    books_.moved(n);
    if (loop_clocks)
      co_await instructions(*loop_clocks, Class::software);
  }
}

Job Cpu::stream(std::int64_t bytes, bool reads, bool writes) {
  const bool mapped = config_.mapped;
  const int step = mapped ? config_.cpu.access_bytes : config_.cache.line_bytes;
  const Address from = source(), to = target(reads);
  begin(from, bytes);
  for (std::int64_t at = 0; at < bytes && schedule_.now() < throttle_.stop; at += step) {
    if (throttle_.any())
      co_await books_.until(throttle_.from(), Class::software);
    throttle_.begun(schedule_.now(), step);
    if (reads && writes) // all of it by way of registers
      co_await next_instructions(2, step);
    else
      co_await next_instructions(1, mapped ? step : 1);
    if (reads)
      co_await load(from + at, step);
    if (writes)
      co_await store(to + at, step);
    books_.moved(std::min<std::int64_t>(step, bytes - at));
  }
  if (mapped)
    co_await end_of_stores();
}

Job Cpu::to_buffer(std::int64_t bytes) {
  const int line = config_.cache.line_bytes;
  begin({Place::memory, 0}, bytes);
  for (std::int64_t at = 0; at < bytes && schedule_.now() < throttle_.stop; at += line) {
    if (throttle_.any())
      co_await books_.until(throttle_.from(), Class::software);
    throttle_.begun(schedule_.now(), line);
    for (int byte = 0; byte < line; byte += config_.cpu.access_bytes)
      co_await next_instructions(2, std::min(config_.cpu.access_bytes, line - byte));
    co_await load({Place::memory, at}, line);
    co_await store({Place::uncached, at}, line);
    books_.moved(std::min<std::int64_t>(line, bytes - at));
  }
}

// One operation for each line of the buffer, in both levels.
Job Cpu::clean(Address buffer, std::int64_t bytes) {
  const std::int64_t line = config_.cache.line_bytes;
  for (std::int64_t at = 0; at < bytes; at += line)
    co_await books_.spend(config_.cache.maintenance_clocks * config_.clocks.cpu,
                          Class::cache_control);
  for (std::int64_t l = line_of(buffer); l * line < buffer.byte + bytes; ++l) {
    l1_.clean(l);
    l2_.clean(l);
  }
}

Job Cpu::invalidate(Address buffer, std::int64_t bytes) {
  const std::int64_t line = config_.cache.line_bytes;
  co_await clean(buffer, bytes);
  for (std::int64_t l = line_of(buffer); l * line < buffer.byte + bytes; ++l) {
    l1_.drop(l);
    l2_.drop(l);
  }
}

} // namespace axm::sources
