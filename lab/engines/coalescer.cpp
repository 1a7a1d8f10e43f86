#include "coalescer.hpp"

namespace axm::vendor {

void Coalescer::control(std::uint32_t value, bool counts) {
  counts_ = counts;
  if ((value >> 16 & 0xFF) == 0)
    value |= threshold() << 16; // a threshold of 0 has no effect
  const bool another = (value >> 16 & 0xFF) != threshold();
  if (value >> 24 != control_ >> 24)
    left_ = 0;
  control_ = value & kFields;
  if (another)
    count_ = threshold();
}

std::uint32_t Coalescer::status() const {
  const std::uint32_t delay = (left_ + kDelayUnit - 1) / kDelayUnit;
  return pending_ | (counts_ ? count_ << 16 | delay << 24 : threshold() << 16);
}

void Coalescer::complete() {
  if (!counts_ || --count_ == 0) {
    pending_ |= kComplete;
    count_ = threshold();
    left_ = 0;
  } else {
    left_ = (control_ >> 24) * kDelayUnit;
  }
}

void Coalescer::tick() {
  if (left_ != 0 && --left_ == 0) {
    pending_ |= kDelay;
    count_ = threshold();
  }
}

} // namespace axm::vendor
