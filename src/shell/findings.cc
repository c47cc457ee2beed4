#include "shell/findings.h"

#include <utility>

namespace cordon::shell {
namespace {

template <typename Value>
void AppendNumber(std::string& key, Value value) {
  key += std::to_string(static_cast<int>(value));
  key += '\0';
}

void AppendText(std::string& key, std::string_view text) {
  AppendNumber(key, text.size());  // so that no two lists of texts make the same key
  key += text;
}

std::string KeyOf(const FileUse& use) {
  std::string key = "f";
  AppendText(key, use.path);
  AppendText(key, use.by);
  AppendNumber(key, use.start);
  AppendNumber(key, use.exactness);
  AppendNumber(key, use.access);
  AppendNumber(key, use.extent);
  return key;
}

constexpr std::size_t kMaxReasonText = 400;

}  // namespace

bool Findings::IsNew(std::string key) {
  if (seen_.size() >= kMaxFindings) {
    TellFull();
    return false;
  }
  return seen_.insert(std::move(key)).second;
}

void Findings::TellFull() {
  if (std::exchange(full_, true)) return;
  found_.unknown.push_back({"", "it does more than can be listed"});
  found_.reasons.push_back({Risk::kHigh, "too-much", "it does more than can be listed"});
}

void Findings::Add(Program program) {
  std::string key = "p";
  AppendText(key, program.name.text);
  for (const Argument& argument : program.arguments) {
    AppendNumber(key, argument.exactness);
    AppendText(key, argument.text);
  }
  for (const std::string& name : program.through) AppendText(key, name);
  if (IsNew(std::move(key))) found_.programs.push_back(std::move(program));
}

void Findings::Add(FileUse use) {
  if (IsNew(KeyOf(use))) found_.files.push_back(std::move(use));
}

void Findings::Mention(FileUse use) {
  if (mentioned_.size() >= kMaxMentions) {
    TellFull();
  } else if (mentioned_.insert(KeyOf(use)).second) {
    found_.mentions.push_back(std::move(use));
  }
}

void Findings::Add(NetworkUse use) {
  std::string key = "n";
  AppendText(key, use.target);
  AppendText(key, use.by);
  if (IsNew(std::move(key))) found_.network.push_back(std::move(use));
}

void Findings::DontKnow(std::string_view text, std::string_view why, std::string_view code,
                        Risk risk) {
  std::string key = "u";
  AppendText(key, text);
  AppendText(key, why);
  if (!IsNew(std::move(key))) return;
  found_.unknown.push_back({std::string(text), std::string(why)});
  std::string reason(text.substr(0, kMaxReasonText));
  if (!reason.empty()) reason += ": ";
  reason += why;
  Because(risk, code, std::move(reason));
}

void Findings::Because(Risk risk, std::string_view code, std::string text) {
  std::string key = "r";
  AppendText(key, code);
  AppendText(key, text);
  if (IsNew(std::move(key))) found_.reasons.push_back({risk, code, std::move(text)});
}

}  // namespace cordon::shell
