// Unit tests of the co-simulation's parts that need no verilated design.
#include <array>
#include <cstdio>
#include <random>
#include <sstream>

#include "axiometer/model/config/print.hpp"
#include "axiometer/model/config/processor.hpp"
#include "axiometer/model/targets/usp_ddrc_keys.hpp"
#include "bits.hpp"
#include "chip_config.hpp"
#include "fault.hpp"
#include "memory.hpp"
#include "unit.hpp"

using namespace axm;
using namespace axm::cosim;
using namespace axm::cosim::unit;

namespace {

void fields_of_any_width_keep_their_neighbours() {
  std::mt19937_64 draw(1);
  std::array<std::uint32_t, 9> wide{};
  std::uint64_t narrow = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t width = 1 + draw() % 64;
    const std::size_t offset = draw() % (9 * 32 - width);
    const std::uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
    const std::uint64_t value = draw() & mask;
    auto before = wide;
    set_bits(wide, offset, width, value);
    CHECK(get_bits(wide, offset, width) == value);
    set_bits(wide, offset, width, get_bits(before, offset, width));
    CHECK(wide == before);
    set_bits(wide, offset, width, value);
    if (offset + width <= 64) {
      set_bits(narrow, offset, width, value);
      CHECK(get_bits(narrow, offset, width) == value);
    }
  }
}

void memory_is_one_whether_allocated_or_not() {
  Memory m(1 << 20);
  std::uint8_t in[300], out[300];
  for (int i = 0; i < 300; ++i)
    in[i] = static_cast<std::uint8_t>(i * 7 + 1);
  std::uint8_t *host = nullptr;
  const auto at = m.allocate(4096, 4096, 8192, &host);
  CHECK(at == 8192u);
  m.write(8192 - 100, 64, in, ~0ull); // before the buffer, not into it
  for (int i = 0; i < 300; i += 50)
    m.write(8192 - 100 + static_cast<std::uint64_t>(i), 50, in + i, ~0ull);
  m.read(8192 - 100, 300, out);
  CHECK(std::equal(in, in + 300, out));
  CHECK(host[0] == in[100] && host[199] == in[299]);
  m.write(8192, 4, out, 0x5); // strobes
  CHECK(host[0] == out[0] && host[1] == in[101] && host[2] == out[2]);
  CHECK(!m.allocate(4096, 4096, 8192, &host));         // taken
  CHECK(!m.allocate(4096, 4096, 4096 + 64, &host));    // not aligned
  CHECK(!m.allocate(2 << 20, 1, std::nullopt, &host)); // too large
  const auto second = m.allocate(8192, 4096, std::nullopt, &host);
  CHECK(second && (*second + 8192 <= 8192 || *second >= 8192 + 4096));
  CHECK(m.release(8192) && !m.release(8192));
  // The place of a line that was used changes when a buffer comes or goes.
  m.write(65536, 4, in, 0xf);
  CHECK(m.allocate(4096, 4096, 65536, &host) == 65536u);
  host[0] = 200;
  m.read(65536, 4, out);
  CHECK(out[0] == 200);
  m.release(65536);
  m.read(65536, 4, out);
  CHECK(std::equal(in, in + 4, out));
  CHECK(m.holds((1 << 20) - 4, 4) && !m.holds((1 << 20) - 4, 5) && !m.holds(~0ull, 2));
}

void faults_that_cannot_be_are_refused() {
  Faults f;
  CHECK(message([&] { f.add("port=0 channel=x kind=hang"); }) == "unknown channel x");
  CHECK(message([&] { f.add("port=0 channel=aw kind=slverr"); }) ==
        "this channel cannot have this fault");
  CHECK(!message([&] { f.add("prot=0"); }).empty());
  for (const char *bad : {"port=99999999999999999999", "burst=", "clocks=-1", "clocks=3x"})
    CHECK(message([&] { f.add(bad); }).find("must be a whole number below 2^64") !=
          std::string::npos);
  f.add("port=1 channel=w kind=hang burst=2 clocks=3");
  CHECK(!f.hangs(0, Channel::w, 2) && !f.hangs(1, Channel::w, 1));
  int hung = 0;
  while (f.hangs(1, Channel::w, 2))
    ++hung;
  CHECK(hung == 3);
}

void configurations_that_are_damaged_are_refused() {
  const auto read = [](const std::string &text) {
    std::istringstream in(text);
    KeyValues values(in);
    read_chip(values);
  };
  CHECK(message([&] { read("clocks.ddr"); }).starts_with("configuration: write a key"));
  CHECK(message([&] { read("clocks.ddr 4\n"); }).starts_with("clocks.pl: is missing"));
  CHECK(message([&] { read("clocks.ddr 4x\n"); }) ==
        "clocks.ddr: must be a whole number of 64 bits, not 4x");
  CHECK(message([&] { read("a 1\na 2\n"); }) == "a: is given twice");
  CHECK(message([&] { read("a 1\n" + std::string("\0b 2\n", 5)); }) ==
        "configuration: line 2 holds a control character");
  std::istringstream in("spare 1\n");
  KeyValues values(in);
  CHECK(message([&] { values.expect_no_more(); }) == "spare: unknown key; docs/keys.md has all");
}

// What a configuration prints as, line by line.
template <class Config> std::string lines(const Config &config) {
  std::ostringstream out;
  out << std::boolalpha;
  print_config(config, [&](const std::string &name, const auto &value) {
    out << name << ' ' << value << '\n';
  });
  return out.str();
}

template <class Config> Config read_back(const std::string &text) {
  std::istringstream in(text);
  KeyValues values(in);
  Config config;
  read_lines(values, "", config);
  values.expect_no_more();
  return config;
}

void what_is_printed_is_read_and_nothing_else() {
  SystemConfig c = one_port();
  c.paths[0].name = c.ports[0].name = c.streams[0].name = c.streams[1].name = "HP 0";
  c.controller.policy = kUspDdrc;
  c.controller.keys<DdrcConfig>().turn = Turn::command;
  c.paths[0].ddrc.timeout_clocks[kWrite] = 9;
  c.dram.bank_address_bits = {6, 14};
  c.streams[1].pattern = Pattern::stride;
  c.measure.confidence = 0.25;
  const std::string text = lines(c);
  CHECK(text.find("controller.turn command\n") != std::string::npos);
  CHECK(text.find("paths[0].timeout_clocks_write 9\n") != std::string::npos);
  CHECK(lines(read_back<SystemConfig>(text)) == text);
  CHECK(message([&] {
          read_back<SystemConfig>(text + "controller.pick_windowz 1\n");
        }).starts_with("controller.pick_windowz: "));
  CHECK(message([&] {
          read_back<SystemConfig>(text + "ports[0].qos_raed 1\n");
        }).starts_with("ports[0].qos_raed: "));

  processor::Config side;
  side.port.serial_time = 77;
  side.master = processor::Master::ring;
  side.ring.maintain = false;
  const std::string of_side = lines(side);
  CHECK(of_side.find("master ring\n") != std::string::npos);
  CHECK(lines(read_back<processor::Config>(of_side)) == of_side);
  CHECK(message([&] {
          read_back<processor::Config>("memory.read_clokcs 1\n");
        }).starts_with("memory.read_clokcs: "));
  CHECK(message([&] {
          read_back<processor::Config>("master nobody\n");
        }).starts_with("master: must be one of copy, "));
}

void configurations_beyond_their_limits_are_refused() {
  const auto integer = [](const std::string &value, std::int64_t least, std::int64_t most) {
    std::istringstream in("a " + value + "\n");
    KeyValues values(in);
    values.integer("a", least, most);
  };
  CHECK(message([&] { integer("7", 7, 8); }).empty());
  CHECK(message([&] { integer("9", 7, 8); }) == "a: must be 7 to 8");
  CHECK(message([&] { integer("-1", 0, 8); }) == "a: must be 0 to 8");
  CHECK(message([&] {
          integer("9223372036854775808", 0, 8);
        }).starts_with("a: must be a whole number"));
  const auto real = [](const std::string &value) {
    std::istringstream in("a " + value + "\n");
    KeyValues values(in);
    double number = 0;
    return LineTable(values, "").get("a", number);
  };
  CHECK(real("0.5").empty());
  for (const char *bad : {"nan", "inf", "-inf", "1e999", "1,5"})
    CHECK(real(bad).starts_with("must be a finite number"));
}

} // namespace

int main() {
  fields_of_any_width_keep_their_neighbours();
  memory_is_one_whether_allocated_or_not();
  faults_that_cannot_be_are_refused();
  configurations_that_are_damaged_are_refused();
  configurations_beyond_their_limits_are_refused();
  what_is_printed_is_read_and_nothing_else();
  ports();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
