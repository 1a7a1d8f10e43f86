// Reads a configuration of the co-simulation: one value a line, by its full name, as the model's
// own messages have it: "dram.timing.CL 7"; items of lists have their number in the name,
// "ports[0].width_bytes 8". The configuration's `visit` (model/config/key.hpp) lists the keys, as
// for the Python binding. A missing, unknown or damaged value is an error that names it.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "axiometer/model/config.hpp"
#include "axiometer/model/config/reader.hpp"

namespace axm::cosim {

class KeyValues {
public:
  // std::invalid_argument if a line is not a key and a value, or a key comes twice.
  explicit KeyValues(std::istream &in);

  std::string text(const std::string &key);
  std::int64_t integer(const std::string &key, std::int64_t least = INT64_MIN,
                       std::int64_t most = INT64_MAX);
  bool has(const std::string &key) const { return values_.contains(key); }
  // Whether there is a key that begins so.
  bool has_below(const std::string &prefix) const;
  // std::invalid_argument if a value was not read.
  void expect_no_more() const;

private:
  struct Value {
    std::string text;
    bool used = false;
  };
  std::map<std::string, Value> values_;
};

// The table `name` of a configuration of lines, as `Reader` reads it. KeyValues::expect_no_more
// reports keys that were not read.
class LineTable {
public:
  LineTable(KeyValues &values, std::string name) : values_(&values), name_(std::move(name)) {}

  bool has(const std::string &key) const;
  std::string get(const std::string &key, bool &out);
  std::string get(const std::string &key, int &out);
  std::string get(const std::string &key, std::int64_t &out);
  std::string get(const std::string &key, std::uint64_t &out);
  std::string get(const std::string &key, double &out);
  std::string get(const std::string &key, std::string &out);
  template <class T> std::string get(const std::string &key, std::vector<T> &out) {
    for (std::string item = key + "[0]"; values_->has(below(name_, item));
         item = key_of(key.c_str(), out.size()))
      if (std::string wrong = get(item, out.emplace_back()); !wrong.empty())
        return wrong;
    return "";
  }
  LineTable table(const std::string &key) const { return {*values_, below(name_, key)}; }
  bool is_list(const std::string &key) const { return values_->has_below(below(name_, key) + "["); }
  std::size_t count(const std::string &list) const;
  LineTable item(const std::string &key, std::size_t i) const {
    return {*values_, below(name_, key_of(key.c_str(), i))};
  }
  std::string damaged() const { return ""; }
  std::vector<std::string> unread() const { return {}; }

private:
  KeyValues *values_;
  std::string name_;
};

// Reads the keys below `name` into `config`; the rest stays as it is.
template <class Config>
void read_lines(KeyValues &values, const std::string &name, Config &config) {
  read_config(LineTable(values, name), config, name);
}

SystemConfig read_chip(KeyValues &values);

} // namespace axm::cosim
