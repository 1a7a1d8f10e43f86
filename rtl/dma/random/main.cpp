// Random transfers through a DMA engine: its data, reports and counts must be those of
// predict.hpp.
//
//   dma_random TRANSFERS SEED [FIRST_EPISODE [EPISODES]]
//   dma_random every                                       all small transfers (every.hpp) instead
//
// An episode draws settings, manners of the slave and the streams, and a batch of transfers; one
// kind in each: clean, bad responses, commands that are refused, abort, hanging channel, broken
// protocol, reset. Behind each the engine is idle: its counts of places and completions are
// compared, and the assertions bound to it (rtl/dma/checks) check that every counter inside is at
// rest. A failure names seed and episode, which run alone with the last two arguments.
// With DMA_RANDOM_LENIENT in the environment the slave does not check the engine's requests, so
// that the assertions bound to it can be seen to.
#include <csignal>
#include <cstdlib>

#include "episode.hpp"
#include "every.hpp"

namespace {

using Counts = std::map<std::string, std::uint64_t>;

void print(const Bench &bench, std::uint64_t transfers, const Counts &counts) {
  std::printf("{\"transfers\": %llu, \"clocks\": %llu", static_cast<unsigned long long>(transfers),
              static_cast<unsigned long long>(bench.clock));
  for (const auto &[name, count] : counts)
    std::printf(", \"%s\": %llu", name.c_str(), static_cast<unsigned long long>(count));
  std::printf("}\n");
}

} // namespace

int main(int argc, char **argv) {
  const bool every = argc == 2 && argv[1] == std::string("every");
  if (argc < 3 && !every) {
    std::printf("usage: dma_random TRANSFERS SEED [FIRST_EPISODE [EPISODES]]\n"
                "       dma_random every\n");
    return 2;
  }
  Counts kinds, codes, counts;
  if (every) {
    Bench bench(1);
    const std::uint64_t transfers = every_small_transfer(bench, codes);
    for (const auto &[code, count] : codes)
      counts["code " + code] = count;
    print(bench, transfers, counts);
    return 0;
  }
  const std::uint64_t wanted = std::strtoull(argv[1], nullptr, 0),
                      seed = std::strtoull(argv[2], nullptr, 0);
  std::uint64_t number = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 0;
  const std::uint64_t last =
      argc > 4 ? number + std::strtoull(argv[4], nullptr, 0) : ~std::uint64_t{0};
  Bench bench(seed);
  bench.memory.lenient = std::getenv("DMA_RANDOM_LENIENT") != nullptr;
  std::uint64_t transfers = 0;
  for (; transfers < wanted && number < last; ++number) {
    std::printf("seed %llu episode %llu\r", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(number));
    Episode episode(bench, seed, number);
    episode.run(codes);
    transfers += episode.transfers();
    ++kinds[episode.name()];
  }
  counts = kinds;
  counts["episodes"] = number;
  for (const auto &[code, count] : codes)
    counts["code " + code] = count;
  print(bench, transfers, counts);
  return 0;
}
