// Numbers in the lines to the co-simulation.
#pragma once

#include <charconv>
#include <string>
#include <system_error>

namespace axm::cosim {

// Whether all of `text` is a number of the type of `out`, which it then has.
template <class T> bool parse_number(const std::string &text, T &out) {
  const char *const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, out);
  return error == std::errc{} && end == last;
}

} // namespace axm::cosim
