#include "tests/support/resolvers.h"

#include <cstdio>
#include <cstdlib>

namespace cordon::testing {

std::string ResolverName(confine::Resolver resolver) {
  switch (resolver) {
    case confine::Resolver::kAuto: return "auto";
    case confine::Resolver::kOpenat2: return "openat2";
    case confine::Resolver::kWalk: return "walk";
  }
  return "unknown";
}

std::shared_ptr<const policy::DenyList> DefaultDenyList() {
  static const auto list = [] {
    auto compiled = policy::DenyList::Compile(policy::DefaultDenyRules());
    if (!compiled) std::abort();
    return std::make_shared<const policy::DenyList>(std::move(*compiled));
  }();
  return list;
}

confine::RootOptions OptionsOf(policy::Profile profile, confine::Resolver resolver) {
  const policy::ProfileRules& rules = policy::RulesOf(profile);
  confine::RootOptions options;
  options.deny = DefaultDenyList();
  options.hard_links = rules.hard_links;
  options.mounts = rules.mounts;
  options.resolver = resolver;
  return options;
}

Result<confine::Root> OpenRoot(const std::string& directory, const confine::RootOptions& options) {
  return confine::Root::OpenAmbient(directory, options, confine::AmbientAuthority::OfThisProcess());
}

std::string Describe(const Error& error) {
  std::string text(ErrorCodeName(error.code));
  if (error.violation != Violation::kNone)
    text += " " + std::string(ViolationName(error.violation));
  if (!error.rule.empty()) text += " (" + error.rule + ")";
  return text;
}

Result<std::string> ReadFile(const confine::Root& root, std::string_view path) {
  auto file = root.Open(path, confine::OpenMode::kRead);
  if (!file) return std::move(file.error());
  return file->ReadAll(16 << 20);
}

Status ReplaceFile(const confine::Root& root, std::string_view path, std::string_view content) {
  auto replacement = root.Replace(path);
  if (!replacement) return std::move(replacement.error());
  if (auto written = replacement->Write(content); !written) return written;
  return replacement->Commit();
}

void PerResolver::Given(const std::vector<SetupStep>& steps) {
  std::vector<SetupStep> placed = steps;
  for (SetupStep& step : placed) {
    if (step.op == "symlink") {
      step.target = Substitute(step.target, scratch_.path(), scratch_.At("root"));
    }
  }
  ASSERT_EQ(BuildCase(scratch_, placed), "");
}

confine::Root PerResolver::Open(policy::Profile profile, std::string_view directory) const {
  return OpenWith(OptionsOf(profile, GetParam()), directory);
}

confine::Root PerResolver::OpenWith(confine::RootOptions options,
                                    std::string_view directory) const {
  options.resolver = GetParam();
  auto root = OpenRoot(scratch_.At(directory), options);
  if (!root) {
    std::fprintf(stderr, "root not opened: %s\n", Describe(root.error()).c_str());
    std::abort();
  }
  return std::move(*root);
}

}  // namespace cordon::testing
