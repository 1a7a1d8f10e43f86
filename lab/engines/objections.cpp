#include "objections.hpp"

#include <array>
#include <charconv>
#include <numeric>

namespace axm::vendor {

namespace {

constexpr std::uint64_t kMostLines = 3; // of a rule

} // namespace

void Objections::raise(Rule rule, const std::string &what) {
  const auto index = static_cast<std::size_t>(rule);
  const RuleText &text = kRules[index];
  if (++counts_[index] <= kMostLines)
    out_ << "objection: " << text.name << ": " << what << "; " << text.sentence << " ["
         << text.source(kind_) << "]" << std::endl;
}

std::uint64_t Objections::all() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

void Objections::summary() const {
  for (const RuleText &text : kRules)
    if (of(text.rule) != 0)
      out_ << "objections: " << text.name << ": " << of(text.rule) << std::endl;
}

std::string hex(std::uint64_t value) {
  std::array<char, 18> text{'0', 'x'};
  const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return {text.data(), end.ptr};
}

} // namespace axm::vendor
