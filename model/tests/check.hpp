// The least that unit tests need: TEST(name) { ... } with CHECK and CHECK_EQ in it.
// A failed check is printed with its place, and the test goes on; the program's
// exit status is 1 if any failed. No fixtures, no parameters.
#pragma once

#include <exception>
#include <functional>
#include <ios>
#include <sstream>
#include <string>
#include <type_traits>

namespace check {

// Adds a test to those that main.cpp runs.
struct Test {
  Test(const char *name, void (*body)());
};

void failed(const char *file, int line, const std::string &what);

template <class T> std::string text(const T &value) {
  std::ostringstream out;
  out << std::boolalpha;
  if constexpr (std::is_enum_v<T> || (std::is_integral_v<T> && sizeof(T) == 1))
    out << static_cast<long long>(value);
  else
    out << value;
  return out.str();
}

template <class A, class B>
void equal(const A &a, const B &b, const char *expression, const char *file, int line) {
  if (!(a == static_cast<A>(b)))
    failed(file, line, std::string(expression) + ": " + text(a) + ", not " + text(b));
}

// The message of the std::exception that `call` throws; "" if it throws none.
inline std::string message(const std::function<void()> &call) {
  try {
    call();
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}

} // namespace check

#define TEST(name)                                                                                 \
  static void name();                                                                              \
  static const check::Test name##_registered{#name, name};                                         \
  static void name()

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      check::failed(__FILE__, __LINE__, #condition);                                               \
  } while (false)

#define CHECK_EQ(value, wanted) check::equal(value, wanted, #value, __FILE__, __LINE__)
