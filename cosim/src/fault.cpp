#include "fault.hpp"

#include <map>
#include <sstream>
#include <stdexcept>

#include "numbers.hpp"

namespace axm::cosim {

namespace {

const std::map<std::string, Channel> kChannels = {{"aw", Channel::aw},
                                                  {"w", Channel::w},
                                                  {"b", Channel::b},
                                                  {"ar", Channel::ar},
                                                  {"r", Channel::r}};
const std::map<std::string, FaultKind> kKinds = {{"slverr", FaultKind::slave_error},
                                                 {"decerr", FaultKind::decode_error},
                                                 {"early_last", FaultKind::early_last},
                                                 {"late_last", FaultKind::late_last},
                                                 {"missing_last", FaultKind::missing_last},
                                                 {"wrong_id", FaultKind::wrong_id},
                                                 {"hang", FaultKind::hang}};

template <class Map> auto find(const Map &map, const std::string &key, const char *what) {
  const auto at = map.find(key);
  if (at == map.end())
    throw std::invalid_argument(std::string("unknown ") + what + " " + key);
  return at->second;
}

bool possible(Channel c, FaultKind k) {
  switch (k) {
  case FaultKind::hang:
    return true;
  case FaultKind::slave_error:
  case FaultKind::decode_error:
  case FaultKind::wrong_id:
    return c == Channel::b || c == Channel::r;
  default:
    return c == Channel::r;
  }
}

std::uint64_t number(const std::string &key, const std::string &text) {
  std::uint64_t value = 0;
  if (!parse_number(text, value))
    throw std::invalid_argument("a fault's " + key + " must be a whole number below 2^64, not " +
                                text);
  return value;
}

} // namespace

void Faults::add(const std::string &text) {
  Fault f;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "channel")
      f.channel = find(kChannels, value, "channel");
    else if (key == "kind")
      f.kind = find(kKinds, value, "kind of fault");
    else if (key == "port")
      f.port = number(key, value);
    else if (key == "burst")
      f.burst = number(key, value);
    else if (key == "clocks")
      f.clocks = number(key, value);
    else
      throw std::invalid_argument("a fault's keys are port, channel, kind, burst and clocks, not " +
                                  key);
  }
  if (!possible(f.channel, f.kind))
    throw std::invalid_argument("this channel cannot have this fault");
  faults_.push_back({f});
}

bool Faults::is_planned(std::size_t port, Channel c, FaultKind kind, std::uint64_t burst) const {
  for (const Planned &p : faults_)
    if (p.fault.port == port && p.fault.channel == c && p.fault.kind == kind &&
        p.fault.burst == burst)
      return true;
  return false;
}

bool Faults::stalls(std::size_t port, Channel c, std::uint64_t burst) {
  for (Planned &p : faults_) {
    const Fault &f = p.fault;
    if (f.port != port || f.channel != c || f.kind != FaultKind::hang || burst < f.burst)
      continue;
    if (f.clocks == 0 || p.hung < f.clocks) {
      ++p.hung;
      return true;
    }
  }
  return false;
}

} // namespace axm::cosim
