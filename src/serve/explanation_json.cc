#include "serve/explanation_json.h"

#include <boost/json/array.hpp>
#include <string>
#include <vector>

#include "base/printable.h"
#include "shell/explain.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using tools::ValidUtf8;

constexpr std::size_t kMost = 40;

template <typename T, typename Tell>
json::array Told(const std::vector<T>& all, Tell tell, bool& truncated) {
  json::array list;
  for (const T& one : all) {
    if (list.size() >= kMost) {
      truncated = true;
      break;
    }
    list.emplace_back(tell(one));
  }
  return list;
}

// With quotes where one could not tell otherwise where it ends.
std::string WordText(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t\n\"'") == std::string::npos;
  return plain ? Printable(word) : Quoted(word);
}

std::string ProgramText(const shell::Program& program) {
  std::string text = WordText(program.name.text);
  for (const shell::Argument& one : program.arguments) text.append(" ").append(WordText(one.text));
  for (const std::string& one : program.through) text.append(", by ").append(Printable(one));
  return text;
}

json::object FileObject(const shell::FileUse& use) {
  return {{"access", shell::AccessName(use.access)},
          {"path", ValidUtf8(use.path)},
          {"by", ValidUtf8(use.by)},
          {"exactness", shell::ExactnessName(use.exactness)},
          {"extent", shell::ExtentName(use.extent)}};
}

}  // namespace

json::object ExplanationObject(std::string_view command) {
  const shell::Explanation explanation = shell::Explain(command);
  bool truncated = false;
  json::object object{{"risk", shell::RiskName(explanation.risk)}};
  object["reasons"] = Told(
      explanation.reasons,
      [](const shell::Reason& one) {
        return json::object{
            {"risk", shell::RiskName(one.risk)}, {"code", one.code}, {"text", Printable(one.text)}};
      },
      truncated);
  object["programs"] = Told(
      explanation.programs, [](const shell::Program& one) { return ProgramText(one); }, truncated);
  object["files"] = Told(explanation.files, FileObject, truncated);
  object["network"] = Told(
      explanation.network,
      [](const shell::NetworkUse& one) {
        return json::object{{"target", ValidUtf8(one.target)}, {"by", ValidUtf8(one.by)}};
      },
      truncated);
  object["unknown"] = Told(
      explanation.unknown,
      [](const shell::Unknown& one) {
        return json::object{{"text", Printable(one.text)}, {"why", Printable(one.why)}};
      },
      truncated);
  object["truncated"] = truncated;
  return object;
}

}  // namespace cordon::serve
