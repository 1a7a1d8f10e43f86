// Checks each number of a configuration by itself against the bounds in its `visit`: within them no
// sum, product or shift overflows and nothing divides by zero. std::invalid_argument names the
// first that is outside, and its range.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "axiometer/model/config/reader.hpp"

namespace axm {

class Bounds {
public:
  explicit Bounds(std::string name = "") : name_(std::move(name)) {}

  template <class T> void operator()(const char *key, T &x, const About &about, const char *) {
    within(key, "", x, about);
  }
  template <class T> void pair(const char *key, T (&both)[2], const About &about, const char *) {
    within(key, "_read", both[kRead], about);
    within(key, "_write", both[kWrite], about);
  }
  template <class Inside> void table(const char *key, bool, Inside &&inside) {
    Bounds of(below(name_, key));
    inside(of);
  }
  template <class T, class Inside>
  void list(const char *key, std::vector<T> &items, Inside &&inside) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      Bounds of(below(name_, key_of(key, i)));
      inside(of, items[i]);
    }
  }
  // Also what no policy looks at is in range.
  template <class Inside> void only(const std::string &, const char *, Inside &&inside) {
    inside();
  }

private:
  template <class T> void within(const char *key, const char *way, T x, const About &about) const {
    if constexpr (std::is_same_v<T, double>) {
      if (!std::isfinite(x) || x < static_cast<double>(about.least) ||
          x > static_cast<double>(about.most))
        refuse(key, way, about);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      if (x > static_cast<std::uint64_t>(about.most) ||
          (about.least > 0 && x < static_cast<std::uint64_t>(about.least)))
        refuse(key, way, about);
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (x < about.least || x > about.most)
        refuse(key, way, about);
    }
  }
  template <class T>
  void within(const char *key, const char *, const std::vector<T> &list, const About &about) const {
    need(list.size() <= 64, below(name_, key), "must be at most 64 numbers");
    for (std::size_t i = 0; i < list.size(); ++i)
      within(key_of(key, i).c_str(), "", list[i], about);
  }
  [[noreturn]] void refuse(const char *key, const char *way, const About &about) const;

  std::string name_;
};

// Every member of `config` is within its bounds, or std::invalid_argument.
template <class Config> void check_bounds(const Config &config) {
  Bounds bounds;
  visit(bounds, const_cast<Config &>(config)); // which only looks
}

} // namespace axm
