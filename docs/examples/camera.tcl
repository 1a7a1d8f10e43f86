# A block design for docs/designs.md, written by hand: video in and out through HP0, two loggers through HP2.
create_project camera camera -part xc7z020clg400-1
set_property board_part digilentinc.com:arty-z7-20:part0:1.1 [current_project]
create_bd_design camera

set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 ps]
set_property -dict [list \
  CONFIG.PCW_CRYSTAL_PERIPHERAL_FREQMHZ {50} CONFIG.PCW_IOPLL_CTRL_FBDIV {20} \
  CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ {100} CONFIG.PCW_FCLK0_PERIPHERAL_DIVISOR0 {5} CONFIG.PCW_FCLK0_PERIPHERAL_DIVISOR1 {2} \
  CONFIG.PCW_FPGA1_PERIPHERAL_FREQMHZ {142} CONFIG.PCW_FCLK1_PERIPHERAL_DIVISOR0 {7} CONFIG.PCW_FCLK1_PERIPHERAL_DIVISOR1 {1} \
  CONFIG.PCW_USE_S_AXI_HP0 {1} CONFIG.PCW_USE_S_AXI_HP2 {1} \
  CONFIG.PCW_S_AXI_HP0_DATA_WIDTH {64} CONFIG.PCW_S_AXI_HP2_DATA_WIDTH {64}] $ps

set video [create_bd_cell -type ip -vlnv xilinx.com:ip:axi_vdma:6.3 video]
set_property -dict [list CONFIG.c_num_fstores {4} \
  CONFIG.c_m_axi_mm2s_data_width {64} CONFIG.c_m_axis_mm2s_tdata_width {32} CONFIG.c_mm2s_max_burst_length {32} \
  CONFIG.c_m_axi_s2mm_data_width {64} CONFIG.c_s_axis_s2mm_tdata_width {32} CONFIG.c_s2mm_max_burst_length {32}] $video

foreach {name bits} {fast 64 slow 32} {
  set logger [create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma:7.1 $name]
  set_property -dict [list CONFIG.c_include_mm2s {0} CONFIG.c_include_sg {0} CONFIG.c_sg_length_width {23} \
    CONFIG.c_m_axi_s2mm_data_width $bits CONFIG.c_s_axis_s2mm_tdata_width $bits CONFIG.c_s2mm_burst_size {16}] $logger
}

foreach {name port inputs} {
  frames S_AXI_HP0 {video/M_AXI_MM2S video/M_AXI_S2MM}
  logs   S_AXI_HP2 {fast/M_AXI_S2MM slow/M_AXI_S2MM}
} {
  create_bd_cell -type ip -vlnv xilinx.com:ip:axi_interconnect:2.1 $name
  set_property -dict [list CONFIG.NUM_SI {2} CONFIG.NUM_MI {1}] [get_bd_cells $name]
  set number 0
  foreach input $inputs {
    connect_bd_intf_net [get_bd_intf_pins $input] [get_bd_intf_pins $name/S0${number}_AXI]
    incr number
  }
  connect_bd_intf_net [get_bd_intf_pins $name/M00_AXI] [get_bd_intf_pins ps/$port]
}

connect_bd_net [get_bd_pins ps/FCLK_CLK1] [get_bd_pins ps/S_AXI_HP0_ACLK] \
  [get_bd_pins video/m_axi_mm2s_aclk] [get_bd_pins video/m_axis_mm2s_aclk] \
  [get_bd_pins video/m_axi_s2mm_aclk] [get_bd_pins video/s_axis_s2mm_aclk] \
  [get_bd_pins frames/ACLK] [get_bd_pins frames/S00_ACLK] [get_bd_pins frames/S01_ACLK] [get_bd_pins frames/M00_ACLK]
connect_bd_net [get_bd_pins ps/FCLK_CLK0] [get_bd_pins ps/S_AXI_HP2_ACLK] \
  [get_bd_pins fast/m_axi_s2mm_aclk] [get_bd_pins slow/m_axi_s2mm_aclk] \
  [get_bd_pins logs/ACLK] [get_bd_pins logs/S00_ACLK] [get_bd_pins logs/S01_ACLK] [get_bd_pins logs/M00_ACLK]
