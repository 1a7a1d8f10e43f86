// The way in to the plain model of the processor's side.
#include "processor_machine.hpp"

namespace axm::processor {

Outcome run_plain(const Config &config) {
  check(config);
  return plain::processor::Machine(config).run();
}

} // namespace axm::processor
