bind axm_master_top axm_pins #(.PORTS(PORTS), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .AXI3(AXI3)) u_pins (.*);
