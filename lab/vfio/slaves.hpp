// What answers the masters of a design at its ports.
#pragma once

#include <cstddef>

#include "signals.hpp"

namespace axm::vfio {

class Slaves {
public:
  virtual ~Slaves() = default;
  // The signals at a port in this clock; they do not change before commit().
  virtual cosim::ToMaster offer(std::size_t port, const cosim::FromMaster &m) = 0;
  // The clock ends with these at a port; whether there was a handshake.
  virtual bool commit(std::size_t port, const cosim::FromMaster &m, const cosim::ToMaster &t) = 0;
  // The clock ends, for all ports.
  virtual void clock() = 0;
  // Whether an access of the processor has to wait for the ports; one has come.
  virtual bool working() const = 0;
  virtual void accessed() = 0;
  // The design was reset: nothing is under way.
  virtual void reset() = 0;
};

} // namespace axm::vfio
