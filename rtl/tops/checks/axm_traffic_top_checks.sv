bind axm_traffic_top axm_pins #(
    .PORTS(PORTS), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .AXI3(AXI3), .CROSS_4K(CROSS_4K)
) u_pins (.*);
