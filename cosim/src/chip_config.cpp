#include "chip_config.hpp"

#include <charconv>
#include <climits>
#include <cmath>
#include <stdexcept>

namespace axm::cosim {

KeyValues::KeyValues(std::istream &in) {
  std::string line;
  while (std::getline(in, line)) {
    const auto space = line.find(' ');
    if (space == 0 || space == std::string::npos || space + 1 == line.size())
      throw std::invalid_argument("configuration: not a key and a value: \"" + line + "\"");
    const std::string key = line.substr(0, space);
    if (!values_.emplace(key, Value{line.substr(space + 1)}).second)
      throw std::invalid_argument("configuration: " + key + " is there twice");
  }
}

std::string KeyValues::text(const std::string &key) {
  const auto at = values_.find(key);
  if (at == values_.end())
    throw std::invalid_argument("configuration: " + key + " is missing");
  at->second.used = true;
  return at->second.text;
}

std::int64_t KeyValues::integer(const std::string &key, std::int64_t least, std::int64_t most) {
  const std::string value = text(key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size())
    throw std::invalid_argument("configuration: " + key + " is not a number: " + value);
  if (number < least || number > most)
    throw std::invalid_argument("configuration: " + key + " must be " + std::to_string(least) +
                                " to " + std::to_string(most) + ": " + value);
  return number;
}

double KeyValues::real(const std::string &key) {
  const std::string value = text(key);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || !std::isfinite(number))
    throw std::invalid_argument("configuration: " + key + " is not a number: " + value);
  return number;
}

bool KeyValues::boolean(const std::string &key) {
  const std::string value = text(key);
  if (value != "true" && value != "false")
    throw std::invalid_argument("configuration: " + key + " is neither true nor false: " + value);
  return value == "true";
}

std::size_t KeyValues::count(const std::string &list) const {
  std::size_t n = 0;
  for (;; ++n) {
    const std::string prefix = list + "." + std::to_string(n) + ".";
    const auto at = values_.lower_bound(prefix);
    if (at == values_.end() || !at->first.starts_with(prefix))
      return n;
  }
}

void KeyValues::expect_no_more() const {
  for (const auto &[key, value] : values_)
    if (!value.used)
      throw std::invalid_argument("configuration: unknown key " + key);
}

namespace {

// One table of the configuration.
class Table {
public:
  Table(KeyValues &values, std::string name) : values_(values), name_(std::move(name)) {}
  Table inner(const std::string &name) { return {values_, name_ + "." + name}; }
  // Whether there is a table of this name that has this key.
  bool has(const std::string &table, const std::string &key) const {
    return has(table + "." + key);
  }

  std::string text(const std::string &key) { return values_.text(name_ + "." + key); }
  bool has(const std::string &key) const { return values_.has(name_ + "." + key); }
  bool boolean(const std::string &key) { return values_.boolean(name_ + "." + key); }
  std::uint64_t size(const std::string &key) {
    return static_cast<std::uint64_t>(values_.integer(name_ + "." + key, 0));
  }
  int number(const std::string &key) {
    return static_cast<int>(values_.integer(name_ + "." + key, INT_MIN, INT_MAX));
  }
  void pair(const std::string &key, int (&out)[2]) {
    out[kRead] = number(key + ".read");
    out[kWrite] = number(key + ".write");
  }
  void number_if(const std::string &key, int &out) {
    if (has(key))
      out = number(key);
  }
  std::vector<int> numbers(const std::string &key) {
    std::vector<int> out;
    for (std::string item = key + ".0"; has(item); item = key + "." + std::to_string(out.size()))
      out.push_back(number(item));
    return out;
  }

private:
  KeyValues &values_;
  std::string name_;
};

DramConfig read_dram(KeyValues &values) {
  Table t(values, "dram");
  DramConfig c;
  const std::pair<const char *, int *> timing[] = {{"CL", &c.timing.CL},
                                                   {"CWL", &c.timing.CWL},
                                                   {"tRCD", &c.timing.tRCD},
                                                   {"tRP", &c.timing.tRP},
                                                   {"tRAS", &c.timing.tRAS},
                                                   {"tRC", &c.timing.tRC},
                                                   {"tRRD", &c.timing.tRRD},
                                                   {"tFAW", &c.timing.tFAW},
                                                   {"tCCD", &c.timing.tCCD},
                                                   {"tWTR", &c.timing.tWTR},
                                                   {"tRTP", &c.timing.tRTP},
                                                   {"tWR", &c.timing.tWR},
                                                   {"tRFC", &c.timing.tRFC},
                                                   {"tREFI", &c.timing.tREFI},
                                                   {"read_to_write", &c.timing.read_to_write}};
  for (const auto &[key, value] : timing)
    *value = t.number(std::string("timing.") + key);
  t.number_if("timing.tCCD_L", c.timing.tCCD_L);
  t.number_if("timing.tRRD_L", c.timing.tRRD_L);
  t.number_if("timing.tWTR_L", c.timing.tWTR_L);
  t.number_if("bank_groups", c.bank_groups);
  t.number_if("ranks", c.ranks);
  t.number_if("rank_gap", c.rank_gap);
  t.number_if("rank_bit", c.rank_bit);
  c.bank_bits = t.numbers("bank_bits");
  c.row_bits = t.numbers("row_bits");
  c.banks = t.number("banks");
  c.row_bytes = t.number("row_bytes");
  c.column_bytes = t.number("column_bytes");
  c.burst_clocks = t.number("burst_clocks");
  c.bytes = t.size("bytes");
  const std::string mapping = t.text("mapping");
  if (mapping != "row-bank-column" && mapping != "bank-row-column")
    throw std::invalid_argument("configuration: dram.mapping: unknown mapping " + mapping);
  c.mapping = mapping == "row-bank-column" ? Mapping::row_bank_column : Mapping::bank_row_column;
  return c;
}

// What follows, up to read_afi, only usp-ddrc knows.
DdrcConfig read_ddrc(Table t) {
  DdrcConfig c;
  c.clocks = t.number("clocks");
  c.low_latency_entries = t.number("low_latency_entries");
  c.idle_gap = t.number("idle_gap");
  c.write_bytes = t.number("write_bytes");
  c.store_expires = t.boolean("store_expires");
  c.starved_turn = t.boolean("starved_turn");
  c.least_run = t.number("least_run");
  c.combine_writes = t.boolean("combine_writes");
  c.turn_by_part = t.boolean("turn_by_part");
  c.read_clocks = t.number("read_clocks");
  return c;
}

DdrcPortConfig read_ddrc_port(Table t) {
  DdrcPortConfig c;
  t.pair("queue_parts", c.queue_parts);
  t.pair("timeout", c.timeout);
  t.pair("entry_clocks", c.entry_clocks);
  c.clock_bytes = t.number("clock_bytes");
  c.buffers = t.boolean("buffers");
  c.write_buffer = t.number("write_buffer");
  c.write_gap = t.number("write_gap");
  return c;
}

TrafficClass traffic(const std::string &name) {
  if (name == "low_latency")
    return TrafficClass::low_latency;
  if (name == "video")
    return TrafficClass::video;
  if (name == "best_effort")
    return TrafficClass::best_effort;
  throw std::invalid_argument("configuration: no class of traffic is called " + name);
}

AfiConfig read_afi(Table t) {
  AfiConfig c;
  c.issue = t.number("issue");
  c.inflight = t.number("inflight");
  c.until_taken = t.boolean("until_taken");
  t.pair("qos", c.qos);
  c.traffic[kRead] = traffic(t.text("traffic.read"));
  c.traffic[kWrite] = traffic(t.text("traffic.write"));
  return c;
}

ControllerConfig read_controller(KeyValues &values) {
  Table t(values, "controller");
  ControllerConfig c;
  c.policy = t.text("policy");
  t.pair("entries", c.entries);
  const std::pair<const char *, int *> optional[] = {
      {"starve_clocks", &c.starve_clocks},
      {"run_length", &c.run_length},
      {"min_non_critical_clocks", &c.min_non_critical_clocks},
      {"batch", &c.batch},
      {"pick_window", &c.pick_window},
      {"prepare_window", &c.prepare_window}};
  for (const auto &[key, value] : optional)
    t.number_if(key, *value);
  if (t.has("ddrc", "clocks"))
    c.ddrc = read_ddrc(t.inner("ddrc"));
  return c;
}

PathConfig read_path(Table t) {
  PathConfig c;
  c.name = t.text("name");
  t.pair("inflight", c.inflight);
  t.pair("request_clocks", c.request_clocks);
  t.pair("release_clocks", c.release_clocks);
  c.column_clocks = t.number("column_clocks");
  c.ordered[kRead] = t.boolean("ordered.read");
  c.ordered[kWrite] = t.boolean("ordered.write");
  if (t.has("ddrc", "clock_bytes"))
    c.ddrc = read_ddrc_port(t.inner("ddrc"));
  return c;
}

PortConfig read_port(Table t) {
  PortConfig c;
  c.name = t.text("name");
  c.path = t.number("path");
  c.width_bytes = t.number("width_bytes");
  c.part_bytes = t.number("part_bytes");
  t.pair("fifo_bytes", c.fifo_bytes);
  t.pair("request_cycles", c.request_cycles);
  c.return_cycles = t.number("return_cycles");
  c.response_clocks = t.number("response_clocks");
  c.early_response = t.boolean("early_response");
  c.release_whole_burst = t.boolean("release_whole_burst");
  if (t.has("afi", "issue"))
    c.afi = read_afi(t.inner("afi"));
  return c;
}

// More than the IDs of a port can name.
constexpr int kMostMasters = 256;

// What the design does is not configured here; this is what the books need.
StreamConfig read_stream(Table t) {
  StreamConfig c;
  c.port = t.number("port");
  const std::string direction = t.text("direction");
  if (direction != "read" && direction != "write")
    throw std::invalid_argument("configuration: a direction is read or write, not " + direction);
  c.dir = direction == "read" ? kRead : kWrite;
  c.base = t.size("base");
  c.bytes = t.size("bytes");
  c.region = t.size("region");
  c.burst_bytes = t.number("burst_bytes");
  c.outstanding = t.number("outstanding");
  c.gap_cycles = t.number("gap_cycles");
  const std::string pattern = t.text("pattern");
  if (pattern != "random" && pattern != "stride" && pattern != "sequential")
    throw std::invalid_argument("configuration: no pattern is called " + pattern);
  c.pattern = pattern == "random"   ? Pattern::random
              : pattern == "stride" ? Pattern::stride
                                    : Pattern::sequential;
  c.stride = t.size("stride");
  c.partner = t.number("partner");
  c.loopback_bursts = t.number("loopback_bursts");
  c.loopback_cycles = t.number("loopback_cycles");
  t.text("name");
  t.number_if("master", c.master);
  if (c.port < 0 || c.master < 0 || c.master >= kMostMasters)
    throw std::invalid_argument("configuration: a stream has no such port or master");
  return c;
}

template <class T, class Read>
void read_list(KeyValues &values, const std::string &name, std::vector<T> &out, Read read) {
  const std::size_t n = values.count(name);
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(read(Table(values, name + "." + std::to_string(i))));
}

} // namespace

SystemConfig read_chip(KeyValues &values) {
  SystemConfig c;
  c.clocks = {values.integer("clocks.ddr"), values.integer("clocks.pl")};
  c.dram = read_dram(values);
  c.controller = read_controller(values);
  read_list(values, "paths", c.paths, read_path);
  read_list(values, "ports", c.ports, read_port);
  read_list(values, "streams", c.streams, read_stream);
  if (values.has("measure.settle"))
    c.measure = {values.integer("measure.settle"), values.integer("measure.block"),
                 values.real("measure.confidence")};
  return c;
}

} // namespace axm::cosim
