#include "interrupts.hpp"

#include <unistd.h>

namespace axm::vfio {

void Interrupts::signal(int fd) {
  const std::uint64_t one = 1;
  // An event descriptor that is full has been signalled already.
  [[maybe_unused]] const ssize_t n = ::write(fd, &one, sizeof one);
}

void Interrupts::connect(Kind kind, int fd) {
  int &mine = kind == kIntx ? intx_ : msix_;
  if (mine >= 0)
    ::close(mine);
  mine = fd;
  if (kind == kIntx)
    masked_ = false;
  level_ = false; // the next look at the line is an edge if it is up
}

void Interrupts::mask_intx(bool masked) { masked_ = masked; }

void Interrupts::follow(bool level, bool touched) {
  const bool edge = level && (!level_ || touched);
  level_ = level;
  if (edge && msix_ >= 0)
    signal(msix_);
  if (level && intx_ >= 0 && !masked_) {
    masked_ = true;
    signal(intx_);
  }
}

void Interrupts::close_unused(int &fd) {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}

void Interrupts::clear() {
  connect(kIntx, -1);
  connect(kMsix, -1);
}

} // namespace axm::vfio
