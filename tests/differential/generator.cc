#include "tests/differential/generator.h"

#include <array>
#include <set>

namespace cordon::differential {
namespace {

constexpr std::array<std::string_view, 16> kOpNames = {
    "read",      "list",    "stat",   "lstat", "readlink", "create", "create-exclusive",
    "write",     "replace", "append", "mkdir", "remove",   "rename", "remove-all",
    "mkdir-all", "symlink"};

constexpr std::array<std::string_view, 4> kPlainNames = {"a", "b", "c", "d"};
constexpr std::array<std::string_view, 10> kOddNames = {
    ".env", ".git", "..x", ".env.example", ".env.b", ".GIT", "...", "git~1", ".gitignore", "\xff"};

std::string RandomName(Random& random) {
  if (random.Percent(78)) return std::string(kPlainNames[random.Below(kPlainNames.size())]);
  return std::string(kOddNames[random.Below(kOddNames.size())]);
}

void Separate(Random& random, std::string& path) {
  if (path.empty()) return;
  path += random.Percent(4) ? "//" : random.Percent(4) ? "/./" : "/";
}

void Finish(Random& random, std::string& path) {
  if (random.Percent(8)) path += "/";
  if (random.Percent(2)) path += "/.";
}

// Components at random: most lead nowhere, which is a case, too.
std::string BlindPath(Random& random, std::size_t most) {
  std::string path;
  const std::size_t length = 1 + random.Below(most);
  for (std::size_t part = 0; part < length; ++part) {
    Separate(random, path);
    path += random.Percent(22) ? ".." : RandomName(random);
  }
  return path;
}

// Begins at an entry that exists, so that links and depth are met often.
std::string GuidedPath(Random& random, const std::vector<Entry>& entries) {
  if (entries.empty()) return BlindPath(random, 4);
  std::string path = entries[random.Below(entries.size())].path;
  while (random.Percent(35)) {
    Separate(random, path);
    const std::string& other = entries[random.Below(entries.size())].path;
    path += random.Percent(40) ? ".." : random.Percent(50) ? other : RandomName(random);
  }
  return path;
}

std::string StrangePath(Random& random, const std::vector<Entry>& entries) {
  switch (random.Below(8)) {
    case 0: return "";
    case 1: return std::string("a\0b", 3);
    case 2: return "${SCRATCH}/outside/secret";
    case 3: return "${ROOT}-evil/x";
    case 4: return "${ROOT}/../" + GuidedPath(random, entries);
    case 5: return "a/" + std::string(254 + random.Below(3), 'n');
    case 6: return random.Percent(50) ? "." : "${ROOT}";
    default: return "/" + BlindPath(random, 3);
  }
}

std::string RandomPath(Random& random, const std::vector<Entry>& entries) {
  if (random.Percent(4)) return StrangePath(random, entries);
  std::string path = random.Percent(75) ? GuidedPath(random, entries) : BlindPath(random, 5);
  if (random.Percent(6)) path = "${ROOT}/" + path;
  Finish(random, path);
  return path;
}

std::string LinkText(Random& random, const std::string& place, const std::vector<Entry>& entries) {
  if (random.Percent(6)) {
    constexpr std::array<std::string_view, 6> outside = {
        "${SCRATCH}/outside/secret", "/",           "${ROOT}-evil/x",
        "${ROOT}/../outside",        "/etc/passwd", "/proc/self/root"};
    return std::string(outside[random.Below(outside.size())]);
  }
  std::string text = random.Percent(60) ? GuidedPath(random, entries) : BlindPath(random, 4);
  if (random.Percent(12)) return "${ROOT}/" + text;
  if (random.Percent(60)) {  // from where the link stands up to the root
    for (const char c : place) {
      if (c == '/') text.insert(0, "../");
    }
  }
  if (random.Percent(5)) text = "../outside/secret";
  Finish(random, text);
  return text;
}

// A chain of links about as long as the most that are followed.
void AddChain(Random& random, std::vector<Entry>& entries) {
  const std::size_t length = 37 + random.Below(6);
  for (std::size_t link = 0; link < length; ++link) {
    const std::string next = link + 1 == length ? "end" : "l" + std::to_string(link + 1);
    entries.push_back({EntryKind::kLink, "l" + std::to_string(link), next});
  }
  entries.push_back({EntryKind::kFile, "end", "end"});
}

std::vector<Entry> RandomEntries(Random& random) {
  std::vector<Entry> entries;
  std::vector<std::string> directories = {""};
  std::set<std::string> taken;
  const std::size_t count = 4 + random.Below(9);
  for (std::size_t tries = 0; entries.size() < count && tries < 40; ++tries) {
    const std::string path = directories[random.Below(directories.size())] + RandomName(random);
    if (!taken.insert(path).second) continue;
    if (random.Percent(38)) {
      entries.push_back({EntryKind::kDirectory, path, ""});
      directories.push_back(path + "/");
    } else if (random.Percent(38)) {
      entries.push_back({EntryKind::kFile, path, "content of " + std::to_string(tries)});
    } else {
      entries.push_back({EntryKind::kLink, path, LinkText(random, path, entries)});
    }
  }
  if (random.Percent(2)) AddChain(random, entries);
  return entries;
}

Step RandomStep(Random& random, Op op, const std::vector<Entry>& entries) {
  Step step{op, RandomPath(random, entries), ""};
  if (op == Op::kRename) step.other = RandomPath(random, entries);
  if (op == Op::kSymlink) step.other = LinkText(random, "", entries);
  return step;
}

}  // namespace

std::uint64_t Random::Next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

std::string_view OpName(Op op) { return kOpNames[static_cast<std::size_t>(op)]; }

Scenario Generate(std::uint64_t seed) {
  Random random(seed);
  Scenario scenario;
  scenario.entries = RandomEntries(random);
  for (int reads = 0; reads < 5; ++reads) {
    scenario.steps.push_back(
        RandomStep(random, static_cast<Op>(random.Below(5)), scenario.entries));
  }
  for (int changes = 0; changes < 4; ++changes) {
    const auto op = static_cast<Op>(5 + random.Below(9));
    scenario.steps.push_back(RandomStep(random, op, scenario.entries));
  }
  const auto last = static_cast<Op>(14 + random.Below(2));
  scenario.steps.push_back(RandomStep(random, last, scenario.entries));
  return scenario;
}

}  // namespace cordon::differential
