#include "model.h"

#include <iostream>
#include <sstream>
#include <stdexcept>

#include "engine.hpp"

namespace axm::vendor {

class CallersMemory final : public Master {
public:
  CallersMemory(axm_model_memory *memory, void *self) : memory_(memory), self_(self) {}
  bool read(std::uint64_t address, void *to, std::size_t bytes) override {
    return memory_(self_, false, address, to, bytes);
  }
  bool write(std::uint64_t address, const void *from, std::size_t bytes) override {
    return memory_(self_, true, address, const_cast<void *>(from), bytes);
  }
  bool look(std::uint64_t address, void *to, std::size_t bytes) override {
    return read(address, to, bytes);
  }
  std::size_t burst_bytes() const override { return 0; }

private:
  axm_model_memory *memory_;
  void *self_;
};

} // namespace axm::vendor

struct axm_model {
  axm_model(const axm::vendor::Options &options, axm_model_memory *callers, void *self)
      : memory(callers, self), objections(out, options.kind),
        device(axm::vendor::made(options, memory, objections)) {}
  axm::vendor::CallersMemory memory;
  std::ostringstream out;
  std::string said;
  axm::vendor::Objections objections;
  std::unique_ptr<axm::vendor::Clocked> device;
};

axm_model *axm_model_make(const char *engine, unsigned latency, axm_model_memory *memory,
                          void *self) {
  try {
    return new axm_model(axm::vendor::parse(engine, latency), memory, self);
  } catch (const std::invalid_argument &error) {
    std::cerr << error.what() << "\n";
    return nullptr;
  }
}

void axm_model_free(axm_model *model) { delete model; }

uint32_t axm_model_read(axm_model *model, uint32_t offset) {
  return model->device->read(offset).value();
}

void axm_model_write(axm_model *model, uint32_t offset, uint32_t value) {
  model->device->write(offset, value);
}

bool axm_model_run(axm_model *model, unsigned clocks) { return model->device->run(clocks); }

void axm_model_hold(axm_model *model, bool held) { model->device->held = held; }

bool axm_model_interrupt(axm_model *model) { return model->device->interrupt(); }

const char *axm_model_said(axm_model *model) {
  model->said = model->out.str();
  return model->said.c_str();
}
