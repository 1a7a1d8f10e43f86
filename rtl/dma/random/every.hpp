// Every small transfer, one after the other: what random ones meet only by luck.
#pragma once
#include "bench.hpp"

// Each alignment of source and destination (of buses above 64 bit those at words and beside them),
// each length up to three beats and one of 131 bytes, in bursts of 1, 2 and 16 beats, begun with
// their data or before; without a fault, and with one in each beat. Nothing is reset or aborted
// between them, so that a count that drifts by one in one kind of transfer stops the engine. An
// aligned engine has whole beats only. Returns the number of transfers; ends the program if one
// differs from its prediction.
std::uint64_t every_small_transfer(Bench &bench, std::map<std::string, std::uint64_t> &codes);
