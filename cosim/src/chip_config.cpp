#include "chip_config.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "axiometer/model/config/bounds.hpp"
#include "numbers.hpp"

namespace axm::cosim {

namespace {

// "" if all of `value` is a number of the type of `out`, which it then has.
template <class T> std::string number(const std::string &value, T &out) {
  if (!parse_number(value, out))
    return std::is_same_v<T, double> ? "must be a finite number, not " + value
                                     : "must be a whole number of " +
                                           std::to_string(8 * sizeof(T)) + " bits, not " + value;
  return "";
}

} // namespace

KeyValues::KeyValues(std::istream &in) {
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    // Messages name keys: what cannot be printed would end them, or a terminal would obey it.
    if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::iscntrl(c); }))
      throw std::invalid_argument("configuration: line " + std::to_string(number) +
                                  " holds a control character");
    const auto space = line.find(' ');
    if (space == 0 || space == std::string::npos || space + 1 == line.size())
      throw std::invalid_argument("configuration: write a key and a value, not \"" + line + "\"");
    const std::string key = line.substr(0, space);
    if (!values_.emplace(key, Value{line.substr(space + 1)}).second)
      throw std::invalid_argument(key + ": is given twice");
  }
}

std::string KeyValues::text(const std::string &key) {
  const auto at = values_.find(key);
  if (at == values_.end())
    throw std::invalid_argument(key + ": is missing");
  at->second.used = true;
  return at->second.text;
}

std::int64_t KeyValues::integer(const std::string &key, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const std::string wrong = number(text(key), value);
  need(wrong.empty(), key, wrong);
  need_within(value, least, most, key);
  return value;
}

bool KeyValues::has_below(const std::string &prefix) const {
  const auto at = values_.lower_bound(prefix);
  return at != values_.end() && at->first.starts_with(prefix);
}

void KeyValues::expect_no_more() const {
  for (const auto &[key, value] : values_)
    if (!value.used)
      throw std::invalid_argument(key + ": unknown key; docs/keys.md has all");
}

bool LineTable::has(const std::string &key) const {
  const std::string name = below(name_, key);
  return values_->has(name) || values_->has_below(name + ".") || values_->has_below(name + "[");
}

std::string LineTable::get(const std::string &key, bool &out) {
  const std::string value = values_->text(below(name_, key));
  out = value == "true";
  return out || value == "false" ? "" : "must be true or false, not " + value;
}
std::string LineTable::get(const std::string &key, int &out) {
  return number(values_->text(below(name_, key)), out);
}
std::string LineTable::get(const std::string &key, std::int64_t &out) {
  return number(values_->text(below(name_, key)), out);
}
std::string LineTable::get(const std::string &key, std::uint64_t &out) {
  return number(values_->text(below(name_, key)), out);
}
std::string LineTable::get(const std::string &key, double &out) {
  std::string wrong = number(values_->text(below(name_, key)), out);
  return wrong.empty() && !std::isfinite(out) ? "must be a finite number" : wrong;
}
std::string LineTable::get(const std::string &key, std::string &out) {
  out = values_->text(below(name_, key));
  return "";
}

std::size_t LineTable::count(const std::string &list) const {
  std::size_t n = 0;
  while (values_->has_below(below(name_, key_of(list.c_str(), n)) + "."))
    ++n;
  return n;
}

SystemConfig read_chip(KeyValues &values) {
  SystemConfig c;
  read_lines(values, "", c);
  check_bounds(c);
  return c;
}

} // namespace axm::cosim
