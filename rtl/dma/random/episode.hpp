// One episode of the random bench: a batch of transfers under one kind of trouble, and what must
// come of it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "bench.hpp"
#include "predict.hpp"

struct Batch { // given, not drawn
  unsigned burst = 16;
  bool whole_burst = false;
  std::vector<Plan> reads, writes; // a copy is a write that has a source
  Faults read_faults, write_faults;
};

class Episode {
public:
  Episode(Bench &bench, std::uint64_t seed, std::uint64_t number);
  Episode(Bench &bench, const Batch &batch, std::uint64_t number);
  void work(std::map<std::string, std::uint64_t> &codes);
  void run(std::map<std::string, std::uint64_t> &codes);
  std::uint64_t transfers() const { return reads_.size() + writes_.size(); }
  const char *name() const;

private:
  enum class Kind {
    clean,
    responses,
    refused,
    none_allowed,
    abort,
    hang,
    hang_reset,
    broken,
    reset
  };

  struct Job {
    Plan plan;
    bool bad = false;               // the command is refused
    Outcome expected;               // exact in kinds that do not cut transfers short
    std::vector<bool> kept;         // writing: bytes of the transfer that are written
    std::vector<std::uint8_t> data; // ... and what they are
    bool quiet = false;             // a descriptor without an interrupt
    bool done = true;               // its descriptor was written back
    Outcome got;
  };
  struct Ring;

  void settings();
  void configure(unsigned reads, unsigned writes, bool whole_burst);
  Plan draw(unsigned slot);
  void plan_reads();
  void plan_writes();
  void plan_data(Job &job);
  void predict();
  void faults(std::uint64_t address, std::uint32_t bytes, Faults &into, unsigned percent);
  void give(const Job &job);
  void submit(const Half &half, const Job &job);
  void trouble();
  void collect(const Half &half, std::vector<Job> &jobs, std::size_t &taken, bool wait);
  void submit_more();
  // Rings (ring.cpp)
  void run_rings();
  void open(Ring &ring);
  void give(Ring &ring);
  void take(Ring &ring, std::size_t head);
  void hang_rings();
  void reset_bus();
  void end_rings(std::vector<Ring> &rings);
  void take_rest(Ring &ring, bool off);
  // Limits of the interrupt and of time (limits.cpp)
  void choose_limits();
  void change_limits();
  void shorten_time();
  void check_limits();
  std::uint32_t completions() const;
  void rest();
  void at_rest(const Half &half);
  bool stopped();
  void check_cut(const Half &half, const std::vector<Job> &jobs);
  void check_exact(const char *half, const Job &job);
  void check_memory();
  void check_stream();
  bool cut() const { return kind_ >= Kind::abort; }
  [[noreturn]] void wrong(const std::string &what) const;

  Bench &bench_;
  Chance chance_;
  std::uint64_t seed_ = 0, number_;
  Kind kind_ = Kind::clean;
  bool by_rings_ = false; // transfers come from descriptors
  bool drawn_ = false;    // and not given
  bool shaken_ = false;   // limits of the interrupt change while transfers are under way
  unsigned read_burst_ = 16, write_burst_ = 16, channel_ = 0;
  std::vector<Job> reads_, writes_;                // a copy is a write that has a source
  std::size_t taken_reads_ = 0, taken_writes_ = 0; // completions
};
