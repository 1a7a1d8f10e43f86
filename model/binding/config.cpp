// From nested dicts to the model's configuration: names and types, and nothing of what they mean.
#include "config.hpp"

#include "table.hpp"

namespace axm::binding {

namespace {

// A table that `read` reads wholly.
template <class Read> auto whole(Table &d, const char *key, Read &&read) {
  Table of = d.inner(key);
  auto out = read(of);
  of.done();
  return out;
}

DramConfig dram(Table &d) {
  DramConfig c;
  Table t = d.inner("timing");
  DramTiming &x = c.timing;
  const std::pair<const char *, int *> keys[] = {
      {"CL", &x.CL},     {"CWL", &x.CWL},     {"tRCD", &x.tRCD},
      {"tRP", &x.tRP},   {"tRAS", &x.tRAS},   {"tRC", &x.tRC},
      {"tRRD", &x.tRRD}, {"tFAW", &x.tFAW},   {"tCCD", &x.tCCD},
      {"tWTR", &x.tWTR}, {"tRTP", &x.tRTP},   {"tWR", &x.tWR},
      {"tRFC", &x.tRFC}, {"tREFI", &x.tREFI}, {"read_to_write", &x.read_to_write}};
  for (const auto &[key, value] : keys)
    *value = t.get<int>(key);
  t.get_if("tCCD_L", x.tCCD_L);
  t.get_if("tRRD_L", x.tRRD_L);
  t.get_if("tWTR_L", x.tWTR_L);
  t.done();
  d.get_if("bank_groups", c.bank_groups);
  d.get_if("ranks", c.ranks);
  d.get_if("rank_gap", c.rank_gap);
  d.get_if("rank_bit", c.rank_bit);
  if (d.has("bank_bits"))
    c.bank_bits = d.numbers<int>("bank_bits");
  if (d.has("row_bits"))
    c.row_bits = d.numbers<int>("row_bits");
  c.banks = d.get<int>("banks");
  c.row_bytes = d.get<int>("row_bytes");
  c.column_bytes = d.get<int>("column_bytes");
  c.burst_clocks = d.get<int>("burst_clocks");
  c.bytes = d.get<std::uint64_t>("bytes");
  const auto mapping = d.get<std::string>("mapping");
  if (mapping == "row-bank-column")
    c.mapping = Mapping::row_bank_column;
  else if (mapping == "bank-row-column")
    c.mapping = Mapping::bank_row_column;
  else
    fail("dram.mapping must be row-bank-column or bank-row-column");
  return c;
}

// What follows, up to afi, only usp-ddrc knows.
TrafficClass traffic(Table &d, const char *direction) {
  const auto name = d.get<std::string>(direction);
  if (name == "low_latency")
    return TrafficClass::low_latency;
  if (name != "video" && name != "best_effort")
    fail("a traffic class must be best_effort, video or low_latency");
  return name == "video" ? TrafficClass::video : TrafficClass::best_effort;
}

DdrcConfig ddrc(Table &d) {
  DdrcConfig c;
  c.clocks = d.get<int>("clocks");
  c.low_latency_entries = d.get<int>("low_latency_entries");
  c.idle_gap = d.get<int>("idle_gap");
  c.write_bytes = d.get<int>("write_bytes");
  c.store_expires = d.get<bool>("store_expires");
  c.starved_turn = d.get<bool>("starved_turn");
  c.least_run = d.get<int>("least_run");
  c.combine_writes = d.get<bool>("combine_writes");
  c.turn_by_part = d.get<bool>("turn_by_part");
  c.read_clocks = d.get<int>("read_clocks");
  return c;
}

DdrcPortConfig ddrc_port(Table &d) {
  DdrcPortConfig c;
  d.pair("queue_parts", c.queue_parts);
  d.pair("timeout", c.timeout);
  d.pair("entry_clocks", c.entry_clocks);
  c.clock_bytes = d.get<int>("clock_bytes");
  c.buffers = d.get<bool>("buffers");
  c.write_buffer = d.get<int>("write_buffer");
  c.write_gap = d.get<int>("write_gap");
  return c;
}

AfiConfig afi(Table &d) {
  AfiConfig c;
  c.issue = d.get<int>("issue");
  c.inflight = d.get<int>("inflight");
  c.until_taken = d.get<bool>("until_taken");
  d.pair("qos", c.qos);
  Table of = d.inner("traffic");
  c.traffic[kRead] = traffic(of, "read");
  c.traffic[kWrite] = traffic(of, "write");
  of.done();
  return c;
}

ControllerConfig controller(Table &d) {
  ControllerConfig c;
  c.policy = d.get<std::string>("policy");
  d.pair("entries", c.entries);
  const std::pair<const char *, int *> optional[] = {
      {"starve_clocks", &c.starve_clocks},
      {"run_length", &c.run_length},
      {"min_non_critical_clocks", &c.min_non_critical_clocks},
      {"batch", &c.batch},
      {"pick_window", &c.pick_window},
      {"prepare_window", &c.prepare_window}};
  for (const auto &[key, value] : optional)
    d.get_if(key, *value);
  if (d.has("ddrc"))
    c.ddrc = whole(d, "ddrc", ddrc);
  return c;
}

PathConfig path(Table &d) {
  PathConfig c;
  c.name = d.get<std::string>("name");
  d.pair("inflight", c.inflight);
  d.pair("request_clocks", c.request_clocks);
  d.pair("release_clocks", c.release_clocks);
  c.column_clocks = d.get<int>("column_clocks");
  d.pair("ordered", c.ordered);
  if (d.has("ddrc"))
    c.ddrc = whole(d, "ddrc", ddrc_port);
  return c;
}

PortConfig port(Table &d) {
  PortConfig c;
  c.name = d.get<std::string>("name");
  c.path = d.get<int>("path");
  c.width_bytes = d.get<int>("width_bytes");
  c.part_bytes = d.get<int>("part_bytes");
  d.pair("fifo_bytes", c.fifo_bytes);
  d.pair("request_cycles", c.request_cycles);
  c.return_cycles = d.get<int>("return_cycles");
  c.response_clocks = d.get<int>("response_clocks");
  c.early_response = d.get<bool>("early_response");
  c.release_whole_burst = d.get<bool>("release_whole_burst");
  if (d.has("afi"))
    c.afi = whole(d, "afi", afi);
  return c;
}

StreamConfig stream(Table &d) {
  StreamConfig c;
  c.port = d.get<int>("port");
  const auto direction = d.get<std::string>("direction");
  if (direction != "read" && direction != "write")
    fail("a stream's direction must be read or write");
  c.dir = direction == "read" ? kRead : kWrite;
  c.base = d.get<std::uint64_t>("base");
  c.bytes = d.get<std::uint64_t>("bytes");
  c.region = d.get<std::uint64_t>("region");
  c.burst_bytes = d.get<int>("burst_bytes");
  c.outstanding = d.get<int>("outstanding");
  c.gap_cycles = d.get<int>("gap_cycles");
  const auto pattern = d.get<std::string>("pattern");
  if (pattern != "random" && pattern != "stride" && pattern != "sequential")
    fail("a stream's pattern must be sequential, stride or random");
  c.pattern = pattern == "random"   ? Pattern::random
              : pattern == "stride" ? Pattern::stride
                                    : Pattern::sequential;
  c.stride = d.get<std::uint64_t>("stride");
  c.partner = d.get<int>("partner");
  c.loopback_bursts = d.get<int>("loopback_bursts");
  c.loopback_cycles = d.get<int>("loopback_cycles");
  for (const char *other : {"name", "master", "background"})
    d.skip(other); // for whoever makes records of the result
  return c;
}

} // namespace

SystemConfig system(const nb::dict &given) {
  SystemConfig c;
  Table d(given, "");
  c.clocks = whole(d, "clocks", [](Table &of) {
    return ClockRatio{of.get<std::int64_t>("ddr"), of.get<std::int64_t>("pl")};
  });
  c.dram = whole(d, "dram", dram);
  c.controller = whole(d, "controller", controller);
  d.list("paths", [&](Table &of) { c.paths.push_back(path(of)); });
  d.list("ports", [&](Table &of) { c.ports.push_back(port(of)); });
  d.list("streams", [&](Table &of) { c.streams.push_back(stream(of)); });
  if (d.has("measure"))
    c.measure = whole(d, "measure", [](Table &of) {
      return MeasureConfig{of.get<std::int64_t>("settle"), of.get<std::int64_t>("block"),
                           of.get<double>("confidence")};
    });
  if (d.has("convolution"))
    c.convolution = whole(d, "convolution", [](Table &of) {
      return ConvolutionConfig{of.get<int>("lanes"), of.get<int>("buffer_bytes"),
                               of.get<int>("turn")};
    });
  d.done();
  return c;
}

RepeatStart start(const nb::dict &given, std::size_t streams) {
  RepeatStart s;
  Table d(given, "");
  s.launch = d.numbers<Cycle>("launch");
  if (s.launch.size() != streams)
    fail("launch: one PL cycle for each stream");
  s.first_refresh = d.get<std::int64_t>("first_refresh");
  const auto stop = d.get<std::int64_t>("stop");
  s.stop = stop < 0 ? kNever : stop;
  s.pattern_seed = d.get<std::uint64_t>("pattern_seed");
  d.done();
  return s;
}

} // namespace axm::binding
