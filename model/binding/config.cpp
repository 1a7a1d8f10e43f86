#include "config.hpp"

#include <nanobind/stl/vector.h>

namespace axm::binding {

RepeatStart start_of(nb::handle given, std::size_t streams) {
  auto s = config_of<RepeatStart>(given);
  need(s.launch.size() == streams, "launch", "must have one PL cycle for each stream");
  if (s.stop < 0)
    s.stop = kNever;
  return s;
}

nb::list keys_of(const std::vector<KeyDescription> &rows) {
  nb::list out;
  for (const KeyDescription &row : rows) {
    nb::dict d;
    d["table"] = row.table;
    d["key"] = row.key;
    d["type"] = row.type;
    d["pair"] = row.pair;
    d["required"] = row.required;
    d["default"] = row.fallback;
    d["least"] = row.least;
    d["most"] = row.most;
    d["unit"] = row.unit;
    d["only"] = row.only;
    d["meaning"] = row.meaning;
    d["words"] = row.words;
    out.append(d);
  }
  return out;
}

} // namespace axm::binding
