// Reads a configuration from a document: of Python (binding/), or of lines (cosim/). The
// configuration's `visit` reads every key once; a missing or unknown key, or another type, is
// std::invalid_argument, and the message begins with its full name.
//
// A Source is one table of a document:
//   bool has(key)                      whether it has the key
//   std::string get(key, T &out)       takes the value; "" or what would be right
//   Source table(key)                  the table below a key
//   bool is_list(key)                  whether the key holds a list
//   std::size_t count(key)             how many items it has
//   Source item(key, i)                one of them, a table
//   std::string damaged()              a fault of the table as a whole; ""
//   std::vector<std::string> unread()  keys that were not read
// T is bool, int, std::int64_t, std::uint64_t, double, std::string or std::vector of a number.
//
// Limits       Checks types only; bounds.hpp has the ranges.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "axiometer/model/config/key.hpp"
#include "axiometer/model/need.hpp"

namespace axm {

// "dram", "banks" -> "dram.banks"
inline std::string below(const std::string &name, const std::string &key) {
  return name.empty() ? key : name + "." + key;
}

// The keys of one table, for the message about one that is none of them.
class KeyNames {
public:
  template <class T> void operator()(const char *key, T &, const About &, const char *) {
    add(key);
  }
  template <class T> void pair(const char *key, T (&)[2], const About &, const char *) {
    add(key + std::string("[_read|_write]"));
  }
  template <class Inside> void table(const char *key, bool, Inside &&) { add(key); }
  template <class T, class Inside> void list(const char *key, std::vector<T> &, Inside &&) {
    add(key);
  }
  template <class Inside>
  void only(const std::string &policy, const char *wanted, Inside &&inside) {
    if (policy == wanted)
      inside();
  }
  const std::string &all() const { return all_; }

private:
  void add(const std::string &key) { all_ += (all_.empty() ? "" : ", ") + key; }
  std::string all_;
};

template <class Source> class Reader {
public:
  Reader(Source source, std::string name) : source_(std::move(source)), name_(std::move(name)) {
    need(source_.damaged().empty(), name_.empty() ? "the configuration" : name_, source_.damaged());
  }

  // All of a table; `inside` gives its members to this reader.
  template <class Inside> void read(Inside &&inside) {
    inside(*this);
    const auto unread = source_.unread();
    if (unread.empty())
      return;
    KeyNames known;
    inside(known);
    need(false, below(name_, unread.front()), "the model has no such key; it has " + known.all());
  }

  template <class T>
  void operator()(const char *key, T &member, const About &about, const char *meaning) {
    if (!scalar(key, member) && about.required)
      missing(key, meaning);
  }
  template <class T>
  void pair(const char *key, T (&both)[2], const About &about, const char *meaning) {
    if (scalar(key, both[kRead])) {
      both[kWrite] = both[kRead];
      return;
    }
    (*this)((std::string(key) + "_read").c_str(), both[kRead], about, meaning);
    (*this)((std::string(key) + "_write").c_str(), both[kWrite], about, meaning);
  }
  template <class Inside> void table(const char *key, bool required, Inside &&inside) {
    if (source_.has(key))
      Reader(source_.table(key), below(name_, key)).read(inside);
    else if (required)
      missing(key, "a table");
  }
  template <class T, class Inside>
  void list(const char *key, std::vector<T> &items, Inside &&inside) {
    if (!source_.has(key))
      missing(key, "a list of tables");
    need(source_.is_list(key), below(name_, key), "must be a list");
    const std::size_t n = source_.count(key);
    for (std::size_t i = 0; i < n; ++i) {
      items.emplace_back();
      Reader(source_.item(key, i), below(name_, key) + "[" + std::to_string(i) + "]")
          .read([&](auto &of) { inside(of, items.back()); });
    }
  }
  template <class Inside>
  void only(const std::string &policy, const char *wanted, Inside &&inside) {
    if (policy == wanted)
      inside();
  }

private:
  [[noreturn]] void missing(const char *key, const char *meaning) {
    throw std::invalid_argument(below(name_, key) + ": is missing (" + meaning + ")");
  }
  // False if the document does not have the key.
  template <class T> bool scalar(const char *key, T &member) {
    std::string wrong;
    if constexpr (kIsWord<T>) {
      std::string given;
      if (!source_.has(key))
        return false;
      wrong = source_.get(key, given);
      if (wrong.empty())
        wrong = choose(given, member);
    } else {
      if (!source_.has(key))
        return false;
      wrong = source_.get(key, member);
    }
    if (!wrong.empty())
      throw std::invalid_argument(below(name_, key) + ": " + wrong);
    return true;
  }
  template <class E> static std::string choose(const std::string &given, E &member) {
    std::string known;
    for (const auto &[word, value] : words(member)) {
      if (given == word) {
        member = value;
        return "";
      }
      known += (known.empty() ? "" : ", ") + std::string(word);
    }
    return "must be one of " + known + ", not \"" + given + "\"";
  }

  Source source_;
  std::string name_;
};

// Reads `config`, anything that has a `visit`, from a document. A key that is missing keeps the
// value that `config` has.
template <class Source, class Config>
void read_config(Source source, Config &config, const std::string &name = "") {
  Reader<Source>(std::move(source), name).read([&](auto &of) { visit(of, config); });
}

} // namespace axm
