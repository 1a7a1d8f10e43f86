#include "shared_dram.hpp"

#include <stdexcept>

#include "axiometer/model/types.hpp"

namespace axm::sources {

Job SharedDram::serve(Transaction &t, const Access &a) {
  Way &way = a.read ? read_ : write_;
  if (way.of.stream < 0)
    throw std::logic_error("a source has no stream for its accesses of the memory");
  run_.ask({way.of.stream, ceil_div(schedule_.now(), clock_),
            way.of.base + static_cast<std::uint64_t>(a.byte) % way.of.region,
            static_cast<int>(a.bytes)});
  struct Wait {
    Way &way;
    Turn turn;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> job) const { way.waiting.emplace_back(turn, job); }
    void await_resume() const {}
  };
  co_await Wait{way, t.turn};
}

void SharedDram::served(const OutsideServed &burst) {
  auto &waiting = (burst.stream == read_.of.stream ? read_ : write_).waiting;
  schedule_.add(burst.at * clock_, waiting.front().first, waiting.front().second);
  waiting.pop_front();
}

} // namespace axm::sources
