// The processor as a source of traffic: a copy routine or a word loop between its memory and a
// slave in the fabric, instruction by instruction where it matters, and what it does around.
//
// Purpose      Loads and stores through the caches, past them, or to device memory; merging of
//              stores into lines; reading ahead; instructions fetched from the DRAM when the
//              caches are off.
// Limits       One core, one thread, in order: no load passes an earlier one to device memory.
//              Lines of the fabric are never dirty (writes go through).
#pragma once

#include <deque>
#include <memory>

#include "axiometer/model/processor/cache.hpp"
#include "axiometer/model/processor/dram.hpp"
#include "axiometer/model/processor/gp_port.hpp"

namespace axm::processor {

class Cpu {
public:
  Cpu(const Config &config, Ledger &ledger, Memory &memory, GpPort &gp);

  // `n` instructions that wait for nothing but themselves, booked as `what`.
  void instructions(int n, Class what = Class::software);
  // One access to a register of a peripheral, or of a slave in the fabric.
  void access_register(bool read, bool in_fabric, Class what);
  // Puts the buffer's lines into the caches, as after it was filled. Takes no time.
  void warm(std::int64_t bytes);
  // The copy routine, or one word after the other, between memory and fabric.
  void copy(std::int64_t bytes, bool to_fabric, int access_bytes);
  void words(std::int64_t bytes, bool to_fabric);
  // One buffer to another, both in memory, through the caches where they may be.
  void copy_in_memory(std::uint64_t from, std::uint64_t to, std::int64_t bytes);
  // Lines that no cache holds: read, written whole through the second level's buffers, or both.
  void move_in_memory(std::int64_t bytes, bool reads, bool writes);
  // To a buffer that no cache holds, whose stores are gathered into lines.
  void copy_to_buffer(std::int64_t bytes);
  // Cleans each line of a buffer, or invalidates it: then no cache holds it any more.
  void clean(std::uint64_t buffer, std::int64_t bytes);
  void invalidate(std::uint64_t buffer, std::int64_t bytes);

private:
  void begin(std::uint64_t source, std::int64_t bytes);
  void step(int n, int bytes = 0);
  void load(std::uint64_t address, int bytes);
  void store(std::uint64_t address, int bytes);
  void load_line(std::uint64_t line);
  void ask(std::uint64_t line);
  void fetch(Time t, int reads);
  void keep(std::uint64_t line, bool dirty);
  void store_through(std::uint64_t address, int bytes);
  void post(bool fabric, int bytes, int most);
  void flush_merged();
  void wait_for_oldest_post();
  void end_of_stores();
  bool cached(std::uint64_t address) const;
  bool gathers() const;
  int device_stores() const;

  struct Asked {
    std::uint64_t line;
    Time ready;
    Trail trail;
    bool issued; // or else `ready` is when it will be
  };

  const Config &config_;
  Ledger &ledger_;
  Memory &memory_;
  GpPort &gp_;
  Cache l1_, l2_;
  Trail trail_;
  Time cpu_, next_instructions_ = 0;
  int fetches_ = 0;                          // of these, that are still to be issued
  std::deque<std::shared_ptr<Asked>> asked_; // lines that were requested ahead
  std::deque<std::pair<Time, Trail>> lines_; // lines on their way to the slave
  std::uint64_t merged_ = 0;                 // the line that stores are gathered in
  int merged_bytes_ = 0;
  std::uint64_t source_end_ = 0; // of the copy under way
  int ahead_ = 0;
};

// Addresses from here on are in the fabric; from the second on in memory that no cache holds.
inline constexpr std::uint64_t kFabric = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kUncached = std::uint64_t{1} << 41;

} // namespace axm::processor
