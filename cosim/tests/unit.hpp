// What the unit tests of the co-simulation's parts share.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "axiometer/model/config.hpp"

namespace axm::cosim::unit {

inline int failures = 0;

inline void check(bool ok, const char *file, const char *what, int line) {
  if (!ok && ++failures < 20)
    std::printf("%s, line %d: %s\n", file, line, what);
}
#define CHECK(x) axm::cosim::unit::check(x, __FILE__, #x, __LINE__)

inline std::string message(const std::function<void()> &f) {
  try {
    f();
  } catch (const std::exception &e) {
    return e.what();
  }
  return "";
}

inline SystemConfig one_port() {
  SystemConfig c;
  c.clocks = {1, 4};
  c.dram.timing = {7, 6, 7, 7, 19, 26, 6, 21, 4, 4, 4, 8, 84, 4064, 7};
  c.dram.bytes = 1u << 20;
  c.controller.policy = "in-order-batch";
  c.controller.number("batch") = 8;
  c.paths.resize(1);
  c.ports.resize(1);
  for (const Dir d : {kRead, kWrite}) {
    StreamConfig s;
    s.dir = d;
    s.bytes = 4096;
    c.streams.push_back(s);
  }
  return c;
}

// Of unit_ports.cpp.
void ports();

} // namespace axm::cosim::unit
