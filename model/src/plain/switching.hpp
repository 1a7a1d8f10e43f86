// What a switching policy is, clock by clock; switching/ has a file for each.
#pragma once

#include <memory>

#include "run.hpp"
#include "state.hpp"

namespace axm::plain {

class Switching {
public:
  virtual ~Switching() = default;
  // Every clock, before anything is decided.
  virtual void clock(Clk /*now*/, const bool (& /*waits*/)[3]) {}
  virtual void store_filled(int /*store*/, Clk /*now*/) {}
  // `columns` commands of a store are issued from `now` on; the next may come at `end`.
  virtual void served(int store, int columns, bool now_empty, Clk end) = 0;
  // Whether to turn from `mode`; called when the other store waits and no part is in progress.
  virtual bool turn(Dir mode, bool mode_waits) = 0;
  // Of reads, whether those of high priority come first where both wait.
  virtual bool high_first() const { return false; }
  // The first clock after `now` that changes anything by itself.
  virtual Clk next_change(Clk /*now*/) const { return kNever; }
};

// Of a controller with the stores of controller.hpp.
template <class S> PlainTwin twin(const char *name) {
  return {name, run, open, [](const ControllerConfig &c) -> std::unique_ptr<Switching> {
            return std::make_unique<S>(c);
          }};
}

} // namespace axm::plain
