// All keys of a configuration, with types, limits, defaults and meanings: for documentation, and
// for code that writes a document.
#pragma once

#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "axiometer/model/config/print.hpp"

namespace axm {

struct KeyDescription {
  std::string table; // "", "dram.timing", "paths[]"
  std::string key;   // without _read and _write where `pair`
  std::string type;  // number, whole number, truth, text, word, list of whole numbers
  bool pair = false;
  bool required = true;
  std::string fallback;             // the value if it is left out, as a document writes it
  std::int64_t least = 0, most = 0; // of numbers
  std::string unit, only, meaning;  // only: the policy that has the key, or ""
  std::vector<std::string> words;   // that a word may be
};

class Describer {
public:
  Describer(std::vector<KeyDescription> &rows, std::string table)
      : rows_(rows), table_(std::move(table)) {}

  template <class T>
  void operator()(const char *key, T &x, const About &about, const char *meaning) {
    rows_.push_back({.table = table_,
                     .key = key,
                     .type = type(x),
                     .required = about.required,
                     .fallback = text(x),
                     .least = about.least,
                     .most = about.most,
                     .unit = about.unit,
                     .only = only_,
                     .meaning = meaning,
                     .words = choices(x)});
  }
  template <class T>
  void pair(const char *key, T (&both)[2], const About &about, const char *meaning) {
    (*this)(key, both[kRead], about, meaning);
    rows_.back().pair = true;
  }
  template <class Inside> void table(const char *key, bool, Inside &&inside) {
    Describer of(rows_, below(table_, key));
    inside(of);
  }
  template <class T, class Inside> void list(const char *key, std::vector<T> &, Inside &&inside) {
    T item{};
    Describer of(rows_, below(table_, key) + "[]");
    inside(of, item);
  }
  template <class Inside> void only(const std::string &, const char *wanted, Inside &&inside) {
    only_ = wanted;
    inside();
    only_ = "";
  }

private:
  template <class T> static std::string type(const T &) {
    if constexpr (std::is_same_v<T, bool>)
      return "truth";
    else if constexpr (std::is_integral_v<T>)
      return "whole number";
    else if constexpr (kIsWord<T>)
      return "word";
    else if constexpr (std::is_same_v<T, double>)
      return "number";
    else if constexpr (std::is_same_v<T, std::string>)
      return "text";
    else
      return "list of whole numbers";
  }
  template <class T> static std::vector<std::string> choices(const T &x) {
    std::vector<std::string> out;
    if constexpr (kIsWord<T>)
      for (const auto &word : words(x))
        out.push_back(word.name);
    return out;
  }
  template <class T> static std::string text(const T &x) {
    std::ostringstream out;
    if constexpr (kIsWord<T>) {
      for (const auto &word : words(x))
        if (word.value == x)
          out << word.name;
    } else if constexpr (std::is_same_v<T, bool>) {
      out << (x ? "true" : "false");
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      out << x;
    }
    return out.str();
  }

  std::vector<KeyDescription> &rows_;
  std::string table_, only_;
};

// Of anything that has a `visit`, in its order.
template <class Config> std::vector<KeyDescription> describe() {
  std::vector<KeyDescription> rows;
  Config config{};
  Describer describer(rows, "");
  visit(describer, config);
  return rows;
}

} // namespace axm
