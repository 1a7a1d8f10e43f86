#include "objections.hpp"

#include <array>
#include <charconv>
#include <numeric>

namespace axm::vendor {

namespace {

constexpr std::uint64_t kMostLines = 3; // of a rule

} // namespace

void Objections::raise(Rule rule, const std::string &what) {
  const RuleText &text = kRules[rule.index()];
  if (++counts_[rule.index()] <= kMostLines)
    out_ << "objection: " << text.name << ": " << what << "; " << text.sentence << " ["
         << text.source(kind_) << "]" << std::endl;
}

std::uint64_t Objections::all() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

void Objections::summary() const {
  for (std::size_t rule = 0; rule < kRules.size(); ++rule)
    if (counts_[rule] != 0)
      out_ << "objections: " << kRules[rule].name << ": " << counts_[rule] << std::endl;
}

std::string hex(std::uint64_t value) {
  std::array<char, 18> text{'0', 'x'};
  const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return {text.data(), end.ptr};
}

} // namespace axm::vendor
