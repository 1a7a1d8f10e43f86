// Reads the chip's configuration: the same values that the Python binding takes, one
// a line, "dram.timing.CL 7"; items of lists have their number in the key,
// "ports.0.width_bytes 8". A missing, unknown or damaged value is an error that names it.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>

#include "axiometer/model/config.hpp"

namespace axm::cosim {

class KeyValues {
public:
  // std::invalid_argument if a line is not a key and a value, or a key comes twice.
  explicit KeyValues(std::istream &in);

  std::string text(const std::string &key);
  std::int64_t integer(const std::string &key, std::int64_t least = INT64_MIN,
                       std::int64_t most = INT64_MAX);
  double real(const std::string &key);
  bool boolean(const std::string &key); // "true" or "false"
  bool has(const std::string &key) const { return values_.contains(key); }
  // How many items a list has.
  std::size_t count(const std::string &list) const;
  // std::invalid_argument if there is a value that nobody asked for.
  void expect_no_more() const;

private:
  struct Value {
    std::string text;
    bool used = false;
  };
  std::map<std::string, Value> values_;
};

SystemConfig read_chip(KeyValues &values);

} // namespace axm::cosim
