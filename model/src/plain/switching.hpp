// The switching policies, clock by clock; what they stand for is written in
// axiometer/model/switching/.
#pragma once

#include <memory>

#include "state.hpp"

namespace axm::plain {

class Switching {
public:
  virtual ~Switching() = default;
  // Every clock, before anything is decided.
  virtual void clock(Clk /*now*/, const bool (& /*waits*/)[2]) {}
  virtual void store_filled(Dir, Clk /*now*/) {}
  // `columns` commands of `d` are issued from `now` on; the next may come at `end`.
  virtual void served(Dir d, int columns, bool now_empty, Clk end) = 0;
  // Whether to turn from `mode`; asked when the other store waits and no part is in progress.
  virtual bool turn(Dir mode, bool mode_waits) = 0;
};

// Throws std::invalid_argument if there is no such policy.
std::unique_ptr<Switching> make_switching(const ControllerConfig &c);

} // namespace axm::plain
