// Generated from regs/common.rdl by regs/generate.py; changes here are lost.
package block_types_pkg;
  localparam logic [15:0] NONE = 16'd0;  // no block
  localparam logic [15:0] ID = 16'd1;  // identification
  localparam logic [15:0] DMA = 16'd2;  // DMA engine
  localparam logic [15:0] TRAFFIC = 16'd3;  // traffic generator
  localparam logic [15:0] MONITOR = 16'd4;  // performance monitor
  localparam logic [15:0] SNIFFER = 16'd5;  // burst sniffer
  localparam logic [15:0] SOURCE = 16'd6;  // stream source
  localparam logic [15:0] SINK = 16'd7;  // stream sink
  localparam logic [15:0] LOOPBACK = 16'd8;  // loop-back FIFO
  localparam logic [15:0] COUNTER = 16'd9;  // free-running counter
  localparam logic [15:0] SIMPLE_MASTER = 16'd10;  // simple master
  localparam logic [15:0] RAM = 16'd11;  // RAM; its window is the memory, it has no registers
  localparam logic [15:0] MULTIPLEXER = 16'd12;  // multiplexer
  localparam logic [15:0] CONVOLUTION = 16'd13;  // convolution accelerators
  localparam logic [15:0] VENDOR = 16'd14;  // what is known of a vendor's engine beside the instrument
endpackage
