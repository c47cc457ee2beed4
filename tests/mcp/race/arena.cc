#include "tests/mcp/race/arena.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "tests/support/corpus.h"

namespace cordon::testing {
namespace {

constexpr std::string_view kSecret = "SECRET";
constexpr std::string_view kSecretInBase64 = "U0VDUkVU";
constexpr std::string_view kOnlyOutside = "outer-canary";

// The contested name, below the root.
std::string BelowRoot(const std::string& path) { return path.substr(std::string("root/").size()); }

std::vector<Duel> OwnDuels() {
  const std::vector<SetupStep> twins = {
      FileWith("root/d/f", "inside"),      FileWith("outside/f", "SECRET"),
      FileWith("root/d/sub/h", "inside"),  FileWith("outside/sub/h", "SECRET"),
      Link("root/evil", "../outside"),     FileWith("outside/new0", "SECRET"),
      FileWith("outside/moved", "SECRET"), Dir("outside/made")};
  std::vector<SetupStep> linked = twins;
  linked.push_back(Link("root/l", "d"));
  return {{"twins", twins, true, "root/d", "root/evil", "d/f", "d"},
          {"parent_of_parent", twins, true, "root/d", "root/evil", "d/sub/h", "d/sub"},
          {"link_for_link", linked, true, "root/l", "root/evil", "l/f", "l"},
          {"git_directory",
           {FileWith("root/d/f", "inside"), FileWith("root/.git/f", "SECRET"),
            Link("root/evil", ".git")},
           true,
           "root/d",
           "root/evil",
           "d/f",
           "d"},
          {"link_to_nothing",
           {FileWith("root/f", "inside"), Link("root/evil", "../outside/not-there")},
           true,
           "root/f",
           "root/evil",
           "f",
           "."}};
}

int TypeOf(const std::string& path) {
  struct stat entry = {};
  return ::lstat(path.c_str(), &entry) == 0 ? static_cast<int>(entry.st_mode & S_IFMT) : 0;
}

bool Tells(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

std::vector<Duel> Duels() {
  std::vector<Duel> duels;
  for (const RaceCase& race : RaceCases()) {
    Duel duel{race.id, race.setup, race.swap, race.first, race.second, race.path, ""};
    const std::string contested = BelowRoot(race.first);
    duel.directory = contested == race.path ? "." : contested;
    duels.push_back(duel);
  }
  for (Duel& own : OwnDuels()) duels.push_back(std::move(own));
  return duels;
}

Arena::Arena(const Duel& duel) : duel_(duel) {
  for (SetupStep& step : duel_.setup) {
    step.target = Substitute(step.target, scratch_.path(), scratch_.At("root"));
  }
  duel_.setup.push_back(FileWith("root/plain", "inside"));
  duel_.setup.push_back(FileWith("outside/outer-canary", "SECRET"));
  problem_ = BuildCase(scratch_, duel_.setup);
  outside_ = Take(scratch_.descriptor(), "root");
  inside_ = Take(root());
}

std::vector<Contested> Arena::contested() const {
  return {{duel_.swap, scratch_.At(duel_.first), scratch_.At(duel_.second)}};
}

std::string Arena::Leak(const std::string& reply) {
  static const std::string kEtag = ToHex(Sha256(kSecret));
  for (const std::string_view what :
       {kSecret, kSecretInBase64, kOnlyOutside, std::string_view(kEtag)}) {
    if (Tells(reply, what)) return "told " + std::string(what) + ": " + reply.substr(0, 300);
  }
  return {};
}

std::string Arena::Damage() const {
  const Difference changed = Compare(outside_, Take(scratch_.descriptor(), "root"));
  if (!changed.empty()) return "outside: " + changed.Text();
  const Snapshot inside = Take(root());
  for (const auto& [path, entry] : inside) {
    const auto before = inside_.find(path);
    const bool was_there = before != inside_.end() && before->second == entry;
    if (Tells(entry, kSecret) && !was_there) return "brought inside: " + path;
  }
  for (const auto& [path, entry] : inside_) {  // what is denied is as good as outside
    const auto after = inside.find(path);
    if (!Tells(entry, kSecret)) continue;
    if (after == inside.end() || after->second != entry) return "changed although denied: " + path;
  }
  return {};
}

std::string Arena::Leftover(const std::set<std::string>& told) const {
  for (const auto& [path, entry] : Take(root())) {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name.starts_with(".cordon-") && !told.contains(name)) return "left behind: " + path;
  }
  return {};
}

std::string Arena::Kept() const {
  for (const auto& [path, entry] : Take(home_.path())) {
    if (Tells(entry, kSecret)) return "kept by the server: " + path;
  }
  return {};
}

bool Arena::IsIntact() const {
  const auto type_before = [&](const std::string& path) {
    for (const SetupStep& step : duel_.setup) {
      if (step.path != path) continue;
      if (step.op == "symlink") return static_cast<int>(S_IFLNK);
      if (step.op == "fifo") return static_cast<int>(S_IFIFO);
      if (step.op == "file") return static_cast<int>(S_IFREG);
    }
    return static_cast<int>(S_IFDIR);
  };
  if (TypeOf(scratch_.At(duel_.first)) != type_before(duel_.first)) return false;
  return !duel_.swap || TypeOf(scratch_.At(duel_.second)) == type_before(duel_.second);
}

void Arena::Restore() {
  const platform::UniqueFd root(
      ::open(scratch_.At("root").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EmptyDirectory(root.get());
  std::vector<SetupStep> steps;
  for (const SetupStep& step : duel_.setup) {
    if (step.path.starts_with("root/")) steps.push_back(step);
  }
  problem_ = Build(scratch_, steps);
}

}  // namespace cordon::testing
