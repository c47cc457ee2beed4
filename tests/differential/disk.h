// A scenario's tree on the disk, behind one resolver.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "confine/root.h"
#include "tests/differential/generator.h"

namespace cordon::differential {

// What one of the three says to one step.
struct Reply {
  bool allowed = false;
  ErrorCode code = ErrorCode::kIoError;
  std::string value;    // if allowed
  std::string refusal;  // else: code, violation, rule

  std::string Text() const { return allowed ? "allow \"" + value + "\"" : refusal; }
};

class Disk {
 public:
  // `directory` exists and is empty; `scratch` is what ${SCRATCH} stands for.
  Disk(std::string scratch, std::string directory, confine::Resolver resolver);

  // Empties the directory and builds the tree. False if the system would not.
  bool Build(const std::vector<Entry>& entries);
  Reply Act(const Step& step);
  // As model::Tree::Dump, with the placeholders back in.
  std::string Dump() const;

 private:
  std::string Place(std::string text) const;
  std::string Unplace(std::string text) const;
  void DumpInto(int directory, const std::string& prefix, std::string& text) const;
  std::string scratch_;
  std::string directory_;
  platform::UniqueFd fd_;
  confine::Root root_;
};

}  // namespace cordon::differential
