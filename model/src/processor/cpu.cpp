#include "axiometer/model/processor/cpu.hpp"

namespace axm::processor {

Cpu::Cpu(const Config &config, Ledger &ledger, Memory &memory, GpPort &gp)
    : config_(config), ledger_(ledger), memory_(memory), gp_(gp),
      l1_(config.cache.l1_bytes, config.cache.l1_ways, config.cache.line_bytes),
      l2_(config.cache.l2_bytes, config.cache.l2_ways, config.cache.line_bytes),
      cpu_(config.clocks.cpu) {}

void Cpu::instructions(int n, Class what) {
  if (config_.cpu.instruction_cache) {
    ledger_.spend(n * cpu_, what);
    return;
  }
  for (std::int64_t byte = 0; byte < 4 * std::int64_t{n}; byte += config_.cpu.fetch_bytes)
    ledger_.until(memory_.read(ledger_.now(), config_.cpu.fetch_bytes), Class::fetch);
}

// Instructions of a loop, loads and stores of so many bytes. Without caches they come from the
// DRAM, the next while these wait for their data.
void Cpu::step(int n, int bytes) {
  if (config_.cpu.instruction_cache) {
    const int clocks = std::max(1, (bytes + config_.cpu.clock_bytes - 1) / config_.cpu.clock_bytes);
    ledger_.spend(n * clocks * cpu_, Class::software);
    return;
  }
  memory_.settle([&] { return fetches_ == 0; });
  ledger_.until(next_instructions_, Class::fetch);
  fetch(ledger_.now(), (n * 4 + config_.cpu.fetch_bytes - 1) / config_.cpu.fetch_bytes);
}

// Reads one after the other, each when the one before is back.
void Cpu::fetch(Time t, int reads) {
  next_instructions_ = memory_.read(t, config_.cpu.fetch_bytes);
  fetches_ = reads - 1;
  if (fetches_)
    memory_.later(next_instructions_, [this] { fetch(next_instructions_, fetches_); });
}

void Cpu::access_register(bool read, bool in_fabric, Class what) {
  const Time now = ledger_.now();
  ledger_.until(
      in_fabric ? (read ? gp_.read(now, 4) : gp_.write(now, 4)) : gp_.reg(now, read, false), what);
}

void Cpu::warm(std::int64_t bytes) {
  if (!config_.cpu.caches)
    return;
  for (std::int64_t a = 0; a < bytes; a += config_.cache.line_bytes) {
    const auto line = static_cast<std::uint64_t>(a / config_.cache.line_bytes);
    l1_.fill(line, !config_.cache.l2);
    if (config_.cache.l2)
      l2_.fill(line, true);
  }
}

bool Cpu::cached(std::uint64_t address) const {
  return config_.cpu.caches && address < kUncached &&
         (address < kFabric || config_.attribute == Attribute::cached);
}

// Whether stores to the fabric are gathered into lines.
bool Cpu::gathers() const {
  return cached(kFabric) || config_.attribute == Attribute::noncacheable;
}

// Accesses to the fabric under way.
int Cpu::device_stores() const {
  return config_.attribute == Attribute::strongly_ordered ? 1 : config_.cpu.device_stores;
}

// A line into both levels. A dirty one that has to leave goes to the DRAM without a wait.
void Cpu::keep(std::uint64_t line, bool dirty) {
  const auto fill_second = [&](std::uint64_t which, bool changed) {
    if (config_.cache.l2 ? l2_.fill(which, changed).has_value() : changed)
      memory_.write(ledger_.now(), config_.cache.line_bytes);
  };
  if (const auto left = l1_.fill(line, dirty))
    fill_second(*left, true);
  if (config_.cache.l2)
    fill_second(line, dirty);
}

// Requests a line that the first level lacks: from the second, or from its address's slave after
// both levels were looked up.
void Cpu::ask(std::uint64_t line) {
  for (const auto &asked : asked_)
    if (asked->line == line)
      return;
  const auto asked = std::make_shared<Asked>(Asked{
      line, ledger_.now() + (config_.cache.l2 ? config_.cache.l2_clocks * cpu_ : 0), {}, true});
  asked->trail.add(asked->ready, Class::software);
  asked_.push_back(asked);
  if (config_.cache.l2 && l2_.touch(line, false))
    return;
  const int bytes = config_.cache.line_bytes;
  if (line * bytes >= kFabric) {
    asked->ready = gp_.read(asked->ready, bytes, &asked->trail);
    return;
  }
  asked->issued = false; // other accesses may come before it
  memory_.later(asked->ready, [this, asked, bytes] {
    asked->ready = memory_.read(asked->ready, bytes, &asked->trail);
    asked->issued = true;
  });
}

void Cpu::load_line(std::uint64_t line) {
  if (l1_.touch(line, false))
    return;
  ask(line);
  const auto step = static_cast<std::uint64_t>(config_.cache.prefetch_step);
  for (int i = 1; line % step == 0 && i <= ahead_; ++i) {
    const std::uint64_t next = line + static_cast<std::uint64_t>(i) * step;
    if (next * config_.cache.line_bytes < source_end_ && !l1_.touch(next, false))
      ask(next);
  }
  const auto asked = *std::find_if(asked_.begin(), asked_.end(),
                                   [&](const auto &one) { return one->line == line; });
  std::erase_if(asked_, [&](const auto &one) { return one->line <= line; });
  memory_.settle([&] { return asked->issued; });
  ledger_.wait(asked->ready, asked->trail);
  keep(line, false);
}

void Cpu::load(std::uint64_t address, int bytes) {
  if (cached(address)) { // its lines
    const std::uint64_t line = config_.cache.line_bytes, last = (address + bytes - 1) / line;
    for (std::uint64_t at = address / line; at <= last; ++at)
      load_line(at);
    return;
  }
  if (address >= kUncached) // the driver's buffer: what the DMA engine writes there comes first
    memory_.settle_writes();
  const bool fabric = address >= kFabric && address < kUncached;
  const bool cut = fabric && config_.attribute != Attribute::noncacheable;
  const int piece = cut ? std::min(bytes, config_.cpu.device_read_bytes) : bytes;
  for (int done = 0; done < bytes; done += piece) {
    const int n = std::min(piece, bytes - done);
    trail_.clear();
    const Time now = ledger_.now();
    ledger_.wait(fabric ? gp_.read(now, n, &trail_) : memory_.read(now, n, &trail_), trail_);
  }
}

void Cpu::store(std::uint64_t address, int bytes) {
  const bool fabric = address >= kFabric && address < kUncached;
  if (address >= kUncached) {
    post(false, bytes, config_.cache.line_buffers);
    return;
  }
  if (fabric ? gathers() : cached(address)) {
    const std::uint64_t line = config_.cache.line_bytes, end = address + bytes;
    for (std::uint64_t at = address, next; at < end; at = next) {
      next = std::min(end, (at / line + 1) * line);
      if (fabric)
        store_through(at, static_cast<int>(next - at));
      else if (!l1_.touch(at / line, true))
        keep(at / line, true); // whole lines: written without a read
    }
    return;
  }
  const int piece = fabric ? std::min(bytes, config_.cpu.device_write_bytes) : bytes;
  for (int done = 0; done < bytes; done += piece) {
    const int n = std::min(piece, bytes - done);
    if (fabric && device_stores() > 1) {
      post(true, n, device_stores());
      continue;
    }
    trail_.clear();
    const Time now = ledger_.now();
    ledger_.wait(fabric ? gp_.write(now, n, &trail_) : memory_.write(now, n, &trail_), trail_);
  }
}

// Gathers stores of one line; a full line, or one that is left, goes to the slave and is not
// waited for, as long as there is a buffer for it.
void Cpu::store_through(std::uint64_t address, int bytes) {
  const std::uint64_t line = address / config_.cache.line_bytes;
  if (merged_bytes_ && line != merged_)
    flush_merged();
  merged_ = line;
  merged_bytes_ += bytes;
  if (merged_bytes_ >= config_.cache.line_bytes)
    flush_merged();
}

void Cpu::flush_merged() {
  post(true, merged_bytes_, config_.cache.line_buffers);
  merged_bytes_ = 0;
}

// A write that is not waited for, as long as fewer than `most` are under way.
void Cpu::post(bool fabric, int bytes, int most) {
  while (!lines_.empty() && lines_.front().first <= ledger_.now())
    lines_.pop_front();
  if (static_cast<int>(lines_.size()) >= most)
    wait_for_oldest_post();
  Trail trail;
  const Time now = ledger_.now();
  const Time end = fabric ? gp_.write(now, bytes, &trail) : memory_.write(now, bytes, &trail);
  lines_.emplace_back(end, std::move(trail));
}

void Cpu::wait_for_oldest_post() {
  ledger_.wait(lines_.front().first, lines_.front().second);
  lines_.pop_front();
}

// What was gathered goes; behind stores to a device a barrier: only then are their data there.
void Cpu::end_of_stores() {
  if (merged_bytes_)
    flush_merged();
  while (!cached(kFabric) && !lines_.empty())
    wait_for_oldest_post();
}

void Cpu::begin(std::uint64_t source, std::int64_t bytes) {
  asked_.clear();
  source_end_ = source + static_cast<std::uint64_t>(bytes);
  ahead_ = bytes >= config_.cache.prefetch_from ? config_.cache.prefetch_lines : 0;
}

void Cpu::copy(std::int64_t bytes, bool to_fabric, int access_bytes) {
  begin(to_fabric ? 0 : kFabric, bytes);
  instructions(config_.cpu.call_instructions);
  next_instructions_ = ledger_.now();
  for (std::int64_t a = 0; a < bytes; a += access_bytes) {
    const int n = static_cast<int>(std::min<std::int64_t>(access_bytes, bytes - a));
    const auto at = static_cast<std::uint64_t>(a);
    step(2); // a load and a store, which move while the slave is waited for
    load(to_fabric ? at : kFabric + at, n);
    store(to_fabric ? kFabric + at : at, n);
  }
  end_of_stores();
}

void Cpu::words(std::int64_t bytes, bool to_fabric) {
  begin(to_fabric ? 0 : kFabric, bytes);
  for (std::int64_t a = 0; a < bytes; a += 4) {
    const int n = static_cast<int>(std::min<std::int64_t>(4, bytes - a));
    const auto at = static_cast<std::uint64_t>(a);
    if (config_.target == Target::gpio) {
      trail_.clear();
      ledger_.wait(gp_.reg(ledger_.now(), !to_fabric, true, &trail_), trail_);
    } else {
      load(to_fabric ? at : kFabric + at, n);
      store(to_fabric ? kFabric + at : at, n);
    }
    instructions(config_.cpu.loop_clocks);
  }
  end_of_stores();
}

void Cpu::copy_in_memory(std::uint64_t from, std::uint64_t to, std::int64_t bytes) {
  begin(from, bytes);
  for (std::int64_t a = 0; a < bytes; a += config_.cpu.access_bytes) {
    const auto at = static_cast<std::uint64_t>(a);
    const int n = static_cast<int>(std::min<std::int64_t>(config_.cpu.access_bytes, bytes - a));
    step(2, n);
    load(from + at, n);
    store(to + at, n);
  }
}

void Cpu::move_in_memory(std::int64_t bytes, bool reads, bool writes) {
  const int line = config_.cache.line_bytes;
  const std::uint64_t from = kFabric / 2; // behind what `warm` filled
  begin(from, bytes);
  for (std::int64_t a = 0; a < bytes; a += line) {
    if (reads && writes) // every byte passes the processor
      step(2, line);
    else
      step(1);
    if (reads)
      load(from + static_cast<std::uint64_t>(a), line);
    if (writes)
      store(kUncached + static_cast<std::uint64_t>(a), line);
  }
}

void Cpu::copy_to_buffer(std::int64_t bytes) {
  const int line = config_.cache.line_bytes;
  begin(0, bytes);
  for (std::int64_t a = 0; a < bytes; a += line) {
    for (int done = 0; done < line; done += config_.cpu.access_bytes)
      step(2, std::min(config_.cpu.access_bytes, line - done));
    load(static_cast<std::uint64_t>(a), line);
    store(kUncached + static_cast<std::uint64_t>(a), line);
  }
}

void Cpu::clean(std::uint64_t buffer, std::int64_t bytes) {
  const auto line = static_cast<std::uint64_t>(config_.cache.line_bytes);
  const auto end = buffer + static_cast<std::uint64_t>(bytes);
  for (std::uint64_t a = buffer / line; a * line < end; ++a) {
    ledger_.spend(config_.cache.maintenance_clocks * cpu_, Class::cache_control);
    l1_.clean(a);
    l2_.clean(a);
  }
}

void Cpu::invalidate(std::uint64_t buffer, std::int64_t bytes) {
  clean(buffer, bytes); // an operation for each line, as cleaning is
  const auto line = static_cast<std::uint64_t>(config_.cache.line_bytes);
  for (std::uint64_t a = buffer / line; a * line < buffer + static_cast<std::uint64_t>(bytes);
       ++a) {
    l1_.drop(a);
    l2_.drop(a);
  }
}

} // namespace axm::processor
