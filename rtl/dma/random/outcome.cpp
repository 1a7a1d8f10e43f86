// What must come of an episode: completions, counts, bytes in memory and in the stream.
#include "episode.hpp"

namespace {

std::string said(const Outcome &outcome) {
  return "code " + std::to_string(outcome.code) + ", " + std::to_string(outcome.bytes) + " bytes" +
         (outcome.source ? ", source" : "") + (outcome.packet ? ", packet end" : "");
}

std::string said(const Plan &plan) {
  char text[160];
  std::snprintf(text, sizeof text, "%u bytes from %llx to %llx (stream %u%s)", plan.bytes,
                static_cast<unsigned long long>(plan.from),
                static_cast<unsigned long long>(plan.to), plan.stream,
                plan.packet ? ", packet" : "");
  return text;
}

} // namespace

void Episode::wrong(const std::string &what) const {
  fail("seed " + std::to_string(seed_) + " episode " + std::to_string(number_) + " (" + name() +
       "): " + what);
}

// The completions of a batch, as software takes them: all, or those that are there.
void Episode::collect(const Half &half, std::vector<Job> &jobs, std::size_t &taken, bool wait) {
  const std::uint64_t give_up = bench_.clock + 400000;
  for (; taken < jobs.size(); ++taken) {
    Job &job = jobs[taken];
    while (!(bench_.read(half.status) & AXM_DMA_WR_STATUS__WAITING_MASK)) {
      if (!wait)
        return;
      if (bench_.clock > give_up)
        wrong("no completion of " + said(job.plan));
      bench_.steps(8);
    }
    job.got.bytes = bench_.read(half.done_bytes);
    const std::uint32_t word = bench_.read(half.done);
    if (!(word & AXM_DMA_WR_DONE__VALID_MASK))
      wrong("a completion that was counted is not there");
    job.got.code = AXM_GET(word, AXM_DMA_WR_DONE__CODE);
    job.got.source = word & AXM_DMA_WR_DONE__SOURCE_MASK;
    job.got.packet = word & AXM_DMA_WR_DONE__PACKET_END_MASK;
  }
}

// Idle: nothing is left of the batch, in no count.
void Episode::rest() {
  const std::uint64_t give_up = bench_.clock + 20000;
  std::uint32_t status = 0;
  do {
    if (bench_.clock > give_up)
      wrong("a half is busy for ever");
    status = bench_.has_write ? bench_.read(writing.status) : 0;
    if (bench_.has_read)
      status |= bench_.read(reading.status);
  } while (status & (AXM_DMA_WR_STATUS__BUSY_MASK | AXM_DMA_WR_STATUS__DRAINING_MASK));
  if (bench_.dut->m_axi_arvalid || bench_.dut->m_axi_awvalid || bench_.dut->m_axi_wvalid)
    wrong("an idle engine uses the bus");
  if (bench_.dut->m_axis_tvalid)
    wrong("an idle engine offers a beat of the stream");
  if (!bench_.memory.idle())
    wrong("idle, but bursts are in flight");
  if (bench_.has_write)
    at_rest(writing);
  if (bench_.has_read)
    at_rest(reading);
}

void Episode::at_rest(const Half &half) {
  const std::uint32_t status = bench_.read(half.status);
  if (AXM_GET(status, AXM_DMA_WR_STATUS__WAITING))
    wrong("a completion too many");
  const bool in_packet = status & AXM_DMA_WR_STATUS__IN_PACKET_MASK;
  const bool stream = half.control == writing.control && !bench_.copy;
  if (in_packet != (stream && bench_.giver.in_packet.value_or(in_packet)))
    wrong("it does not know where its stream stands");
  const bool of_copy =
      bench_.copy && half.control == reading.control; // which has no own queue
  if (AXM_GET(status, AXM_DMA_WR_STATUS__FREE) != (of_copy ? 0 : bench_.queue))
    wrong("a place of the queue is lost");
}

void Episode::check_exact(const char *half, const Job &job) {
  const Outcome &got = job.got, &expected = job.expected;
  if (got.code != expected.code || got.bytes != expected.bytes || got.source != expected.source ||
      got.packet != expected.packet)
    wrong(std::string(half) + " " + said(job.plan) + ": " + said(got) + "; expected " +
          said(expected));
}

// A batch that was cut short: first what was done, then at most one transfer with the reason, then
// aborted ones.
void Episode::check_cut(const Half &half, const std::vector<Job> &jobs) {
  bool ended = false;
  for (const Job &job : jobs) {
    if (!job.done) // nor is any behind it: take_rest() has seen to that
      break;
    const unsigned code = job.got.code;
    const auto one_of = [&](std::initializer_list<unsigned> codes) {
      return std::find(codes.begin(), codes.end(), code) != codes.end();
    };
    if (!ended && code == AXM_DMA_CODE_OK) {
      check_exact("cut short,", job);
      continue;
    }
    bool right = code == AXM_DMA_CODE_ABORTED && (ended || kind_ == Kind::abort);
    if (!ended && kind_ == Kind::broken)
      right = one_of({AXM_DMA_CODE_BAD_LAST, AXM_DMA_CODE_BAD_ID, AXM_DMA_CODE_UNEXPECTED}) ||
              (by_rings_ && code == AXM_DMA_CODE_ABORTED);
    if (!ended && (kind_ == Kind::hang || kind_ == Kind::hang_reset)) {
      const unsigned reason = channel_ & (AR | AW) ? AXM_DMA_CODE_TIMEOUT_ADDRESS
                              : channel_ & (R | W) ? AXM_DMA_CODE_TIMEOUT_DATA
                                                   : AXM_DMA_CODE_TIMEOUT_RESPONSE;
      right = code == reason && job.got.source == (bench_.copy && (channel_ & (AR | R)));
      const bool mine = bench_.copy || !!(channel_ & (AR | R)) == (half.control == reading.control);
      if (!mine)
        right = false;
      // A ring has the bus for itself when it waits, and is aborted in the end.
      if (by_rings_)
        right = one_of({AXM_DMA_CODE_TIMEOUT_ADDRESS, AXM_DMA_CODE_TIMEOUT_DATA,
                        AXM_DMA_CODE_TIMEOUT_RESPONSE, AXM_DMA_CODE_ABORTED});
      // A copy is aborted before the bus is reset, perhaps before its other half has reported.
      if (kind_ == Kind::hang_reset && bench_.copy)
        right = right || code == AXM_DMA_CODE_ABORTED;
    }
    if (!right)
      wrong("cut short, " + said(job.plan) + ": " + said(job.got));
    if (job.got.bytes > job.plan.bytes || (ended && job.got.bytes))
      wrong("behind a transfer that ended early, " + said(job.plan) + ": " + said(job.got));
    // Reads are checked by whole beats of the bus.
    if (half.control == reading.control && job.got.bytes &&
        (job.plan.from + job.got.bytes) % bench_.width)
      wrong("cut short inside a beat, " + said(job.plan) + ": " + said(job.got));
    ended = true;
  }
}

// Every byte written is one that should be, and no byte that was reported is missing.
void Episode::check_memory() {
  auto &written = bench_.memory.written;
  std::size_t right = 0;
  for (const Job &job : writes_) {
    const std::size_t moves = job.bad ? 0 : job.kept.size();
    for (std::size_t i = 0; i < moves; ++i) {
      const auto found = written.find(job.plan.to + i);
      // A descriptor that is not done was not begun, unless its end was lost with the bus.
      if (!job.done && found != written.end() && kind_ != Kind::hang_reset)
        wrong("a descriptor that is not done wrote byte " + std::to_string(i) + " of " +
              said(job.plan));
      const bool must = cut() ? i < job.got.bytes : job.kept[i];
      if (found == written.end() ? must : (!must && !cut()) || found->second != job.data[i])
        wrong("byte " + std::to_string(i) + " of " + said(job.plan) +
              (found == written.end() ? " was not written" : " was written wrongly"));
      right += found != written.end();
    }
  }
  if (right != written.size())
    wrong("bytes were written that belong to no transfer");
}

// The stream of the reading half: each transfer begins with a new beat; faulty data go along.
void Episode::check_stream() {
  if (reads_.empty())
    return;
  const auto &taker = bench_.taker;
  std::size_t at = 0, packet = 0, beat = 0;
  for (const Job &job : reads_) {
    if (job.bad)
      continue;
    for (std::uint32_t i = 0; i < job.plan.bytes; ++i) {
      const std::uint32_t rest = i % bench_.width;
      if (rest == 0 && (beat >= taker.beats_at.size() || taker.beats_at[beat++] != at))
        wrong("a transfer does not begin with a beat of the stream");
      if (at >= taker.bytes.size() ||
          taker.bytes[at++] != bench_.memory.original(job.plan.from + i))
        wrong("byte " + std::to_string(i) + " in the stream of " + said(job.plan));
    }
    if (job.plan.last && (packet >= taker.ends.size() || taker.ends[packet++] != at))
      wrong("a packet's end is missing");
  }
  if (at != taker.bytes.size() || packet != taker.ends.size())
    wrong("the stream has more than was read");
}
