// Which mutant is in force, and which places have been reached: in a file that all processes of a
// run map, named by AXIOMETER_MUTATION. Word 0 is the mutant's number (0: none), word n is 1 if the
// place of mutant n was reached.
#include "axiometer/model/mutation_switch.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {
std::int32_t nobody[axm_mutation_words];
}

std::int32_t *axm_mutation_state = nobody;

__attribute__((constructor(101))) static void map_state() {
  const char *name = std::getenv("AXIOMETER_MUTATION");
  const int file = name != nullptr ? open(name, O_RDWR) : -1;
  if (file < 0)
    return;
  void *at = mmap(nullptr, sizeof nobody, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (at != MAP_FAILED)
    axm_mutation_state = static_cast<std::int32_t *>(at);
}
