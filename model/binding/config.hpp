// A configuration as nested dicts, with functions for all keys and all values.
#pragma once

#include <nanobind/nanobind.h>

#include "axiometer/model/config.hpp"
#include "axiometer/model/config/description.hpp"
#include "axiometer/model/config/reader.hpp"
#include "table.hpp"

namespace axm::binding {

// The configuration that a dict has. ValueError names the key that is missing, unknown or of the
// wrong type.
template <class Config> Config config_of(nb::handle given) {
  Config config;
  read_config(DictTable(given), config);
  return config;
}

// std::invalid_argument unless there is a launch for each of `streams` streams.
RepeatStart start_of(nb::handle given, std::size_t streams);

// Every key by its full name with the value that it has.
template <class Config> nb::dict values_of(const Config &config) {
  nb::dict out;
  print_config(config,
               [&](const std::string &name, const auto &value) { out[name.c_str()] = value; });
  return out;
}

// A dict for each key of a configuration.
nb::list keys_of(const std::vector<KeyDescription> &rows);

} // namespace axm::binding
