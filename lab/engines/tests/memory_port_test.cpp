// A port's bursts: an engine's requests beat by beat become its master's bursts.
#include <algorithm>
#include <random>

#include "bench.hpp"
#include "memory_port.hpp"

namespace bench {

namespace {

constexpr std::size_t kBurst = 128, kSize = 3 * 4096;

// Memory that fails behind its end, and looks at each access.
class Bus final : public axm::vendor::Master {
public:
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kSize);
  unsigned accesses = 0;
  bool read(std::uint64_t address, void *to, std::size_t count) override {
    if (!whole(address, count))
      return false;
    std::memcpy(to, bytes.data() + address, count);
    return true;
  }
  bool write(std::uint64_t address, const void *from, std::size_t count) override {
    if (!whole(address, count))
      return false;
    std::memcpy(bytes.data() + address, from, count);
    return true;
  }
  bool look(std::uint64_t address, void *to, std::size_t count) override {
    std::memcpy(to, bytes.data() + address, count);
    return true;
  }
  std::size_t burst_bytes() const override { return kBurst; }

private:
  bool whole(std::uint64_t address, std::size_t count) {
    ++accesses;
    CHECK(count > 0 && address / kBurst == (address + count - 1) / kBurst);
    return address + count <= bytes.size();
  }
};

unsigned bursts(std::uint64_t address, std::size_t count) {
  return static_cast<unsigned>((address % kBurst + count + kBurst - 1) / kBurst);
}

// Pieces of a transfer, as an engine of 8 bytes a beat requests them.
template <class Step> void beats(std::size_t count, Step step) {
  for (std::size_t done = 0; done < count;) {
    const std::size_t n = std::min<std::size_t>(8, count - done);
    CHECK(step(done, n, count - done - n));
    done += n;
  }
}

void transfers() {
  std::mt19937 random(1);
  for (int n = 0; n < 500; ++n) {
    Bus bus;
    axm::vendor::MemoryPort port(bus);
    const std::size_t count = 1 + random() % 600;
    const std::uint64_t from = random() % 4000, to = 6000 + random() % 5000;
    std::vector<std::uint8_t> beat(8), before;
    for (std::uint8_t &byte : bus.bytes)
      byte = static_cast<std::uint8_t>(random());
    before = bus.bytes;
    beats(count, [&](std::size_t at, std::size_t bytes, std::size_t more) {
      return port.read(from + at, beat.data(), bytes, more) &&
             port.write(to + at, beat.data(), bytes, more);
    });
    CHECK(bus.accesses == bursts(from, count) + bursts(to, count));
    std::copy_n(before.begin() + static_cast<long>(from), count,
                before.begin() + static_cast<long>(to));
    CHECK(bus.bytes == before);
  }
}

// A descriptor between two beats of data disturbs neither, and what was given up is not used later.
void others() {
  Bus bus;
  axm::vendor::MemoryPort port(bus);
  std::vector<std::uint8_t> word(32);
  CHECK(port.read(0, word.data(), 8, 56) && bus.accesses == 1);
  CHECK(port.read(4096, word.data(), 32) && bus.accesses == 2);
  bus.bytes[0] = bus.bytes[8] = 1;
  CHECK(port.read(0, word.data(), 8, 56) && word[0] == 1);
  port.forget();
  CHECK(port.read(8, word.data(), 8, 48) && word[0] == 1);
  port.forget();
  word.assign(32, 7);
  CHECK(port.write(256, word.data(), 8, 8) && bus.bytes[256] == 0);
  port.forget();
  CHECK(port.write(512, word.data(), 4) && bus.bytes[256] == 0 && bus.bytes[512] == 7);
  CHECK(!port.write(kSize, word.data(), 8));
  CHECK(!port.read(kSize, word.data(), 8));
}

} // namespace

void memory_port() {
  transfers();
  others();
}

} // namespace bench
