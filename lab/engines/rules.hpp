// Rules for software that drives these engines, each with its document.
//
// PG021: AMD, AXI DMA v7.1. PG034: AMD, AXI CDMA v4.1. UG-01085: Intel, Embedded Peripherals IP
// User Guide (683130), chapter "Modular Scatter-Gather DMA Core". PG125: AMD, AXI Traffic Generator
// v3.0.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "options.hpp"

namespace axm::vendor {

// The sources: for AXI DMA, AXI CDMA, mSGDMA and AXI Traffic Generator; empty where an engine has
// no such rule.
struct RuleText {
  std::string_view name, sentence;
  std::array<std::string_view, 4> sources;
  constexpr std::string_view source(Kind kind) const {
    return sources[kind == Kind::kTrafficGen ? 3
                   : kind == Kind::kMsgdma   ? 2
                   : kind == Kind::kAxiCdma  ? 1
                                             : 0];
  }
};

inline constexpr std::array kRules{
    RuleText{"length-halted",
             "LENGTH has no effect while the channel is halted",
             {"PG021 DMASR.Halted"}},
    RuleText{
        "length-zero",
        "a length is at least 1",
        {"PG021 Direct Register Mode, step 4", "PG034 BTT", "UG-01085 Descriptor Fields, length"}},
    RuleText{"length-wide",
             "a length fits the register that the core was built with",
             {"PG021 LENGTH, note 1", "PG034 BTT", "UG-01085 Parameters, Maximum Transfer Length"}},
    RuleText{"length-busy",
             "a transfer starts only after the one before has completed",
             {"PG021 Direct Register Mode; DMASR.Idle"}},
    RuleText{"address-unaligned",
             "without realignment an address is a multiple of the data width",
             {"PG021 Direct Register Mode, step 3", "PG034 SA and DA",
              "UG-01085 Parameters, Transfer Type"}},
    RuleText{"address-wide",
             "addresses fit the width that the core was built with",
             {"PG021 registers *_MSB", "PG034 registers *_MSB",
              "UG-01085 Extended Descriptor Format", "PG125 CMD Memory Format"}},
    RuleText{"current-running",
             "CURDESC is written only while the engine is halted (AXI DMA) or idle (CDMA)",
             {"PG021 CURDESC, note", "PG034 CURDESC_PNTR"}},
    RuleText{"current-missing",
             "CURDESC points to a descriptor before TAILDESC is written",
             {"PG021 CURDESC", "PG034 CURDESC_PNTR"}},
    RuleText{"pointer-unaligned",
             "descriptors are aligned to 0x40",
             {"PG021 CURDESC, TAILDESC, NXTDESC", "PG034 CURDESC_PNTR"}},
    RuleText{"tail-halted",
             "TAILDESC starts nothing while the channel is halted",
             {"PG021 DMASR.Halted"}},
    RuleText{"tail-outside",
             "TAILDESC points to a descriptor that is in memory",
             {"PG021 TAILDESC", "PG034 TAILDESC_PNTR"}},
    RuleText{"tail-completed",
             "completed bits are cleared before the tail is moved to a descriptor",
             {"PG021 TAILDESC, note", "PG034 TAILDESC_PNTR"}},
    RuleText{"descriptor-stale",
             "a descriptor that is fetched has its completed bit clear",
             {"PG021 DMASR.SGIntErr", "PG034 CDMASR.SGIntErr"}},
    RuleText{"descriptor-empty",
             "a descriptor's length is not 0",
             {"PG021 DMASR.DMAIntErr", "PG034 CDMASR.DMAIntErr"}},
    RuleText{"descriptor-wide",
             "a descriptor's length fits the width that the core was built with",
             {"PG021 MM2S_CONTROL and S2MM_CONTROL", "PG034 CONTROL"}},
    RuleText{"descriptor-reserved",
             "reserved bits of a descriptor are 0",
             {"PG021 Scatter Gather Descriptor", "PG034 Transfer Descriptor",
              "UG-01085 Control Field", "PG125 CMD Memory Format"}},
    RuleText{"frame-order",
             "a packet begins with TXSOF and ends with TXEOF, with neither between",
             {"PG021 MM2S_CONTROL, TXSOF and TXEOF"}},
    RuleText{"receive-space",
             "receive buffers hold the longest packet that arrives",
             {"PG021 S2MM_LENGTH, note; S2MM_CONTROL, note"}},
    RuleText{"restart-early",
             "after RS = 0 nothing is submitted before the channel has halted",
             {"PG021 DMACR.RS, DMASR.Halted"}},
    RuleText{"start-after-error",
             "after an error the engine is reset",
             {"PG021 Errors", "PG034 CDMASR"}},
    RuleText{"during-reset",
             "nothing is written before a reset has ended",
             {"PG021 DMACR.Reset", "PG034 CDMACR.Reset", "UG-01085 Status Register, Resetting"}},
    RuleText{"reserved-bit",
             "reserved bits of a register are written as 0",
             {"PG021 DMACR", "PG034 CDMACR", "UG-01085 Control Register", "PG125 Error Status"}},
    RuleText{"status-read-only",
             "only the interrupt bits of a status register are written",
             {"PG021 DMASR", "PG034 CDMASR"}},
    RuleText{"register-unknown",
             "the core, as built, has this register",
             {"PG021 Register Space", "PG034 Register Space", "UG-01085 Register Map",
              "PG125 Advanced/Basic Mode Register Map"}},
    RuleText{"threshold-zero",
             "IRQThreshold is at least 1",
             {"PG021 DMACR.IRQThreshold", "PG034 CDMACR.IRQThreshold"}},
    RuleText{"busy-write",
             "SA, DA, BTT and SGMode are written only while the engine is idle",
             {"", "PG034 SA, DA, BTT, CDMACR.SGMode"}},
    RuleText{"other-mode",
             "BTT starts transfers in simple mode, TAILDESC in scatter-gather mode",
             {"", "PG034 CDMACR.SGMode"}},
    RuleText{"go-missing",
             "a descriptor's control word is written last, with Go set",
             {"", "", "UG-01085 Control Field, Go"}},
    RuleText{"field-missing",
             "the fields of a descriptor that the core uses are written before Go",
             {"", "", "UG-01085 Descriptor Fields; Control Field, Go"}},
    RuleText{"fifo-full",
             "a descriptor is written when its FIFO has room",
             {"", "", "UG-01085 Status Register, Descriptor Buffer Full"}},
    RuleText{"response-full",
             "responses are read before their FIFO is full: until then no transfer ends",
             {"", "", "UG-01085 Status Register, Response Buffer Full"}},
    RuleText{"response-empty",
             "a response is read only when one is in the FIFO",
             {"", "", "UG-01085 Status Register, Response Buffer Empty"}},
    RuleText{"ram-busy",
             "RAMs and master control are accessed only while MSTEN is 0",
             {"", "", "", "PG125 Command RAM"}},
    RuleText{"command-parameters",
             "the PARAMRAM has valid data for each command",
             {"", "", "", "PG125 PARAMRAM Opcodes"}},
    RuleText{"place-unaligned",
             "a command's place in the master RAM has the low bits of its address",
             {"", "", "", "PG125 Address Generation"}},
    RuleText{"burst-crosses", "a burst does not cross 4 KiB", {"", "", "", "AXI, A3.4.1"}},
    RuleText{"not-modelled",
             "cyclic descriptors, key holes, parked descriptors, strides, repeated, delayed and "
             "dependent commands are not in these models",
             {"lab/engines/README.md", "lab/engines/README.md", "lab/engines/README.md",
              "lab/engines/README.md"}},
};

// A rule by its name; a name that is none does not compile.
class Rule {
public:
  consteval Rule(std::string_view name) : index_(0) {
    while (kRules.at(index_).name != name)
      ++index_;
  }
  consteval Rule(const char *name) : Rule(std::string_view(name)) {}
  constexpr std::size_t index() const { return index_; }

private:
  std::size_t index_;
};

} // namespace axm::vendor
