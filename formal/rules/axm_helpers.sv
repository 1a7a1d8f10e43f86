// Small modules that a proof binds into its design: reset at the start, inputs that stay, other
// assumptions, and invariants that are proven along with the rules.
//
// Limits       For formal use alone.

// The design is reset in the first clock; later resets come at any time.
module axm_first_reset (
    input logic clk,
    input logic rst
);
  logic started = 1'b0;
  always_ff @(posedge clk) started <= 1'b1;
  always_comb if (!started) begin first_clock : assume (rst); end
endmodule

// X always has the value of the first clock.
module axm_constant #(
    parameter int unsigned WIDTH = 1
) (
    input logic clk,
    input logic [WIDTH-1:0] x
);
  logic started = 1'b0;
  logic [WIDTH-1:0] x_q;
  always_ff @(posedge clk) begin
    started <= 1'b1;
    x_q <= x;
  end
  always_comb if (started) begin stays : assume (x == x_q); end
endmodule

// A request waits until it is taken, and is not there in the clock after reset.
module axm_held #(
    parameter int unsigned WIDTH = 1
) (
    input logic clk,
    input logic rst,
    input logic valid,
    input logic ready,
    input logic [WIDTH-1:0] payload
);
  logic was_rst, waiting;
  logic [WIDTH-1:0] payload_q;
  always_ff @(posedge clk) begin
    was_rst   <= rst;
    waiting   <= valid && !ready && !rst;
    payload_q <= payload;
  end
  always_comb if (!rst && was_rst) begin quiet : assume (!valid); end
  always_comb if (!rst && waiting) begin waits : assume (valid && payload == payload_q); end
endmodule

// Once up, X stays up until a reset.
module axm_stays_up (
    input logic clk,
    input logic rst,
    input logic x
);
  logic x_q;
  always_ff @(posedge clk) x_q <= x && !rst;
  always_comb if (!rst && x_q) begin stays : assume (x); end
endmodule

// X does not change while WHEN holds: what software promises about registers.
module axm_steady #(
    parameter int unsigned WIDTH = 1
) (
    input logic clk,
    input logic rst,
    input logic when_,
    input logic [WIDTH-1:0] x
);
  logic when_q;
  logic [WIDTH-1:0] x_q;
  always_ff @(posedge clk) begin
    when_q <= when_ && !rst;
    x_q <= x;
  end
  always_comb if (!rst && when_q) begin stays : assume (x == x_q); end
endmodule

// Adds up, for invariants to speak of: what went up less what went down since reset or `zero`, modulo 2^WIDTH.
module axm_count #(
    parameter int unsigned WIDTH = 16
) (
    input logic clk,
    input logic rst,
    input logic [WIDTH-1:0] up,
    input logic [WIDTH-1:0] down,
    input logic zero
);
  logic [WIDTH-1:0] count;
  always_ff @(posedge clk) begin
    if (rst || zero) count <= '0;
    else count <= count + up - down;
  end
endmodule

// X holds, out of reset.
module axm_assume (
    input logic rst,
    input logic x
);
  always_comb if (!rst) begin given : assume (x); end
endmodule

// X is proven to hold, out of reset.
module axm_invariant (  // verilog_lint: waive module-filename
    input logic rst,
    input logic x
);
  always_comb if (!rst) begin invariant : assert (x); end
endmodule
