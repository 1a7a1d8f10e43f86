#include "axiometer/model/sources/clocked_engines.hpp"

namespace axm::clocked {

Engines::Engines(const SystemConfig &c, const RepeatStart &start, Chip &chip)
    : on_(chip.interfaces().size()), multiplexers_(chip.interfaces().size()) {
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    masters_.emplace_back(c, i);
    masters_.back().start(start.launch[i], start.pattern_seed);
  }
  for (std::size_t i = 0; i < masters_.size(); ++i) {
    if (c.streams[i].partner >= 0)
      masters_[i].join(&masters_[static_cast<std::size_t>(c.streams[i].partner)]);
    on_[Chip::interface_of(c, i)].push_back(&masters_[i]);
  }
  const PortClocks clocks(c);
  with_clock_.resize(clocks.count());
  for (std::size_t i = 0; i < on_.size(); ++i) {
    Master *const first = on_[i][0];
    with_clock_[clocks.of(first->port())].push_back(
        {&chip.interfaces()[i], on_[i].size() == 1 ? first : nullptr, &multiplexers_[i], &on_[i]});
  }
}

std::vector<Books *> Engines::books() {
  std::vector<Books *> out;
  for (Master &m : masters_)
    out.push_back(&m.books());
  return out;
}

} // namespace axm::clocked
