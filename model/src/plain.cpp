#include "axiometer/model/simulator.hpp"
namespace axm { RepeatResult run_plain(const SystemConfig&, const RepeatStart&, Trace*) { return {}; } }
