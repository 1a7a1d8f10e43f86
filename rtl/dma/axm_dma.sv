// DMA engine with registers, queues, interrupt and, if wanted, descriptor rings.
//
// Purpose      Memory to stream (HAS_READ), stream to memory (HAS_WRITE), both side by side, or joined to copy
//              memory (COPY). regs/dma.rdl describes the registers, and the descriptors of a ring (RINGS).
// Timing       docs/hardware.md, "When an engine acts". A submission's register write takes effect in the
//              clock after its handshake; in that clock the address can be valid. A completion can be read
//              in the clock after the last beat or response.
// Limits       DATA_W 32, 64, 128 or 256; ADDR_W 32 to 64; ID_W 1 to 8 (2 at least with RINGS: IDs 1 and 2 are
//              the rings', 0 is the data's); MAX_OUTSTANDING a power of two from 2 to 64; QUEUE one from 2
//              to 128; COPY_FIFO one from 512 to 32768. UNALIGNED allows any byte address and length.
//              AxUSER is 0. A copy's FIFO holds at least 256 beats free before a burst is announced.
// Throughput   One beat a clock in each direction without gaps; transfers of 64 bytes at latency 100 too, if
//              16 bursts may be in flight (bench/rtl/dma.py). Registers: a write in two clocks.
// Latency      See axm_dma_read, axm_dma_write; a copy adds two clocks.
// Area         64 bit, xc7, mapped for 100 MHz: copy 678 LUT, 531 FF, 1 BRAM; memory to stream 419 LUT, 346 FF;
//              stream to memory 496 LUT, 351 FF; more in area.toml.
module axm_dma #(
    parameter bit HAS_READ = 1,
    parameter bit HAS_WRITE = 1,
    parameter bit COPY = 0,
    parameter bit RINGS = 0,
    parameter bit UNALIGNED = 0,
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned ID_W = 4,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 0,
    parameter int unsigned MAX_OUTSTANDING = 16,
    parameter int unsigned QUEUE = 16,       // transfers a half
    parameter int unsigned COPY_FIFO = 512,  // beats
    parameter int unsigned COUNT_W = 16      // width of room, avail and packets
) (
    input  logic                clk,
    input  logic                rst,
    output logic                irq,
    output logic                rd_active,      // transfers are queued or in flight, as STATUS.BUSY
    output logic                wr_active,
    // Registers
    input  logic [        11:0] s_axil_awaddr,
    input  logic [         2:0] s_axil_awprot,
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    output logic [         1:0] s_axil_bresp,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    input  logic [        11:0] s_axil_araddr,
    input  logic [         2:0] s_axil_arprot,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    // AXI
    output logic [    ID_W-1:0] m_axi_awid,
    output logic [  ADDR_W-1:0] m_axi_awaddr,
    output logic [         7:0] m_axi_awlen,
    output logic [         2:0] m_axi_awsize,
    output logic [         1:0] m_axi_awburst,
    output logic [         1:0] m_axi_awlock,
    output logic [         3:0] m_axi_awcache,
    output logic [         2:0] m_axi_awprot,
    output logic [         3:0] m_axi_awqos,
    output logic [  USER_W-1:0] m_axi_awuser,
    output logic                m_axi_awvalid,
    input  logic                m_axi_awready,
    output logic [    ID_W-1:0] m_axi_wid,
    output logic [  DATA_W-1:0] m_axi_wdata,
    output logic [DATA_W/8-1:0] m_axi_wstrb,
    output logic                m_axi_wlast,
    output logic                m_axi_wvalid,
    input  logic                m_axi_wready,
    input  logic [    ID_W-1:0] m_axi_bid,
    input  logic [         1:0] m_axi_bresp,
    input  logic                m_axi_bvalid,
    output logic                m_axi_bready,
    output logic [    ID_W-1:0] m_axi_arid,
    output logic [  ADDR_W-1:0] m_axi_araddr,
    output logic [         7:0] m_axi_arlen,
    output logic [         2:0] m_axi_arsize,
    output logic [         1:0] m_axi_arburst,
    output logic [         1:0] m_axi_arlock,
    output logic [         3:0] m_axi_arcache,
    output logic [         2:0] m_axi_arprot,
    output logic [         3:0] m_axi_arqos,
    output logic [  USER_W-1:0] m_axi_aruser,
    output logic                m_axi_arvalid,
    input  logic                m_axi_arready,
    input  logic [    ID_W-1:0] m_axi_rid,
    input  logic [  DATA_W-1:0] m_axi_rdata,
    input  logic [         1:0] m_axi_rresp,
    input  logic                m_axi_rlast,
    input  logic                m_axi_rvalid,
    output logic                m_axi_rready,
    // Stream from memory
    input  logic [ COUNT_W-1:0] m_axis_room,    // beats that are surely taken from now on
    output logic [  DATA_W-1:0] m_axis_tdata,
    output logic [DATA_W/8-1:0] m_axis_tkeep,
    output logic                m_axis_tlast,
    output logic                m_axis_tvalid,
    input  logic                m_axis_tready,
    // Stream to memory
    input  logic [ COUNT_W-1:0] s_axis_avail,   // beats that can be had now
    input  logic [ COUNT_W-1:0] s_axis_packets, // tlasts among them
    input  logic [  DATA_W-1:0] s_axis_tdata,
    input  logic [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                s_axis_tlast,
    input  logic                s_axis_tvalid,
    output logic                s_axis_tready
);

  import dma_regs_pkg::*;

  if (!HAS_READ && !HAS_WRITE) begin : g_check_halves
    $error("%m: neither HAS_READ nor HAS_WRITE");
  end
  if (!(DATA_W inside {32, 64, 128, 256})) begin : g_check_data
    $error("%m: DATA_W is %0d; it must be 32, 64, 128 or 256", DATA_W);
  end
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    $error("%m: ADDR_W is %0d; it must be 32 to 64", ADDR_W);
  end
  if (ID_W < 1 || ID_W > 8 || USER_W < 1) begin : g_check_id
    $error("%m: ID_W is %0d, USER_W %0d; they must be 1 to 8, and at least 1", ID_W, USER_W);
  end
  if (QUEUE < 2 || QUEUE > 128 || (QUEUE & (QUEUE - 1)) != 0) begin : g_check_queue
    $error("%m: QUEUE is %0d; it must be a power of two from 2 to 128", QUEUE);
  end
  if (COPY && !(HAS_READ && HAS_WRITE)) begin : g_check_copy
    $error("%m: COPY needs HAS_READ and HAS_WRITE");
  end

  localparam int unsigned SHIFT = $clog2(DATA_W / 8);

  axm_dma__in_t from_hw;
  axm_dma__out_t to_hw;

  // A register of what is not there is beyond the map: its storage is never written and vanishes.
  function automatic logic [11:0] present(input logic [11:0] address);
    logic missing;
    missing = (!RINGS && address[8]) || (!HAS_READ && address[6]) || (!HAS_WRITE && address[7]);
    return {address[11:10], address[9] || missing, address[8] && RINGS, address[7] && HAS_WRITE,
            address[6] && HAS_READ, address[5:0]};
  endfunction

  dma_regs u_regs (
      .clk, .rst,
      .s_axil_awaddr(present(s_axil_awaddr)),
      .s_axil_awprot, .s_axil_awvalid, .s_axil_awready,
      .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr(present(s_axil_araddr)),
      .s_axil_arprot, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .hwif_in(from_hw),
      .hwif_out(to_hw)
  );

  // Time and interrupt
  logic tick, raise;
  logic rd_busy, wr_busy, rd_dead, wr_dead;
  logic rd_done_valid, wr_done_valid, rd_fault, wr_fault;
  logic rd_by_ring, wr_by_ring, rd_notify, wr_notify, ring_fault;
  wire rd_counts = rd_by_ring ? rd_notify : rd_done_valid && !COPY;
  wire wr_counts = wr_by_ring ? wr_notify : wr_done_valid;

  axm_dma_irq u_irq (
      .clk, .rst,
      .idle(!rd_busy && !wr_busy),
      .done(2'(rd_counts) + 2'(wr_counts)),
      .count_limit(to_hw.COALESCE.COUNT.value),
      .time_limit(to_hw.COALESCE.TIME.value),
      .timeout_limit(to_hw.TIMEOUT.LIMIT.value),
      .raise, .tick
  );

  assign from_hw.IRQ_STATUS.DONE.hwset = raise;
  assign from_hw.IRQ_STATUS.FAULT.hwset = rd_fault || wr_fault || ring_fault || rd_dead || wr_dead;
  assign irq = (to_hw.IRQ_STATUS.DONE.value && to_hw.IRQ_ENABLE.DONE.value)
      || (to_hw.IRQ_STATUS.FAULT.value && to_hw.IRQ_ENABLE.FAULT.value);

  // Capabilities
  assign from_hw.CAPS.HAS_READ.next = HAS_READ;
  assign from_hw.CAPS.HAS_WRITE.next = HAS_WRITE;
  assign from_hw.CAPS.COPY.next = COPY;
  assign from_hw.CAPS.RINGS.next = RINGS;
  assign from_hw.CAPS.UNALIGNED.next = UNALIGNED;
  assign from_hw.CAPS.AXI3.next = AXI3;
  assign from_hw.CAPS.WIDTH.next = 2'($clog2(DATA_W / 32));
  assign from_hw.CAPS.OUTSTANDING.next = 8'(MAX_OUTSTANDING);
  assign from_hw.CAPS.QUEUE.next = 8'(QUEUE);
  assign from_hw.CAPS.ADDR_BITS.next = 8'(ADDR_W);
  assign from_hw.CAPS2.FIFO.next = COPY ? 16'(COPY_FIFO) : '0;

  // Transfers, as the queues hold them. What an aligned engine cannot do is known by its low bits here:
  // bit 0 of the address stands for them all, and makes both halves of a copy refuse it.
  localparam int unsigned CUT = UNALIGNED ? 0 : $clog2(DATA_W / 8);
  localparam int unsigned COMMAND_W = ADDR_W + 32 - 2 * CUT + (UNALIGNED ? 0 : 1);
  localparam int unsigned LOW_W = $clog2(DATA_W / 8);

  wire [31:0] wr_bytes = to_hw.WR.LENGTH.VALUE.value;
  wire [31:0] rd_bytes = COPY ? wr_bytes : to_hw.RD.LENGTH.VALUE.value;
  wire [ADDR_W-1:0] rd_addr = ADDR_W'({to_hw.RD.ADDR_HI.VALUE.value, to_hw.RD.ADDR_LO.VALUE.value});
  wire [ADDR_W-1:0] wr_addr = ADDR_W'({to_hw.WR.ADDR_HI.VALUE.value, to_hw.WR.ADDR_LO.VALUE.value});
  wire rd_odd = rd_addr[LOW_W-1:0] != '0 || rd_bytes[LOW_W-1:0] != '0;
  wire wr_odd = wr_addr[LOW_W-1:0] != '0 || wr_bytes[LOW_W-1:0] != '0;

  function automatic logic [COMMAND_W-1:0] pack(input logic [ADDR_W-1:0] addr,
                                                input logic [31:0] bytes, input logic odd);
    if (UNALIGNED) return COMMAND_W'({bytes, addr});
    else return COMMAND_W'({bytes[31:CUT], addr[ADDR_W-1:CUT], odd});
  endfunction

  function automatic logic [ADDR_W+31:0] unpack(input logic [COMMAND_W-1:0] command);
    logic [ADDR_W+31:0] whole;
    whole = (ADDR_W + 32)'(command);
    if (!UNALIGNED) begin
      whole[ADDR_W+31:ADDR_W] = 32'(command >> (ADDR_W - CUT + 1)) << CUT;
      whole[ADDR_W-1:0] = (ADDR_W'(command >> 1) << CUT) | ADDR_W'(command[0]);
    end
    return whole;
  endfunction

  // From the queue, and what the engines get: that, or what comes from a ring
  logic rd_queue_valid, rd_queue_last, wr_queue_valid;
  logic [ADDR_W-1:0] rd_queue_addr, wr_queue_addr;
  logic [31:0] rd_queue_bytes, wr_queue_bytes;
  logic rd_cmd_valid, rd_cmd_ready, rd_cmd_last, wr_cmd_valid, wr_cmd_ready;
  logic [ADDR_W-1:0] rd_cmd_addr, wr_cmd_addr;
  logic [31:0] rd_cmd_bytes, wr_cmd_bytes;
  logic [3:0] rd_done_code, wr_done_code;
  logic wr_done_source, wr_done_packet, rd_draining, wr_draining, rd_told, wr_told;
  logic [31:0] rd_done_bytes, wr_done_bytes;
  logic wr_accept;
  wire unused_here = &{1'b0, wr_accept, rd_bytes, rd_told, wr_told};  // each in some variants

  assign rd_fault = rd_done_valid && !COPY && rd_done_code != '0;
  assign wr_fault = wr_done_valid && wr_done_code != '0;

  if (HAS_WRITE) begin : g_write
    // A copy knows no packets, and whole beats only if it is aligned; others have no source.
    localparam int unsigned DROP = COPY ? CUT : 0;
    logic [COMMAND_W-1:0] command;
    logic [31-DROP:0] oldest;
    logic oldest_flag;
    axm_dma_queue #(
        .DEPTH(QUEUE),
        .COMMAND_W(COMMAND_W),
        .DONE_W(37 - DROP)
    ) u_queue (
        .clk, .rst,
        .submit(to_hw.WR.SUBMIT.LAST.swmod),
        .submit_data(pack(wr_addr, wr_bytes, wr_odd || (COPY && rd_odd))),
        .accept(wr_accept),
        .free(from_hw.WR.STATUS.FREE.next),
        .told(wr_told),
        .command_valid(wr_queue_valid),
        .command_ready(wr_cmd_ready && !wr_by_ring),
        .command,
        .done_valid(wr_done_valid && !wr_by_ring),
        .done_data({wr_done_bytes[31:DROP], wr_done_code, COPY ? wr_done_source : wr_done_packet}),
        .oldest_valid(from_hw.WR.DONE.VALID.next),
        .oldest({oldest, from_hw.WR.DONE.CODE.next, oldest_flag}),
        .oldest_read(to_hw.WR.DONE.CODE.swacc),
        .waiting(from_hw.WR.STATUS.WAITING.next)
    );
    assign {wr_queue_bytes, wr_queue_addr} = unpack(command);
    assign from_hw.WR.DONE_BYTES.VALUE.next = 32'(oldest) << DROP;
    assign from_hw.WR.DONE.SOURCE.next = COPY && oldest_flag;
    assign from_hw.WR.DONE.PACKET_END.next = !COPY && oldest_flag;
    wire unused = &{1'b0, wr_done_source, wr_done_packet, wr_done_bytes};
  end else begin : g_no_write
    assign {wr_queue_valid, wr_accept} = '0;
    assign {wr_queue_bytes, wr_queue_addr} = '0;
    assign from_hw.WR.STATUS.FREE.next = '0;
    assign from_hw.WR.STATUS.WAITING.next = '0;
    assign from_hw.WR.DONE.VALID.next = '0;
    assign from_hw.WR.DONE.PACKET_END.next = '0;
    assign from_hw.WR.DONE.SOURCE.next = '0;
    assign from_hw.WR.DONE.CODE.next = '0;
    assign from_hw.WR.DONE_BYTES.VALUE.next = '0;
    wire unused = &{1'b0, wr_addr, wr_odd, wr_cmd_ready, wr_done_source, wr_done_packet, wr_done_bytes};
  end

  if (HAS_READ && !COPY) begin : g_read
    logic [COMMAND_W-1:0] command;
    logic unused;
    axm_dma_queue #(
        .DEPTH(QUEUE),
        .COMMAND_W(COMMAND_W + 1),
        .DONE_W(36)
    ) u_queue (
        .clk, .rst,
        .submit(to_hw.RD.SUBMIT.LAST.swmod),
        .submit_data({s_axil_wdata[0], pack(rd_addr, rd_bytes, rd_odd)}),
        .accept(unused),
        .free(from_hw.RD.STATUS.FREE.next),
        .told(rd_told),
        .command_valid(rd_queue_valid),
        .command_ready(rd_cmd_ready && !rd_by_ring),
        .command({rd_queue_last, command}),
        .done_valid(rd_done_valid && !rd_by_ring),
        .done_data({rd_done_code, rd_done_bytes}),
        .oldest_valid(from_hw.RD.DONE.VALID.next),
        .oldest({from_hw.RD.DONE.CODE.next, from_hw.RD.DONE_BYTES.VALUE.next}),
        .oldest_read(to_hw.RD.DONE.CODE.swacc),
        .waiting(from_hw.RD.STATUS.WAITING.next)
    );
    assign {rd_queue_bytes, rd_queue_addr} = unpack(command);
  end else begin : g_no_read
    assign from_hw.RD.STATUS.FREE.next = '0;
    assign from_hw.RD.STATUS.WAITING.next = '0;
    assign from_hw.RD.DONE.VALID.next = '0;
    assign from_hw.RD.DONE.CODE.next = '0;
    assign from_hw.RD.DONE_BYTES.VALUE.next = '0;
    assign rd_queue_last = 1'b0;
    if (COPY) begin : g_copy
      // A place in the writing half's queue is one here: its transfer is read before it is written.
      logic [COMMAND_W-1:0] command;
      logic [$clog2(QUEUE):0] submitted, started;
      axm_dma_list #(
          .WIDTH(COMMAND_W),
          .DEPTH(QUEUE)
      ) u_queue (
          .clk, .rst,
          .in_data(pack(rd_addr, wr_bytes, wr_odd || rd_odd)),
          .in_valid(wr_accept),
          .out_data(command),
          .out_valid(rd_queue_valid),
          .out_ready(rd_cmd_ready && !rd_by_ring),
          .head(submitted),
          .tail(started)
      );
      assign {rd_queue_bytes, rd_queue_addr} = unpack(command);
      wire unused = &{1'b0, submitted, started, rd_done_bytes};
    end else begin : g_none
      assign rd_queue_valid = 1'b0;
      assign {rd_queue_bytes, rd_queue_addr} = '0;
      wire unused = &{1'b0, rd_addr, rd_odd, rd_cmd_ready, rd_done_bytes};
    end
  end

  assign from_hw.RD.DONE.SOURCE.next = 1'b0;
  assign from_hw.RD.DONE.PACKET_END.next = 1'b0;
  assign rd_active = rd_busy;
  assign wr_active = wr_busy;
  assign from_hw.RD.STATUS.BUSY.next = rd_busy;
  assign from_hw.RD.STATUS.DRAINING.next = rd_draining;
  assign from_hw.WR.STATUS.BUSY.next = wr_busy;
  assign from_hw.WR.STATUS.DRAINING.next = wr_draining;
  // The bus as the halves see it
  logic [ID_W-1:0] half_arid, half_awid, half_wid;
  logic [ADDR_W-1:0] half_araddr, half_awaddr;
  logic [7:0] half_arlen, half_awlen;
  logic [DATA_W-1:0] half_wdata;
  logic [DATA_W/8-1:0] half_wstrb;
  logic half_arvalid, half_arready, half_rvalid, half_rready, half_awvalid, half_awready;
  logic half_wlast, half_wvalid, half_wready, half_bvalid, half_bready;

  if (RINGS) begin : g_rings
    axm_dma_rings #(
        .HAS_READ(HAS_READ && !COPY),
        .HAS_WRITE(HAS_WRITE),
        .COPY(COPY),
        .UNALIGNED(UNALIGNED),
        .ADDR_W(ADDR_W),
        .DATA_W(DATA_W),
        .ID_W(ID_W),
        .DEPTH(QUEUE)
    ) u_rings (
        .rd_enable(to_hw.RD_RING.CONTROL.ENABLE.value),
        .rd_log2(to_hw.RD_RING.CONTROL.LOG2_ENTRIES.value),
        .rd_base(ADDR_W'({to_hw.RD_RING.BASE_HI.VALUE.value, to_hw.RD_RING.BASE_LO.VALUE.value})),
        .rd_given(to_hw.RD_RING.TAIL.COUNT.value),
        .rd_finished(from_hw.RD_RING.HEAD.COUNT.next),
        .rd_code(from_hw.RD_RING.STATUS.CODE.next),
        .rd_forget(to_hw.RD.CONTROL.FORGET.value),
        .wr_enable(to_hw.WR_RING.CONTROL.ENABLE.value),
        .wr_log2(to_hw.WR_RING.CONTROL.LOG2_ENTRIES.value),
        .wr_base(ADDR_W'({to_hw.WR_RING.BASE_HI.VALUE.value, to_hw.WR_RING.BASE_LO.VALUE.value})),
        .wr_given(to_hw.WR_RING.TAIL.COUNT.value),
        .wr_finished(from_hw.WR_RING.HEAD.COUNT.next),
        .wr_code(from_hw.WR_RING.STATUS.CODE.next),
        .wr_forget(to_hw.WR.CONTROL.FORGET.value),
        .*
    );
    wire unused_ids = &{1'b0, half_arid, half_awid, half_wid};
  end else begin : g_no_rings
    assign {rd_by_ring, wr_by_ring, rd_notify, wr_notify, ring_fault} = '0;
    assign {rd_cmd_valid, rd_cmd_bytes, rd_cmd_addr} = {rd_queue_valid, rd_queue_bytes, rd_queue_addr};
    assign {wr_cmd_valid, wr_cmd_bytes, wr_cmd_addr} = {wr_queue_valid, wr_queue_bytes, wr_queue_addr};
    assign rd_cmd_last = rd_queue_last;
    assign from_hw.RD_RING.STATUS.CODE.next = '0;
    assign from_hw.RD_RING.HEAD.COUNT.next = '0;
    assign from_hw.WR_RING.STATUS.CODE.next = '0;
    assign from_hw.WR_RING.HEAD.COUNT.next = '0;
    assign m_axi_arid = half_arid;
    assign m_axi_araddr = half_araddr;
    assign m_axi_arlen = half_arlen;
    assign m_axi_arvalid = half_arvalid;
    assign half_arready = m_axi_arready;
    assign half_rvalid = m_axi_rvalid;
    assign m_axi_rready = half_rready;
    assign m_axi_awid = half_awid;
    assign m_axi_awaddr = half_awaddr;
    assign m_axi_awlen = half_awlen;
    assign m_axi_awvalid = half_awvalid;
    assign half_awready = m_axi_awready;
    assign m_axi_wid = half_wid;
    assign m_axi_wdata = half_wdata;
    assign m_axi_wstrb = half_wstrb;
    assign m_axi_wlast = half_wlast;
    assign m_axi_wvalid = half_wvalid;
    assign half_wready = m_axi_wready;
    assign half_bvalid = m_axi_bvalid;
    assign m_axi_bready = half_bready;
  end

  axm_dma_engines #(
      .HAS_READ(HAS_READ),
      .HAS_WRITE(HAS_WRITE),
      .COPY(COPY),
      .UNALIGNED(UNALIGNED),
      .ADDR_W(ADDR_W),
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .USER_W(USER_W),
      .AXI3(AXI3),
      .MAX_OUTSTANDING(MAX_OUTSTANDING),
      .COPY_FIFO(COPY_FIFO),
      .COUNT_W(COUNT_W)
  ) u_engines (
      .rd_cfg_burst(to_hw.RD.CONFIG.BURST.value),
      .rd_cfg_outstanding(to_hw.RD.CONFIG.OUTSTANDING.value),
      .rd_cfg_cache(to_hw.RD.CONFIG.CACHE.value),
      .rd_cfg_prot(to_hw.RD.CONFIG.PROT.value),
      .rd_cfg_qos(to_hw.RD.CONFIG.QOS.value),
      .rd_quit(to_hw.RD.CONTROL.ABORT.value),
      .rd_forget(to_hw.RD.CONTROL.FORGET.value),
      .wr_cfg_burst(to_hw.WR.CONFIG.BURST.value),
      .wr_cfg_outstanding(to_hw.WR.CONFIG.OUTSTANDING.value),
      .wr_cfg_cache(to_hw.WR.CONFIG.CACHE.value),
      .wr_cfg_prot(to_hw.WR.CONFIG.PROT.value),
      .wr_cfg_qos(to_hw.WR.CONFIG.QOS.value),
      .wr_cfg_whole_burst(to_hw.WR.CONTROL.WHOLE_BURST.value),
      .wr_quit(to_hw.WR.CONTROL.ABORT.value),
      .wr_forget(to_hw.WR.CONTROL.FORGET.value),
      .m_axi_arid(half_arid),
      .m_axi_araddr(half_araddr),
      .m_axi_arlen(half_arlen),
      .m_axi_arvalid(half_arvalid),
      .m_axi_arready(half_arready),
      .m_axi_rvalid(half_rvalid),
      .m_axi_rready(half_rready),
      .m_axi_awid(half_awid),
      .m_axi_awaddr(half_awaddr),
      .m_axi_awlen(half_awlen),
      .m_axi_awvalid(half_awvalid),
      .m_axi_awready(half_awready),
      .m_axi_wid(half_wid),
      .m_axi_wdata(half_wdata),
      .m_axi_wstrb(half_wstrb),
      .m_axi_wlast(half_wlast),
      .m_axi_wvalid(half_wvalid),
      .m_axi_wready(half_wready),
      .m_axi_bvalid(half_bvalid),
      .m_axi_bready(half_bready),
      .*
  );

endmodule
