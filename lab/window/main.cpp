// A verilated design, or an engine of ../engines/, as the fabric of an emulated processor, which
// passes each access as a message.
//
//   axm_window REQUESTS REPLIES MEMORY BASE LATENCY [--engine=NAME|--chip=FILE]
//
// REQUESTS, REPLIES: named pipes (host/bare/window_protocol.h). MEMORY: the file that is the
// emulator's memory, from bus address 0 on. BASE: of the design's registers. LATENCY: of the memory
// as the design meets it, in clocks, 0 to 100000; ignored with --chip. Exit status: 0 when the
// emulator has gone, or 4 if the engine had objections to what software did with it; 2 for bad
// usage; 3 for a pipe or file that cannot be opened.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "served.hpp"
#include "window_protocol.h"

namespace {

constexpr std::uint64_t kMostLatency = 100000;
constexpr int kObjections = 4;
constexpr unsigned kClocks =
    1000; // that pass while the processor polls for an interrupt, or is silent

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t number = 0;
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16)
    text.remove_prefix(2);
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size())
    return std::nullopt;
  return number;
}

int opened(const char *path, int how) {
  const int fd = ::open(path, how | O_CLOEXEC);
  if (fd < 0)
    throw std::system_error(errno, std::generic_category(), path);
  return fd;
}

// All of `bytes`; false at the end of the pipe.
template <class Step> bool all(Step step, void *bytes, std::size_t count) {
  auto *at = static_cast<char *>(bytes);
  while (count > 0) {
    const ssize_t n = step(at, count);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return true;
}

// Whether a request comes within `ms`; -1: without limit.
bool comes(int pipe, int ms) {
  pollfd look{pipe, POLLIN, 0};
  return ::poll(&look, 1, ms) != 0;
}

axm_window_reply answer(axm::vfio::Device &device, const axm_window_request &r,
                        std::uint64_t base) {
  axm_window_reply reply{};
  const std::uint64_t offset = r.address - base;
  const bool inside = r.address >= base && offset < device.window_bytes();
  bool good = true;
  if (r.operation == AXM_WINDOW_POLL) {
    if (!device.interrupt())
      device.run(kClocks);
  } else if (!inside || r.address % 4 != 0) {
    good = false;
  } else if (r.operation == AXM_WINDOW_WRITE) {
    good = device.write(static_cast<std::uint32_t>(offset), r.value);
  } else {
    const auto word = device.read(static_cast<std::uint32_t>(offset));
    good = word.has_value();
    reply.value = word.value_or(0);
  }
  if (!good) {
    reply.flags |= AXM_WINDOW_FAILED;
    reply.value = UINT32_MAX;
  }
  if (device.interrupt())
    reply.flags |= AXM_WINDOW_INTERRUPT;
  return reply;
}

void serve(axm::vfio::Device &device, int requests, int replies, std::uint64_t base) {
  axm_window_request request{};
  for (;;) {
    // The design goes on by itself as long as something moves in it.
    while (!comes(requests, 0))
      if (!device.run(kClocks))
        comes(requests, 10);
    if (!all([&](void *to, std::size_t n) { return ::read(requests, to, n); }, &request,
             sizeof request))
      return;
    axm_window_reply reply = answer(device, request, base);
    if (!all([&](void *from, std::size_t n) { return ::write(replies, from, n); }, &reply,
             sizeof reply))
      return;
  }
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view option = axm::vfio::take_option(argc, argv);
  const auto base = argc == 6 ? whole(argv[4]) : std::nullopt;
  const auto latency = argc == 6 ? whole(argv[5]) : std::nullopt;
  if (!base || !latency || *latency > kMostLatency) {
    std::cerr << "usage: axm_window REQUESTS REPLIES MEMORY BASE LATENCY (0 to 100000 clocks) "
                 "[--engine=NAME|--chip=FILE]\n";
    return 2;
  }
  try {
    ::signal(SIGPIPE, SIG_IGN);
    const int file = opened(argv[3], O_RDWR);
    struct stat size{};
    if (::fstat(file, &size) != 0)
      throw std::system_error(errno, std::generic_category(), argv[3]);
    axm::vfio::GuestMemory memory;
    if (const int error = memory.map(0, static_cast<std::uint64_t>(size.st_size), file, 0, true))
      throw std::system_error(error, std::generic_category(), argv[3]);
    memory.allow(true);
    const auto behind = axm::vfio::served(memory, static_cast<unsigned>(*latency), option);
    std::cerr << "axm_window: " << behind->origin() << '\n';
    const int requests = opened(argv[1], O_RDONLY); // each waits for the emulator's end
    const int replies = opened(argv[2], O_WRONLY);
    serve(behind->device(), requests, replies, *base);
    if (behind->objects())
      return kObjections;
  } catch (const std::exception &e) {
    std::cerr << "axm_window: " << e.what() << "\n";
    return 3;
  }
  return 0;
}
