// A nested dict as the binding reads it: each key once, of exactly the type that the model has, and
// none left over, so that no misspelling runs silently.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace axm::binding {

namespace nb = nanobind;

[[noreturn]] inline void fail(const std::string &what) { throw nb::value_error(what.c_str()); }

// The value as a T. ValueError with the key's name if it is of another type or out of T's range.
template <class T> T value_of(nb::handle h, const std::string &name) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!PyBool_Check(h.ptr()))
      fail("\"" + name + "\" has the wrong type for the model: give True or False");
    return h.ptr() == Py_True;
  } else if constexpr (std::is_integral_v<T>) {
    if (!PyLong_Check(h.ptr()) || PyBool_Check(h.ptr()))
      fail("\"" + name + "\" has the wrong type for the model: give a whole number");
    T out{};
    if (!nb::try_cast<T>(h, out))
      fail("\"" + name + "\" must be " + std::to_string(std::numeric_limits<T>::min()) + " to " +
           std::to_string(std::numeric_limits<T>::max()));
    return out;
  } else if constexpr (std::is_same_v<T, double>) {
    double out{};
    if (PyBool_Check(h.ptr()) || !nb::try_cast<double>(h, out) || !std::isfinite(out))
      fail("\"" + name + "\" has the wrong type for the model: give a finite number");
    return out;
  } else {
    T out{};
    if (!nb::try_cast<T>(h, out))
      fail("\"" + name + "\" has the wrong type for the model");
    return out;
  }
}

class Table {
public:
  Table(nb::handle h, std::string name) : name_(std::move(name)) {
    if (!nb::isinstance<nb::dict>(h))
      fail("\"" + name_ + "\" has the wrong type for the model: give a dict");
    d_ = nb::cast<nb::dict>(h);
  }

  bool has(const char *key) const { return d_.contains(key); }
  template <class T> T get(const char *key) { return value_of<T>(at(key), path(key)); }
  template <class T> void get_if(const char *key, T &out) {
    if (has(key))
      out = get<T>(key);
  }
  // A pair for reads and writes: {"read": ..., "write": ...}.
  template <class T> void pair(const char *key, T (&out)[2]) {
    Table of = inner(key);
    out[0] = of.get<T>("read");
    out[1] = of.get<T>("write");
    of.done();
  }
  Table inner(const char *key) { return {at(key), path(key)}; }
  template <class T> std::vector<T> numbers(const char *key) {
    std::vector<T> out;
    for (nb::handle h : items(key))
      out.push_back(value_of<T>(h, path(key)));
    return out;
  }
  // Calls read(table) for each of a list of dicts.
  template <class Read> void list(const char *key, Read &&read) {
    std::size_t i = 0;
    for (nb::handle h : items(key)) {
      Table of(h, path(key) + "[" + std::to_string(i++) + "]");
      read(of);
      of.done();
    }
  }
  // Keys that are for others than the model.
  void skip(const char *key) {
    if (has(key))
      ++used_;
  }
  // ValueError if a key has not been read.
  void done() const {
    if (used_ != nb::len(d_))
      fail((name_.empty() ? "the specification" : "\"" + name_ + "\"") +
           " has a key that the model does not know; it has: " + keys());
  }

private:
  nb::handle at(const char *key) {
    if (!has(key))
      fail("the model needs \"" + path(key) + "\"");
    ++used_;
    return PyDict_GetItemString(d_.ptr(), key);
  }
  nb::list items(const char *key) {
    nb::handle h = at(key);
    if (!nb::isinstance<nb::list>(h))
      fail("\"" + path(key) + "\" has the wrong type for the model: give a list");
    return nb::cast<nb::list>(h);
  }
  std::string path(const char *key) const { return name_.empty() ? key : name_ + "." + key; }
  std::string keys() const {
    std::string out;
    for (auto [k, v] : d_)
      out += (out.empty() ? "" : ", ") + std::string(nb::str(k).c_str());
    return out;
  }

  std::string name_;
  nb::dict d_;
  std::size_t used_ = 0;
};

} // namespace axm::binding
