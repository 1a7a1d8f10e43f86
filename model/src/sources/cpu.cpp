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
  return books_.begin([&](Transaction &t) -> Course {
    if (a.place == Place::uncached && read)
      return memory_.access(t, {a.byte, bytes, read, memory_.place()});
    if (a.place != Place::slave)
      return memory_.access(t, {a.byte, bytes, read});
    return read ? gp_.read(t, bytes, true) : gp_.write(t, bytes);
  });
}

Wait Cpu::instructions(std::int64_t n, Class what) {
  if (config_.cpu.instruction_cache)
    return books_.spend(n * config_.clocks.cpu, what);
  return fetch(n);
}

Job Cpu::fetch(std::int64_t n) {
  for (std::int64_t byte = 0; byte < 4 * n; byte += config_.cpu.fetch_bytes)
    co_await books_.wait(access({kCode}, config_.cpu.fetch_bytes, true), Class::fetch);
}

// The next of a loop, each of which moves so many bytes; `fetch_next` has to follow.
Wait Cpu::next_instructions(int n, std::int64_t bytes) {
  if (config_.cpu.instruction_cache) {
    const std::int64_t clocks =
        bytes <= config_.cpu.clock_bytes
            ? 1
            : (bytes + config_.cpu.clock_bytes - 1) / config_.cpu.clock_bytes;
    return books_.spend(n * clocks * config_.clocks.cpu, Class::software);
  }
  return fetched_ ? books_.wait(std::move(fetched_), Class::fetch) : Wait();
}

// Without caches the reads of the next begin when those before are there.
void Cpu::fetch_next(int n) {
  if (!config_.cpu.instruction_cache)
    fetched_ = books_.begin([&](Transaction &t) -> Course {
      if (4 * n <= config_.cpu.fetch_bytes)
        return memory_.access(t, {kCode.byte, config_.cpu.fetch_bytes});
      return fetch_for(t, 4 * n);
    });
}

Job Cpu::fetch_for(Transaction &t, int bytes) {
  for (int byte = 0; byte < bytes; byte += config_.cpu.fetch_bytes)
    co_await follow(memory_.access(t, {kCode.byte, config_.cpu.fetch_bytes}), schedule_, t.turn);
}

Wait Cpu::slave_register(bool read) {
  return books_.wait(access({Place::slave}, 4, read), Class::setup);
}

Wait Cpu::peripheral_register(bool read, bool data, std::optional<Class> what) {
  return books_.wait(
      books_.begin([&](Transaction &t) -> Course { return gp_.peripheral(t, read, data); }), what);
}

Wait Cpu::memory_write(std::int64_t byte, std::int64_t bytes, Class what) {
  return books_.wait(access({Place::uncached, byte}, bytes, false), what);
}

// Puts a line into both levels. A replaced dirty line goes to the DRAM, without a wait unless too
// many are on their way.
Wait Cpu::keep(std::int64_t line, bool dirty) {
  const auto left = l1_.take(line, dirty);
  if (config_.mapped && config_.cache.write_backs > 0)
    return keep_later(left, line, dirty);
  const int bytes = config_.cache.line_bytes;
  if (left)
    if (const auto at = into_second(*left, true))
      access(*at, bytes, false);
  if (config_.cache.l2)
    if (const auto at = into_second(line, dirty))
      access(*at, bytes, false);
  return {};
}

Job Cpu::keep_later(std::optional<std::int64_t> left, std::int64_t line, bool dirty) {
  if (left)
    if (const auto at = into_second(*left, true))
      co_await write_back(*at);
  if (config_.cache.l2)
    if (const auto at = into_second(line, dirty))
      co_await write_back(*at);
}

// The line that has to go to the DRAM for it, if one has to.
std::optional<Address> Cpu::into_second(std::int64_t line, bool dirty) {
  if (!config_.cache.l2 && !dirty)
    return {};
  const auto left = config_.cache.l2 ? l2_.take(line, dirty) : std::optional(line);
  if (!left)
    return {};
  return Address{Place::memory, *left * config_.cache.line_bytes};
}

Job Cpu::write_back(Address line) {
  co_await books_.until(path_free_, Class::queue);
  path_free_ = schedule_.now() + config_.cache.write_back_time;
  co_await post(line, config_.cache.line_bytes, config_.cache.write_backs);
}

// The lines behind `line`, into the second level.
void Cpu::prefetch(std::int64_t line) {
  for (std::int64_t next = line + 1; next <= line + config_.cache.l2_prefetch_lines; ++next) {
    if (next * config_.cache.line_bytes >= source_end_ || prefetched_.contains(next) ||
        l2_.use(next))
      continue;
    prefetched_[next] = books_.begin([&](Transaction &t) -> Course { return prefetched(t, next); });
  }
}

Job Cpu::prefetched(Transaction &t, std::int64_t line) {
  const int bytes = config_.cache.line_bytes;
  co_await follow(memory_.access(t, {line * bytes, bytes}), schedule_, t.turn);
  prefetched_.erase(line);
  if (const auto left = l2_.take(line, false))
    access({Place::memory, *left * bytes}, bytes, false);
}

// Requests a line that the first level lacks: from the second, or after its look-up from the slave.
void Cpu::ask(Address a) {
  const std::int64_t line = line_of(a);
  for (const auto &[number, transaction] : asked_)
    if (number == line)
      return;
  const bool hit = config_.cache.l2 && l2_.use(line);
  const auto ahead = prefetched_.find(line);
  const Pending under_way = ahead == prefetched_.end() ? Pending{} : ahead->second;
  if (config_.cache.l2 && config_.mapped)
    prefetch(line);
  asked_.emplace_back(line, books_.begin([&](Transaction &t) -> Course {
    const Time found =
        schedule_.now() + (config_.cache.l2 ? config_.cache.l2_clocks * config_.clocks.cpu : 0);
    t.passed(found, Class::software);
    if (hit && !under_way)
      return found;
    t.end = found;
    return asked(t, a, hit, under_way);
  }));
}

Job Cpu::asked(Transaction &t, Address a, bool in_second, Pending under_way) {
  const int bytes = config_.cache.line_bytes;
  co_await schedule_.until(t.end, t.turn);
  if (under_way)
    co_await under_way->job;
  if (in_second || under_way)
    co_return;
  Course course = a.place == Place::slave ? gp_.read(t, bytes, true)
                                          : memory_.access(t, {a.byte / bytes * bytes, bytes});
  if (course.job)
    co_await course.job;
  else
    books_.ends(t, course.end);
}

// One that the first level lacks.
Job Cpu::load_line(Address a) {
  const std::int64_t line = line_of(a);
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
  co_await books_.wait(std::move(mine));
  co_await keep(line, false);
}

// Whether an access of a cached place is one to a line of the first level, and takes no time.
bool Cpu::held(Address a, int bytes, bool written) {
  const std::int64_t line = line_of(a);
  return line == line_of(a + (bytes - 1)) && (written ? l1_.use_to_write(line) : l1_.use(line));
}

Wait Cpu::load(Address a, int bytes) {
  if (cached(a)) {
    if (held(a, bytes, false))
      return {};
    return load_missing(a, bytes);
  }
  const bool cut = (a.place == Place::slave || config_.mapped) &&
                   config_.attribute != side::Attribute::noncacheable;
  const int most = cut ? config_.cpu.device_read_bytes : bytes;
  if (bytes <= most)
    return books_.wait(access(a, bytes, true));
  return load_pieces(a, bytes, most);
}

Wait Cpu::load_missing(Address a, int bytes) {
  return line_of(a) == line_of(a + (bytes - 1)) ? load_line(a) : load_lines(a, bytes);
}

Job Cpu::load_lines(Address a, int bytes) {
  for (std::int64_t line = line_of(a); line <= line_of(a + (bytes - 1)); ++line)
    if (!l1_.use(line))
      co_await load_line(
          {a.place, line * config_.cache.line_bytes - (a.place == Place::slave ? kSlave : 0)});
}

Job Cpu::load_pieces(Address a, int bytes, int most) {
  for (int left = bytes; left > 0; left -= most)
    co_await books_.wait(access(a + (bytes - left), std::min(left, most), true));
}

Wait Cpu::store(Address a, int bytes) {
  if (a.place == Place::uncached)
    return post(a, bytes, config_.cache.line_buffers);
  if (gathers(a))
    return gather(a, bytes);
  if (cached(a)) {
    if (held(a, bytes, true))
      return {};
    return store_missing(a, bytes);
  }
  const bool cut = a.place == Place::slave || config_.mapped;
  const int most = cut ? config_.cpu.device_write_bytes : bytes;
  const bool ordered = config_.attribute == side::Attribute::strongly_ordered;
  const int under_way = cut && !ordered ? config_.cpu.device_stores : 1;
  if (bytes > most)
    return store_pieces(a, bytes, most, under_way);
  if (under_way == 1)
    return books_.wait(access(a, bytes, false));
  return post(a, bytes, under_way);
}

// The routine writes whole lines: none is read before.
Wait Cpu::store_missing(Address a, int bytes) {
  return line_of(a) == line_of(a + (bytes - 1)) ? keep(line_of(a), true) : store_lines(a, bytes);
}

Job Cpu::store_lines(Address a, int bytes) {
  for (std::int64_t line = line_of(a); line <= line_of(a + (bytes - 1)); ++line)
    if (!l1_.use_to_write(line))
      co_await keep(line, true);
}

Job Cpu::store_pieces(Address a, int bytes, int most, int under_way) {
  for (int left = bytes; left > 0; left -= most)
    if (under_way == 1)
      co_await books_.wait(access(a + (bytes - left), std::min(left, most), false));
    else
      co_await post(a + (bytes - left), std::min(left, most), under_way);
}

// Into a line, which goes when it is full or is left.
Wait Cpu::gather(Address a, int bytes) {
  const bool other = gathered_ > 0 && line_of(a) != line_of(gathered_at_);
  if (other || gathered_ + bytes > config_.cache.line_bytes ||
      line_of(a) != line_of(a + (bytes - 1)))
    return gather_lines(a, bytes);
  if (gathered_ == 0)
    gathered_at_ = a;
  gathered_ += bytes;
  return gathered_ == config_.cache.line_bytes ? send_gathered() : Wait();
}

Job Cpu::gather_lines(Address a, int bytes) {
  for (std::int64_t byte = 0; byte < bytes; ++byte) {
    if (gathered_ > 0 && line_of(a + byte) != line_of(gathered_at_))
      co_await send_gathered();
    if (gathered_ == 0)
      gathered_at_ = a + byte;
    if (++gathered_ == config_.cache.line_bytes)
      co_await send_gathered();
  }
}

Wait Cpu::send_gathered() {
  return post(gathered_at_, std::exchange(gathered_, 0), config_.cache.line_buffers);
}

Job Cpu::end_of_stores() {
  if (gathered_ > 0)
    co_await send_gathered();
  // A barrier behind stores to a device: only then are their data there.
  for (; !cached({Place::slave, 0}) && !posted_.empty(); posted_.pop_front())
    co_await books_.wait(posted_.front());
}

// A write without a wait, as long as fewer than `most` are under way.
Wait Cpu::post(Address a, std::int64_t bytes, std::int64_t most) {
  while (!posted_.empty() && books_.over(posted_.front()))
    posted_.pop_front();
  if (std::ssize(posted_) >= most)
    return post_later(a, bytes);
  posted_.push_back(access(a, bytes, false));
  return {};
}

Job Cpu::post_later(Address a, std::int64_t bytes) {
  Pending oldest = std::move(posted_.front());
  posted_.pop_front();
  co_await books_.wait(std::move(oldest));
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
  const bool loads_cached = cached(from), stores_cached = cached(to) && !gathers(to);
  // Towards a slave they move while it is waited for.
  const bool in_memory = from.place != Place::slave && to.place != Place::slave;
  for (std::int64_t at = 0; at < bytes && schedule_.now() < throttle_.stop; at += access_bytes) {
    const int n = static_cast<int>(std::min<std::int64_t>(access_bytes, bytes - at));
    if (throttle_.any())
      co_await books_.until(throttle_.from(), Class::software);
    throttle_.begun(schedule_.now(), n);
    if (!loop_clocks) { // a load and a store
      co_await next_instructions(2, in_memory ? n : 1);
      fetch_next(2);
    }
    if (!loads_cached)
      co_await load(from + at, n);
    else if (!held(from + at, n, false))
      co_await load_missing(from + at, n);
    if (!stores_cached)
      co_await store(to + at, n);
    else if (!held(to + at, n, true))
      co_await store_missing(to + at, n);
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
    fetch_next(reads && writes ? 2 : 1);
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
    for (int byte = 0; byte < line; byte += config_.cpu.access_bytes) {
      co_await next_instructions(2, std::min(config_.cpu.access_bytes, line - byte));
      fetch_next(2);
    }
    co_await load({Place::memory, at}, line);
    co_await store({Place::uncached, at}, line);
    books_.moved(std::min<std::int64_t>(line, bytes - at));
  }
}

// One operation for each line of the buffer, in both levels.
Job Cpu::clean(Address buffer, std::int64_t bytes) {
  const std::int64_t line = config_.cache.line_bytes;
  co_await books_.spend((bytes + line - 1) / line * config_.cache.maintenance_clocks *
                            config_.clocks.cpu,
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
