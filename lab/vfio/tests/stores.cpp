// How many stores a write to a guest's memory is made of: the page is read-only, each store to it
// faults, and is compiled alone. Exit status 0 if all are as they must be.
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "bus_write.hpp"

namespace {

constexpr std::size_t kPage = 4096;
constexpr greg_t kSingleStep = 0x100; // EFLAGS.TF
std::uint8_t *page = nullptr;
volatile sig_atomic_t stores = 0;

void store(int, siginfo_t *, void *context) {
  stores = stores + 1;
  mprotect(page, kPage, PROT_READ | PROT_WRITE);
  static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] |= kSingleStep;
}

void stored(int, siginfo_t *, void *context) {
  mprotect(page, kPage, PROT_READ);
  static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] &= ~kSingleStep;
}

void on(int number, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action{};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = handler;
  sigaction(number, &action, nullptr);
}

template <class Write> int counted(Write write) {
  stores = 0;
  write();
  return stores;
}

int failures = 0;

void check(const char *what, int found, int wanted) {
  if (found == wanted)
    return;
  ++failures;
  std::printf("%s: %d stores, not %d\n", what, found, wanted);
}

} // namespace

int main() {
  page = static_cast<std::uint8_t *>(
      mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  on(SIGSEGV, store);
  on(SIGTRAP, stored);
  std::array<std::uint8_t, 64> data{};
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<std::uint8_t>(i + 1);
  using axm::vfio::bus_write;
  check("a word of 8 bytes", counted([&] { bus_write(page + 24, data.data(), 8); }), 1);
  check("a word of 4 bytes", counted([&] { bus_write(page + 28, data.data(), 4); }), 1);
  check("12 bytes at 4", counted([&] { bus_write(page + 4, data.data(), 12); }), 2);
  check("a beat of 64 bytes", counted([&] { bus_write(page + 64, data.data(), 64, ~0ULL); }), 8);
  check("3 bytes by strobes", counted([&] { bus_write(page + 128, data.data(), 8, 0xB); }), 3);
  check("what is written",
        std::memcmp(page + 64, data.data(), 64) == 0 && page[128] == 1 && page[130] == 0, 1);
  // What counts them sees that a word is stored twice.
  check("twice", counted([&] {
          for (int i = 0; i < 2; ++i)
            bus_write(page + 24, data.data(), 8);
        }),
        2);
  return failures == 0 ? 0 : 1;
}
