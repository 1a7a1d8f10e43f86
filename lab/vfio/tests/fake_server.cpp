// The server on a device that is no design: registers that hold what is written, and one that
// copies the guest's memory. For tests of the protocol.
//
// Words: 0x00 source, 0x04 destination, 0x08 bytes, 0x0c a write copies and raises the interrupt,
// or sets bit 0 of 0x14 if the memory is not there; 0x10 a write lowers it.
#include <array>
#include <cstring>
#include <exception>
#include <iostream>

#include "server.hpp"

namespace {

using namespace axm::vfio;

class Copier final : public Device {
public:
  explicit Copier(GuestMemory &memory) : memory_(memory) {}

  std::uint32_t window_bytes() const override { return 4096; }
  std::optional<std::uint32_t> read(std::uint32_t address) override {
    if (address >= sizeof words_)
      return std::nullopt;
    return words_[address / 4];
  }
  bool write(std::uint32_t address, std::uint32_t value) override {
    if (address >= sizeof words_)
      return false;
    words_[address / 4] = value;
    if (address == 0x0c)
      copy();
    if (address == 0x10)
      line_ = false;
    return true;
  }
  bool interrupt() override { return line_; }
  bool run(unsigned) override { return false; }
  void reset() override { *this = Copier(memory_); }
  Copier &operator=(const Copier &other) {
    words_ = other.words_;
    line_ = other.line_;
    return *this;
  }

private:
  void copy() {
    const std::uint8_t *const from = memory_.find(words_[0], words_[2], false);
    std::uint8_t *const to = memory_.find(words_[1], words_[2], true);
    words_[5] = from == nullptr || to == nullptr ? 1 : 0;
    if (words_[5] == 0)
      std::memmove(to, from, words_[2]);
    line_ = true;
  }
  GuestMemory &memory_;
  std::array<std::uint32_t, 8> words_{};
  bool line_ = false;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  try {
    GuestMemory memory;
    Copier device(memory);
    Server server(device, memory, std::string_view(argv[2]) == "msix");
    Connection connection(argv[1]);
    server.serve(connection);
  } catch (const std::exception &e) {
    std::cerr << e.what() << "\n";
    return 3;
  }
  return 0;
}
