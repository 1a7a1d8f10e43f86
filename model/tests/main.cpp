// Runs the tests of one executable.
#include <cstdio>
#include <vector>

#include "check.hpp"

namespace {

struct Entry {
  const char *name;
  void (*body)();
};

std::vector<Entry> &all() {
  static std::vector<Entry> tests;
  return tests;
}

int failures = 0;

} // namespace

namespace check {

Test::Test(const char *name, void (*body)()) { all().push_back({name, body}); }

void failed(const char *file, int line, const std::string &what) {
  // A loop may fail a million times; the first few suffice.
  if (++failures <= 20)
    std::printf("%s:%d: %s\n", file, line, what.c_str());
}

} // namespace check

int main() {
  for (const Entry &test : all()) {
    const int before = failures;
    const std::string thrown = check::message(test.body);
    if (!thrown.empty())
      check::failed(test.name, 0, "throws: " + thrown);
    std::printf("%s %s\n", failures == before ? "ok    " : "FAILED", test.name);
  }
  return failures == 0 ? 0 : 1;
}
