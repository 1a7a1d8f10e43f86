// Row, bank and column of a byte address in the DRAM. Their widths are powers of two;
// the mapping gives their order in the address.
#pragma once

#include <bit>
#include <cstdint>

#include "axiometer/model/config.hpp"

namespace axm {

struct Location {
  std::uint32_t row;
  std::uint8_t bank;
  std::uint16_t column; // in units of column_bytes
};

class AddressMap {
public:
  AddressMap() = default;
  explicit AddressMap(const DramConfig &d)
      : row_shift_(std::countr_zero(static_cast<std::uint64_t>(d.row_bytes))),
        column_shift_(std::countr_zero(static_cast<std::uint64_t>(d.column_bytes))),
        bank_bits_(std::countr_zero(static_cast<std::uint64_t>(d.banks))),
        pages_per_bank_bits_(std::countr_zero(d.bytes) - row_shift_ - bank_bits_),
        column_mask_((1 << (row_shift_ - column_shift_)) - 1), mapping_(d.mapping) {}

  Location locate(std::uint64_t address) const {
    const std::uint64_t page = this->page(address);
    if (mapping_ == Mapping::row_bank_column)
      return {static_cast<std::uint32_t>(page >> bank_bits_),
              static_cast<std::uint8_t>(page & ((1U << bank_bits_) - 1)), column(address)};
    return {static_cast<std::uint32_t>(page & ((1ULL << pages_per_bank_bits_) - 1)),
            static_cast<std::uint8_t>((page >> pages_per_bank_bits_) & ((1U << bank_bits_) - 1)),
            column(address)};
  }

  // What `locate` makes a row and a bank of.
  std::uint64_t page(std::uint64_t address) const { return address >> row_shift_; }
  std::uint16_t column(std::uint64_t address) const {
    return static_cast<std::uint16_t>(address >> column_shift_ & column_mask_);
  }
  int row_columns() const { return column_mask_ + 1; }
  // Columns that `bytes` from there on touch.
  std::uint8_t columns(std::uint64_t address, std::uint64_t bytes) const {
    return static_cast<std::uint8_t>(((address + bytes - 1) >> column_shift_) -
                                     (address >> column_shift_) + 1);
  }

  // Moving every address by whole rows renames banks, but changes nothing else.
  bool rotates() const { return mapping_ == Mapping::row_bank_column; }

private:
  int row_shift_ = 0, column_shift_ = 0, bank_bits_ = 0, pages_per_bank_bits_ = 0;
  int column_mask_ = 0;
  Mapping mapping_ = Mapping::row_bank_column;
};

} // namespace axm
