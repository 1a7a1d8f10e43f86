#include "axiometer/model/targets/switching/in_order_batch.hpp"

#include "check.hpp"

using namespace axm;

static InOrderBatch machine(int batch) {
  ControllerConfig c;
  c.batch = batch;
  return InOrderBatch(c);
}

TEST(directions_alternate_by_batches) {
  InOrderBatch m = machine(8);
  Dir expected = kRead;
  for (int turn = 0; turn < 6; ++turn) {
    for (int columns = 0; columns < 8; columns += 2) {
      CHECK_EQ(m.decide(true, true, 0), expected);
      m.served(expected, 2, false, 0, 0);
    }
    expected = other(expected);
  }
}

TEST(without_a_rival_a_batch_has_no_end) {
  InOrderBatch m = machine(4);
  for (int i = 0; i < 20; ++i) {
    CHECK_EQ(m.decide(true, false, 0), kRead);
    m.served(kRead, 1, false, 0, 0);
  }
  CHECK_EQ(m.decide(true, true, 0), kWrite); // the batch was over long ago
}

TEST(an_empty_store_ends_its_batch) {
  InOrderBatch m = machine(8);
  m.served(kRead, 3, true, 0, 0);
  CHECK_EQ(m.decide(false, true, 0), kWrite);
  m.served(kWrite, 1, false, 0, 0);
  CHECK_EQ(m.decide(true, true, 0), kWrite); // a new batch has begun
  CHECK_EQ(m.next_change(0), kNever);        // time alone changes nothing
}
