// The model's operations whose answer the contract leaves open in places.
#include "tests/model/tree.h"

namespace cordon::model {
namespace {

Answer Refuse(ErrorCode code) { return Answer{{code}, false, {}}; }

}  // namespace

std::optional<Answer> Tree::ReadLink(std::string_view path) {
  const Found found = ResolveName(path);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.must_be_directory) return std::nullopt;
  if (found.node == nullptr) return Refuse(ErrorCode::kNotFound);
  if (found.node->kind != Kind::kLink) return Refuse(ErrorCode::kInvalidArguments);
  const Found led = Resolve(path, Final::kFollow);
  if (led.refusal.allowed()) return Answer{{}, false, found.node->text};
  if (led.refusal.codes.contains(ErrorCode::kPathOutsideProject)) return led.refusal;
  return std::nullopt;  // inside as far as it goes: a loop, a missing part, a denied name
}

std::optional<Answer> Tree::MkdirAll(std::string_view path) {
  Found found = Resolve(path, Final::kFollow);
  if (!found.refusal.allowed()) {
    // Missing parts are what this operation is for; whatever else is wrong stays so.
    if (!found.refusal.codes.contains(ErrorCode::kNotFound)) return found.refusal;
    return std::nullopt;
  }
  if (found.node == nullptr) {
    if (Resolve(path, Final::kKeep).node != nullptr) return std::nullopt;  // a dangling link
    found.chain.back()->entries[found.name] = std::make_shared<Node>();
    return Answer{};
  }
  if (found.node->kind == Kind::kDirectory) return Answer{};
  return Answer{{ErrorCode::kNotADirectory, ErrorCode::kAlreadyExists}, false, {}};
}

std::optional<Answer> Tree::Symlink(std::string_view target, std::string_view path) {
  const Found found = ResolveName(path);
  if (!found.refusal.allowed()) {
    // The target may be at fault, too, and be named first.
    Answer refusal = found.refusal;
    if (found.name.empty()) refusal.codes.insert(ErrorCode::kIsADirectory);
    refusal.codes.insert(
        {ErrorCode::kPathOutsideProject, ErrorCode::kPathDenied, ErrorCode::kInvalidPath});
    return refusal;
  }
  if (found.must_be_directory || target.empty()) return std::nullopt;
  if (found.node != nullptr) {
    return Answer{
        {ErrorCode::kAlreadyExists, ErrorCode::kPathOutsideProject, ErrorCode::kPathDenied},
        false,
        {}};
  }
  auto link = std::make_shared<Node>(Node{Kind::kLink, std::string(target), 1, {}});
  auto& entries = found.chain.back()->entries;
  entries[found.name] = std::move(link);
  const Found led = Resolve(path, Final::kFollow);
  if (led.refusal.allowed()) return Answer{};
  entries.erase(found.name);
  if (led.refusal.codes.contains(ErrorCode::kPathOutsideProject)) return led.refusal;
  return std::nullopt;
}

}  // namespace cordon::model
