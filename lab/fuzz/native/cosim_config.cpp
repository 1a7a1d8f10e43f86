// The configuration that the co-simulation reads: whatever it is, a configuration or an exception
// with a message, in bounded time and memory.
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "chip_config.hpp"
#include "fault.hpp"
#include "plan.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *bytes, std::size_t count) {
  using namespace axm::cosim;
  const std::string text(reinterpret_cast<const char *>(bytes), count);
  try {
    std::istringstream in(text);
    KeyValues values(in);
    read_plan(values);
    values.integer("pl_period_ps", 1);
    values.expect_no_more();
  } catch (const std::invalid_argument &error) {
    if (error.what()[0] == '\0')
      std::abort();
  }
  try {
    Faults faults;
    faults.add(text.substr(0, text.find('\n')));
  } catch (const std::invalid_argument &) {
  }
  return 0;
}
