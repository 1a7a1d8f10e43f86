#include "design.hpp"

#include <bit>
#include <stdexcept>

#include "Vtop.h"
#include "Vtop___024root.h"
#include "bits.hpp"
#include "verilated.h"

// The parts of Vtop::eval, apart from the first time: what follows from inputs; what an edge of the
// clock triggers; what follows from that. True: once more. Were they called otherwise in another
// version of Verilator, the design would not be linked.
bool Vtop___024root___eval_phase__ico(Vtop___024root *root);
bool Vtop___024root___eval_phase__act(Vtop___024root *root);
bool Vtop___024root___eval_phase__nba(Vtop___024root *root);

namespace axm::cosim {

namespace {

// Parameters of the top, given by the build.
constexpr std::size_t kPorts = AXM_SLAVE ? 0 : AXM_PORTS;
constexpr std::size_t kDataW = AXM_DATA_W;
constexpr std::size_t kAddrW = AXM_ADDR_W;
constexpr std::size_t kIdW = AXM_ID_W;
constexpr std::size_t kBytes = kDataW / 8;
static_assert(kBytes <= kMostBytes && kPorts <= kMostPorts);

template <class Signal> bool bit(const Signal &s, std::size_t port) {
  return get_bits(s, port, 1) != 0;
}

} // namespace

struct Design::Top {
  VerilatedContext context;
  Vtop top{&context};
};

Design::Design() : top_(std::make_unique<Top>()) {
  top_->top.aclk = 0;
  top_->top.aresetn = 0;
  to_masters(0);
  top_->top.eval();
}
Design::~Design() { top_->top.final(); }

std::size_t Design::ports() { return kPorts; }
std::size_t Design::width_bytes() { return kBytes; }
bool Design::axi3() { return AXM_AXI3 != 0; }
bool Design::crosses() { return AXM_CROSS_4K != 0; }
int Design::master_bit() { return static_cast<int>(kIdW) - std::bit_width(AXM_MASTERS - 1U); }

void Design::reset(bool active) {
  top_->top.aresetn = active ? 0 : 1;
  changed_ = true;
}

void Design::settle() {
  if (!changed_)
    return;
  changed_ = false;
  Vtop___024root *const root = top_->top.rootp;
  root->__VicoFirstIteration = 1;
  while (Vtop___024root___eval_phase__ico(root))
    root->__VicoFirstIteration = 0;
}

// All registers are of this one edge. No input changes with it.
void Design::clock() {
  settle();
  Vtop___024root *const root = top_->top.rootp;
  root->__Vtrigprevexpr___TOP__aclk__0 = 0; // the model has seen the clock low
  root->aclk = 1;
  do {
    while (Vtop___024root___eval_phase__act(root)) {
    }
  } while (Vtop___024root___eval_phase__nba(root));
  root->aclk = 0;
}

#if AXM_SLAVE

Lines Design::from_masters() const { return 0; }
void Design::to_masters(Lines) {}
void Design::addresses(std::size_t, FromMaster &) const {}
void Design::requests(std::size_t, Lines, FromMaster &) const {}
void Design::write_data(std::size_t, FromMaster &) const {}
void Design::read_data(std::size_t, const ToMaster &) {}
void Design::response(std::size_t, const ToMaster &) {}

void Design::to_slave(const ToSlave &m) {
  changed_ = true;
  Vtop &t = top_->top;
  t.s_axi_arvalid = m.ar_valid;
  t.s_axi_awvalid = m.aw_valid;
  t.s_axi_araddr = t.s_axi_awaddr = m.address;
  t.s_axi_arlen = t.s_axi_awlen = static_cast<std::uint8_t>(m.beats - 1);
  t.s_axi_arsize = t.s_axi_awsize = 2;
  t.s_axi_arburst = t.s_axi_awburst = 1;
  t.s_axi_wvalid = m.w_valid;
  t.s_axi_wdata = m.w_data;
  t.s_axi_wstrb = 0xf;
  t.s_axi_wlast = m.w_last;
  t.s_axi_rready = m.r_ready;
  t.s_axi_bready = m.b_ready;
}

FromSlave Design::from_slave() const {
  const Vtop &t = top_->top;
  FromSlave s;
  s.ar_ready = t.s_axi_arready;
  s.aw_ready = t.s_axi_awready;
  s.w_ready = t.s_axi_wready;
  s.r_valid = t.s_axi_rvalid;
  s.b_valid = t.s_axi_bvalid;
  s.r_data = t.s_axi_rdata;
  s.r_response = t.s_axi_rresp;
  s.b_response = t.s_axi_bresp;
  return s;
}

#else

void Design::to_slave(const ToSlave &) { throw std::logic_error("the design has no slave"); }
FromSlave Design::from_slave() const { throw std::logic_error("the design has no slave"); }

Lines Design::from_masters() const {
  const Vtop &t = top_->top;
  return lines(t.m_axi_arvalid, t.m_axi_rready, t.m_axi_awvalid, t.m_axi_wvalid, t.m_axi_bready);
}

void Design::to_masters(Lines l) {
  if (l == offered_)
    return;
  offered_ = l;
  changed_ = true;
  Vtop &t = top_->top;
  t.m_axi_arready = line(l, kAr);
  t.m_axi_rvalid = line(l, kR);
  t.m_axi_awready = line(l, kAw);
  t.m_axi_wready = line(l, kW);
  t.m_axi_bvalid = line(l, kB);
}

// Apart from `requests`, which is called far more often than there are addresses.
[[gnu::noinline]] void Design::addresses(std::size_t p, FromMaster &m) const {
  const Vtop &t = top_->top;
  const auto address = [&](auto &a, const auto &addr, const auto &id, const auto &len,
                           const auto &size, const auto &burst, const auto &cache,
                           const auto &prot) {
    if (!a.valid)
      return;
    a.address = get_bits(addr, p * kAddrW, kAddrW);
    a.id = static_cast<std::uint32_t>(get_bits(id, p * kIdW, kIdW));
    a.beats = static_cast<int>(get_bits(len, p * 8, 8)) + 1;
    a.beat_bytes = 1 << get_bits(size, p * 3, 3);
    a.burst = static_cast<int>(get_bits(burst, p * 2, 2));
    a.cache = static_cast<int>(get_bits(cache, p * 4, 4));
    a.prot = static_cast<int>(get_bits(prot, p * 3, 3));
  };
  address(m.ar, t.m_axi_araddr, t.m_axi_arid, t.m_axi_arlen, t.m_axi_arsize, t.m_axi_arburst,
          t.m_axi_arcache, t.m_axi_arprot);
  address(m.aw, t.m_axi_awaddr, t.m_axi_awid, t.m_axi_awlen, t.m_axi_awsize, t.m_axi_awburst,
          t.m_axi_awcache, t.m_axi_awprot);
}

void Design::requests(std::size_t p, Lines asked, FromMaster &m) const {
  const auto is_on = [&](Line which) { return (asked >> 8 * which & 1) != 0; };
  m.ar.valid = is_on(kAr);
  m.aw.valid = is_on(kAw);
  m.r_ready = is_on(kR);
  m.w_valid = is_on(kW);
  m.b_ready = is_on(kB);
  if (m.ar.valid || m.aw.valid)
    addresses(p, m);
}

void Design::write_data(std::size_t p, FromMaster &m) const {
  const Vtop &t = top_->top;
  m.w_last = bit(t.m_axi_wlast, p);
  m.w_id = static_cast<std::uint32_t>(get_bits(t.m_axi_wid, p * kIdW, kIdW));
  m.w_strobes = get_bits(t.m_axi_wstrb, p * kBytes, kBytes);
  get_bytes(t.m_axi_wdata, p * kDataW, kBytes, m.w_data.data());
}

void Design::read_data(std::size_t p, const ToMaster &m) {
  changed_ = true;
  Vtop &t = top_->top;
  set_bits(t.m_axi_rid, p * kIdW, kIdW, m.r_id);
  set_bits(t.m_axi_rresp, p * 2, 2, static_cast<std::uint64_t>(m.r_response));
  set_bits(t.m_axi_rlast, p, 1, m.r_last);
  set_bytes(t.m_axi_rdata, p * kDataW, kBytes, m.r_data.data());
}

void Design::response(std::size_t p, const ToMaster &m) {
  changed_ = true;
  Vtop &t = top_->top;
  set_bits(t.m_axi_bid, p * kIdW, kIdW, m.b_id);
  set_bits(t.m_axi_bresp, p * 2, 2, static_cast<std::uint64_t>(m.b_response));
}

#endif

FromMaster Design::from_master(std::size_t p) const {
  FromMaster m;
  requests(p, from_masters() >> p, m);
  if (m.w_valid)
    write_data(p, m);
  return m;
}

void Design::to_master(std::size_t p, const ToMaster &m) {
  constexpr Lines kAll = lines(1, 1, 1, 1, 1);
  to_masters((offered_ & ~(kAll << p)) | lines_of(m) << p);
  if (m.r_valid)
    read_data(p, m);
  if (m.b_valid)
    response(p, m);
}

#if AXM_VENDOR

Design::Engine Design::engine() {
  return {.number = AXM_ENGINE,
          .length_bits = AXM_LENGTH_BITS,
          .address_bits = AXM_ADDR_W,
          .unaligned = AXM_UNALIGNED != 0,
          .base = AXM_ENGINE_BASE,
          .step = AXM_ENGINE_STEP};
}

void Design::from_engine(std::size_t p, const FromMaster &m, bool interrupt) {
  changed_ = true;
  Vtop &t = top_->top;
  const auto address = [&](const auto &a, auto &valid, auto &addr, auto &len, auto &size,
                           auto &burst) {
    set_bits(valid, p, 1, a.valid);
    set_bits(addr, p * kAddrW, kAddrW, a.address);
    set_bits(len, p * 8, 8, static_cast<std::uint64_t>(a.beats - 1));
    set_bits(size, p * 3, 3, static_cast<std::uint64_t>(std::bit_width(kBytes) - 1));
    set_bits(burst, p * 2, 2, static_cast<std::uint64_t>(a.burst));
  };
  address(m.ar, t.s_axi_arvalid, t.s_axi_araddr, t.s_axi_arlen, t.s_axi_arsize, t.s_axi_arburst);
  address(m.aw, t.s_axi_awvalid, t.s_axi_awaddr, t.s_axi_awlen, t.s_axi_awsize, t.s_axi_awburst);
  set_bits(t.s_axi_rready, p, 1, m.r_ready);
  set_bits(t.s_axi_bready, p, 1, m.b_ready);
  set_bits(t.s_axi_wvalid, p, 1, m.w_valid);
  set_bits(t.s_axi_wlast, p, 1, m.w_last);
  set_bits(t.s_axi_wstrb, p * kBytes, kBytes, m.w_strobes);
  set_bytes(t.s_axi_wdata, p * kDataW, kBytes, m.w_data.data());
  set_bits(t.engine_irq, p * AXM_LINES, 1, interrupt);
}

ToMaster Design::to_engine(std::size_t p) const {
  const Vtop &t = top_->top;
  ToMaster m;
  m.ar_ready = bit(t.s_axi_arready, p);
  m.aw_ready = bit(t.s_axi_awready, p);
  m.w_ready = bit(t.s_axi_wready, p);
  m.r_valid = bit(t.s_axi_rvalid, p);
  m.b_valid = bit(t.s_axi_bvalid, p);
  m.r_last = bit(t.s_axi_rlast, p);
  m.r_response = static_cast<int>(get_bits(t.s_axi_rresp, p * 2, 2));
  m.b_response = static_cast<int>(get_bits(t.s_axi_bresp, p * 2, 2));
  get_bytes(t.s_axi_rdata, p * kDataW, kBytes, m.r_data.data());
  return m;
}

#else

Design::Engine Design::engine() { return {}; }
void Design::from_engine(std::size_t, const FromMaster &, bool) {
  throw std::logic_error("the design has no engine beside it");
}
ToMaster Design::to_engine(std::size_t) const {
  throw std::logic_error("the design has no engine beside it");
}

#endif

bool Design::interrupt() const { return top_->top.irq != 0; }

void Design::lite(const LiteRequest &r) {
  if (r == lite_)
    return;
  lite_ = r;
  changed_ = true;
  Vtop &t = top_->top;
  t.s_axil_awvalid = r.aw_valid;
  t.s_axil_awaddr = r.address;
  t.s_axil_awprot = 0;
  t.s_axil_wvalid = r.w_valid;
  t.s_axil_wdata = r.data;
  t.s_axil_wstrb = 0xf;
  t.s_axil_bready = r.b_ready;
  t.s_axil_arvalid = r.ar_valid;
  t.s_axil_araddr = r.address;
  t.s_axil_arprot = 0;
  t.s_axil_rready = r.r_ready;
}

Design::LiteReply Design::lite() const {
  const Vtop &t = top_->top;
  LiteReply r;
  r.aw_ready = t.s_axil_awready;
  r.w_ready = t.s_axil_wready;
  r.b_valid = t.s_axil_bvalid;
  r.ar_ready = t.s_axil_arready;
  r.r_valid = t.s_axil_rvalid;
  r.response = r.b_valid ? t.s_axil_bresp : t.s_axil_rresp;
  r.data = t.s_axil_rdata;
  return r;
}

} // namespace axm::cosim
