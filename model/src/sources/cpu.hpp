// The processor: one thread, whose instructions, loads and stores come one after the other.
#pragma once

#include <deque>
#include <map>

#include "cache.hpp"
#include "gp_port.hpp"
#include "memory.hpp"
#include "throttle.hpp"

namespace axm::sources {

// Where an address is: in memory, in the slave in the fabric, or in the driver's buffer, which no
// cache holds.
enum class Place { memory, slave, uncached };
struct Address {
  Place place = Place::memory;
  std::int64_t byte = 0;
  Address operator+(std::int64_t n) const { return {place, byte + n}; }
};

class Cpu {
public:
  Cpu(const Config &config, Schedule &schedule, Books &books, Memory &memory, GpPort &gp,
      Throttle &throttle);

  void warm(std::int64_t bytes);
  void warm_round(std::int64_t bytes, bool reads, bool writes); // as `stream` leaves the caches
  Wait instructions(std::int64_t n, Class what);
  // One access each, in the class `what`, or without it each moment in its own class.
  Wait slave_register(bool read);
  Wait peripheral_register(bool read, bool data, std::optional<Class> what);
  Wait memory_write(std::int64_t byte, std::int64_t bytes, Class what);

  // Bytes from one place to another, by loads and stores of `access` bytes. `loop_clocks`: a loop
  // of words, which has so many after each; without, the copy routine.
  Job copy(Address from, Address to, std::int64_t bytes, int access,
           std::optional<int> loop_clocks = {});
  // Loads, stores or copies in the memory: of mapped buffers by `access_bytes`, otherwise of whole
  // lines that no cache holds.
  Job stream(std::int64_t bytes, bool reads, bool writes);
  Job to_buffer(std::int64_t bytes); // that no cache holds: stores are gathered into lines
  Job end_of_stores();
  Job clean(Address buffer, std::int64_t bytes);
  Job invalidate(Address buffer, std::int64_t bytes);

private:
  side::Attribute attribute(Address a) const;
  bool cached(Address a) const;
  bool gathers(Address a) const;
  std::int64_t line_of(Address a) const;
  Address source() const;
  Address target(bool reads) const;
  Wait next_instructions(int n, std::int64_t bytes = 1);
  void fetch_next(int n);
  Job fetch(std::int64_t n);
  Job fetch_for(Transaction &t, int bytes);
  // Those that may have to wait more than once are sequences; most do not.
  bool held(Address a, int bytes, bool written);
  Wait load(Address a, int bytes);
  Wait load_missing(Address a, int bytes);
  Job load_lines(Address a, int bytes);
  Job load_line(Address line);
  Job load_pieces(Address a, int bytes, int most);
  Wait store(Address a, int bytes);
  Wait store_missing(Address a, int bytes);
  Job store_lines(Address a, int bytes);
  Job store_pieces(Address a, int bytes, int most, int under_way);
  Wait gather(Address a, int bytes);
  Job gather_lines(Address a, int bytes);
  Wait send_gathered();
  std::optional<Address> into_second(std::int64_t line, bool dirty);
  Job write_back(Address line);
  Wait keep(std::int64_t line, bool dirty);
  Job keep_later(std::optional<std::int64_t> left, std::int64_t line, bool dirty);
  void prefetch(std::int64_t line);
  Job prefetched(Transaction &t, std::int64_t line);
  Wait post(Address a, std::int64_t bytes, std::int64_t most);
  Job post_later(Address a, std::int64_t bytes);
  void ask(Address line);
  Job asked(Transaction &t, Address line, bool in_second, Pending under_way);
  Pending access(Address a, std::int64_t bytes, bool read);
  void begin(Address source, std::int64_t bytes);

  const Config &config_;
  Schedule &schedule_;
  Books &books_;
  Memory &memory_;
  GpPort &gp_;
  Throttle &throttle_; // of copies
  CacheLevel l1_, l2_;
  Pending fetched_; // the next instructions of a loop, without caches
  std::deque<std::pair<std::int64_t, Pending>> asked_;
  std::map<std::int64_t, Pending> prefetched_; // by the second level: lines under way
  std::deque<Pending> posted_;
  Time path_free_ = 0; // for dirty lines of mapped buffers
  Address gathered_at_;
  std::int64_t gathered_ = 0; // stores to a line, in bytes
  std::int64_t source_end_ = 0;
  int ahead_ = 0;
};

} // namespace axm::sources
