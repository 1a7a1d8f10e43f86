// The device's interrupt line as the client's event descriptors: INTx, which masks itself until
// the client unmasks it, or one MSI-X vector, sent when the line rises.
//
// A write to a register while the line stays up sends the vector again: a cause that came in the
// clock in which another was cleared has no edge.
#pragma once

#include <cstdint>

namespace axm::vfio {

class Interrupts {
public:
  Interrupts() = default;
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;
  ~Interrupts() { clear(); }

  enum Kind { kIntx = 0, kMsix = 2 }; // VFIO's indices
  // Takes `fd` over; -1 takes the descriptor away.
  void connect(Kind kind, int fd);
  void mask_intx(bool masked);
  // The line is at `level`; `touched`: a register was written.
  void follow(bool level, bool touched);
  void clear();
  // Closes a descriptor that was not taken.
  static void close_unused(int &fd);

private:
  static void signal(int fd);
  int intx_ = -1, msix_ = -1;
  bool masked_ = false, level_ = false;
};

} // namespace axm::vfio
