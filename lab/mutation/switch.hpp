// The switch of a mutant: switch.cpp.
#pragma once

#include <cstdint>
#include <type_traits>

inline constexpr int axm_mutation_words = 4096;
extern std::int32_t *axm_mutation_state;

// In a constant expression nothing is mutated.
constexpr bool axm_m(int number) {
  if (std::is_constant_evaluated())
    return false;
  axm_mutation_state[number] = 1;
  return axm_mutation_state[0] == number;
}
