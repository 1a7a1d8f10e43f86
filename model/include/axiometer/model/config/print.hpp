// Prints a configuration by its `visit`: every key by its full name, with the value that it has,
// whether given or a default. What is printed can be read again.
#pragma once

#include <charconv>
#include <string>
#include <type_traits>
#include <vector>

#include "axiometer/model/config/bounds.hpp"

namespace axm {

// Give(name, value) is called for each; value is a number, a truth, or a text (also of a word).
template <class Give> class Printer {
public:
  Printer(Give &give, std::string name) : give_(give), name_(std::move(name)) {}

  template <class T> void operator()(const char *key, T &x, const About &, const char *) {
    one(below(name_, key), x);
  }
  template <class T> void pair(const char *key, T (&both)[2], const About &, const char *) {
    one(below(name_, key) + "_read", both[kRead]);
    one(below(name_, key) + "_write", both[kWrite]);
  }
  template <class Inside> void table(const char *key, bool, Inside &&inside) {
    Printer of(give_, below(name_, key));
    inside(of);
  }
  template <class T, class Inside>
  void list(const char *key, std::vector<T> &items, Inside &&inside) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      Printer of(give_, below(name_, key_of(key, i)));
      inside(of, items[i]);
    }
  }
  template <class Inside>
  void only(const std::string &policy, const char *wanted, Inside &&inside) {
    if (policy == wanted)
      inside();
  }

private:
  template <class T> void one(const std::string &name, const T &x) {
    if constexpr (kIsWord<T>) {
      for (const auto &[word, value] : words(x))
        if (value == x)
          give_(name, std::string(word));
    } else {
      give_(name, x);
    }
  }
  template <class T> void one(const std::string &name, const std::vector<T> &list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      give_(key_of(name.c_str(), i), list[i]);
  }

  Give &give_;
  std::string name_;
};

template <class Config, class Give> void print_config(const Config &config, Give &&give) {
  Printer<Give> printer(give, "");
  visit(printer, const_cast<Config &>(config)); // which only looks
}

} // namespace axm
