#include "descriptor.hpp"

#include "coalescer.hpp"

namespace axm::vendor {

void Checks::address(std::uint64_t value, const std::string &what) {
  if (!options_.realign && value % (options_.data / 8) != 0)
    raise("address-unaligned", what + " is " + hex(value));
  if (options_.address < 64 && value >> options_.address != 0)
    raise("address-wide", what + " is " + hex(value));
}

void Checks::pointer(std::uint64_t value, const std::string &what) {
  if (value % Descriptor::kAlign != 0)
    raise("pointer-unaligned", what + " is " + hex(value));
  if (options_.address < 64 && value >> options_.address != 0)
    raise("address-wide", what + " is " + hex(value));
}

void Checks::tail(std::uint64_t value) {
  pointer(value, "TAILDESC");
  Descriptor d;
  if (!memory_.look(value & ~(Descriptor::kAlign - 1), d.words.data(), sizeof d.words))
    raise("tail-outside", "TAILDESC is " + hex(value));
  else if (d.completed())
    raise("tail-completed", "the descriptor at " + hex(value) + " has Cmplt set");
}

void Checks::reserved(std::uint32_t value, std::uint32_t known, const std::string &what) {
  if ((value & ~known) != 0)
    raise("reserved-bit", what + " is written " + hex(value));
}

void Checks::control(std::uint32_t value, std::uint32_t known, bool counts) {
  reserved(value, known | Coalescer::kFields, "the control register");
  if (counts && (value >> 16 & 0xFF) == 0)
    raise("threshold-zero", "the control register is written " + hex(value));
}

void Checks::status(std::uint32_t value) {
  if ((value & ~Coalescer::kInterrupts) != 0)
    raise("status-read-only", "the status register is written " + hex(value));
}

std::uint32_t Checks::descriptor(const Descriptor &d, std::uint64_t at,
                                 std::uint32_t control_known) {
  const std::string where = "the descriptor at " + hex(at);
  if (d.completed()) {
    raise("descriptor-stale", where + " has Cmplt set");
    return Fault::kSgInternal;
  }
  pointer(d.next(), where + ": NXTDESC");
  if ((d.control() & ~(control_known | Descriptor::kLength)) != 0)
    raise("descriptor-reserved", where + ": CONTROL is " + hex(d.control()));
  if ((d.length() & ~length_mask()) != 0)
    raise("descriptor-wide", where + ": its length is " + hex(d.length()));
  if ((d.length() & length_mask()) == 0) {
    raise("descriptor-empty", where);
    return Fault::kInternal;
  }
  return 0;
}

} // namespace axm::vendor
