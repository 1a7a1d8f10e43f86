// Random transfers through a DMA engine: what it moves, reports and counts is what predict.hpp
// says.
//
//   dma_random TRANSFERS SEED [FIRST_EPISODE [EPISODES]]
//
// An episode draws settings, manners of the slave and the streams, and a batch of transfers; one
// kind in each: clean, bad responses, commands that are refused, abort, hanging channel, broken
// protocol, reset. Behind each the engine is idle: its counts of places and completions are
// compared, and the assertions bound to it (rtl/dma/checks) say that every counter inside is at
// rest. A failure names seed and episode, which run alone with the last two arguments.
#include <csignal>

#include "episode.hpp"

int main(int argc, char **argv) {
  if (argc < 3) {
    std::printf("usage: dma_random TRANSFERS SEED [FIRST_EPISODE [EPISODES]]\n");
    return 2;
  }
  const std::uint64_t wanted = std::strtoull(argv[1], nullptr, 0),
                      seed = std::strtoull(argv[2], nullptr, 0);
  std::uint64_t number = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 0;
  const std::uint64_t last =
      argc > 4 ? number + std::strtoull(argv[4], nullptr, 0) : ~std::uint64_t{0};
  Bench bench(seed);
  std::map<std::string, std::uint64_t> kinds, codes;
  std::uint64_t transfers = 0;
  for (; transfers < wanted && number < last; ++number) {
    std::printf("seed %llu episode %llu\r", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(number));
    Episode episode(bench, seed, number);
    episode.run(codes);
    transfers += episode.transfers();
    ++kinds[episode.name()];
  }
  std::printf("{\"transfers\": %llu, \"episodes\": %llu, \"clocks\": %llu",
              static_cast<unsigned long long>(transfers), static_cast<unsigned long long>(number),
              static_cast<unsigned long long>(bench.clock));
  for (const auto &[name, count] : kinds)
    std::printf(", \"%s\": %llu", name.c_str(), static_cast<unsigned long long>(count));
  for (const auto &[name, count] : codes)
    std::printf(", \"code %s\": %llu", name.c_str(), static_cast<unsigned long long>(count));
  std::printf("}\n");
  return 0;
}
