#include "shared_dram.hpp"

#include <stdexcept>

#include "axiometer/model/types.hpp"

namespace axm::sources {

void SharedDram::ask(const Access &a, Turn turn, std::coroutine_handle<> job, Time back) {
  Way &way = a.read ? read_ : write_;
  if (way.of.stream < 0)
    throw std::logic_error("a source has no stream for its accesses of the memory");
  run_.ask({way.of.stream, ceil_div(schedule_.now(), clock_),
            way.of.base + static_cast<std::uint64_t>(a.byte) % way.of.region,
            static_cast<int>(a.bytes)});
  way.waiting.push_back({turn, job, back});
  ++waiting_;
}

void SharedDram::served(const OutsideServed &burst) {
  auto &waiting = (burst.stream == read_.of.stream ? read_ : write_).waiting;
  const auto [turn, job, back] = waiting.front();
  waiting.pop_front();
  --waiting_;
  schedule_.add(burst.at * clock_ + back, turn, job);
}

} // namespace axm::sources
