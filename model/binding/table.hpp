// A nested dict of Python as `Reader` (config/reader.hpp) reads it: each value of exactly the type
// that the model has.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace axm::binding {

namespace nb = nanobind;

// Takes the value `h`. "" or what would be right.
template <class T> std::string take(nb::handle h, T &out) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!PyBool_Check(h.ptr()))
      return "must be True or False";
    out = h.ptr() == Py_True;
  } else if constexpr (std::is_integral_v<T>) {
    if (!PyLong_Check(h.ptr()) || PyBool_Check(h.ptr()))
      return "must be a whole number";
    if (!nb::try_cast<T>(h, out))
      return "must be " + std::to_string(std::numeric_limits<T>::min()) + " to " +
             std::to_string(std::numeric_limits<T>::max());
  } else if constexpr (std::is_same_v<T, double>) {
    if (PyBool_Check(h.ptr()) || !nb::try_cast<double>(h, out) || !std::isfinite(out))
      return "must be a finite number";
  } else {
    static_assert(std::is_same_v<T, std::string>);
    if (!nb::try_cast<T>(h, out))
      return "must be a text";
  }
  return "";
}

class DictTable {
public:
  explicit DictTable(nb::handle table) : d_(table) {}

  // Stores the found value, for the next `get`.
  bool has(const std::string &key) {
    at_ = PyDict_GetItemString(d_.ptr(), key.c_str());
    return at_.is_valid();
  }
  template <class T> std::string get(const std::string &key, T &out) {
    used(key);
    return take(at_, out);
  }
  template <class T> std::string get(const std::string &key, std::vector<T> &out) {
    used(key);
    if (!nb::isinstance<nb::list>(at_))
      return "must be a list";
    out.clear();
    for (nb::handle item : nb::borrow<nb::list>(at_))
      if (std::string wrong = take(item, out.emplace_back()); !wrong.empty())
        return "each item " + wrong;
    return "";
  }
  DictTable table(const std::string &key) {
    used(key);
    return DictTable(at_);
  }
  bool is_list(const std::string &) const { return nb::isinstance<nb::list>(at_); }
  // Of the list that `has` has found.
  std::size_t count(const std::string &key) {
    used(key);
    list_ = at_;
    return static_cast<std::size_t>(PyList_Size(list_.ptr()));
  }
  DictTable item(const std::string &, std::size_t i) {
    return DictTable(PyList_GetItem(list_.ptr(), static_cast<Py_ssize_t>(i)));
  }
  std::string damaged() const {
    return d_.is_valid() && PyDict_Check(d_.ptr()) ? "" : "must be a dict";
  }
  std::vector<std::string> unread() const {
    std::vector<std::string> out;
    if (used_.size() == static_cast<std::size_t>(PyDict_Size(d_.ptr())))
      return out;
    for (auto [key, value] : nb::borrow<nb::dict>(d_))
      if (const std::string name = nb::str(key).c_str();
          !nb::isinstance<nb::str>(key) || !used_.contains(name))
        out.push_back(name);
    return out;
  }

private:
  void used(const std::string &key) { used_.insert(key); }

  nb::handle d_, at_, list_;
  std::unordered_set<std::string> used_;
};

} // namespace axm::binding
