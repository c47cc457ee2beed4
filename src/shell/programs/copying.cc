// Programs that write one file from another.
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

// What `source` is called in `folder`: cp a/b dir writes dir/b.
Word Inside(const Word& folder, const Word& source) {
  Word made = folder;
  if (made.empty() || made.text().back() != '/') made.Add('/', Mark::kLiteral);
  std::string_view text = source.text();
  std::size_t end = text.size();
  while (end > 1 && text[end - 1] == '/') --end;
  const std::size_t slash = text.rfind('/', end - 1);
  made.Add(source.Sub(slash == std::string_view::npos ? 0 : slash + 1,
                      end - (slash == std::string_view::npos ? 0 : slash + 1)));
  return made;
}

struct Copying {
  std::vector<Word> sources;
  std::vector<Word> targets;
  std::vector<Word> perhaps;  // what is written if the target is a directory
};

// "SOURCE... TARGET", or -t TARGET. Whether the last is a directory is not in the text: with
// several sources, a slash at its end or -t it is; else what is told is the name itself.
Copying ReadCopying(const Options& options) {
  Copying copying;
  const std::vector<Word> folders = options.Values("-t --target-directory");
  copying.sources = options.operands;
  if (!folders.empty()) {
    for (const Word& source : copying.sources) {
      copying.targets.push_back(Inside(folders.back(), source));
    }
    return copying;
  }
  if (copying.sources.size() < 2) return copying;
  const Word target = copying.sources.back();
  copying.sources.pop_back();
  const std::string& text = target.text();
  const bool folder = copying.sources.size() > 1 || text.ends_with('/') || text == "." ||
                      text == ".." || text.ends_with("/.") || text.ends_with("/..");
  if (!folder || options.Has("-T --no-target-directory")) {
    copying.targets.push_back(target);
    if (!folder) copying.perhaps.push_back(Inside(target, copying.sources[0]));
    if (options.Has("-T --no-target-directory")) copying.perhaps.clear();
    return copying;
  }
  for (const Word& source : copying.sources) copying.targets.push_back(Inside(target, source));
  return copying;
}

Flow Copy(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments, "-t --target-directory -S --suffix -m -o -g --mode --owner --group");
  const bool directories = call.name == "install" && options.Has("-d --directory");
  if (directories) {
    for (const Word& made : options.operands) shell.Use(Access::kWrite, made, call.name);
    return {};
  }
  const Copying copying = ReadCopying(options);
  const bool tree = options.Has("-r -R -a --recursive --archive") || call.name == "mv";
  const Extent extent = tree ? Extent::kTree : Extent::kItself;
  for (const Word& source : copying.sources) {
    shell.Use(Access::kRead, source, call.name, extent);
    if (call.name != "mv") continue;
    shell.Use(Access::kDelete, source, call.name, Extent::kItself);
    // If it is a directory, all below it goes where other rules hold.
    shell.Mention(Access::kDelete, source, call.name, Extent::kTree);
  }
  for (const Word& target : copying.targets) {
    shell.Use(Access::kWrite, target, call.name, extent);
  }
  for (const Word& target : copying.perhaps) {
    shell.Mention(Access::kWrite, target, call.name, extent);
  }
  return {};
}

Flow Link(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-t --target-directory -S --suffix");
  const bool symbolic = options.Has("-s --symbolic");
  if (options.operands.size() == 1 && !options.Has("-t --target-directory")) {
    shell.Use(Access::kWrite, Inside(Word("."), options.operands[0]), call.name);
    shell.Mention(Access::kWrite, Inside(Word("."), options.operands[0]), call.name, Extent::kTree);
  }
  const Copying copying = ReadCopying(options);
  for (const Word& source : copying.sources) {
    // A hard link is the file itself under another name: whoever writes there writes here.
    shell.Use(symbolic ? Access::kRead : Access::kWrite, source, call.name);
  }
  // A link may stand for a directory, and then a whole tree appears under its name.
  for (const Word& target : copying.targets) {
    shell.Use(Access::kWrite, target, call.name);
    shell.Mention(Access::kWrite, target, call.name, Extent::kTree);
  }
  for (const Word& target : copying.perhaps) {
    shell.Mention(Access::kWrite, target, call.name, Extent::kTree);
  }
  return {};
}

Flow Tee(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "");
  for (const Word& file : options.operands) shell.Use(Access::kWrite, file, call.name);
  return call.input;
}

Flow Dd(const Call& call, Interpreter& shell) {
  bool reads = false;
  for (const Word& argument : call.arguments) {
    if (argument.text().starts_with("if=")) {
      shell.Use(Access::kRead, argument.Sub(3), call.name);
      reads = true;
    } else if (argument.text().starts_with("of=")) {
      shell.Use(Access::kWrite, argument.Sub(3), call.name);
    } else if (!argument.exact()) {
      shell.findings().DontKnow(argument.text(), "it may name the file dd writes", "unknown-path",
                                Risk::kHigh);
    }
  }
  return reads ? Flow::Unknown() : call.input;
}

// "IN OUT": the second operand is written.
Flow InOut(const Call& call, Interpreter& shell) {
  const Options options =
      ReadOptions(call.arguments, "-f -s -w -l -c -g -o --skip-fields --skip-chars --check-chars");
  if (!options.operands.empty() && !options.operands[0].Is("-")) {
    shell.Use(Access::kRead, options.operands[0], call.name);
  }
  if (options.operands.size() > 1) shell.Use(Access::kWrite, options.operands[1], call.name);
  return Changed(call.input);
}

Flow Split(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments, "-a -b -C -l -n -t -f --bytes --lines --filter --prefix --number");
  for (const Word& command : options.Values("--filter")) {
    static_cast<void>(shell.RunCode(command, Flow::Unknown(), call.name));
  }
  if (!options.operands.empty()) shell.Use(Access::kRead, options.operands[0], call.name);
  Word prefix = call.name == "split" ? Word("x") : Word("xx");
  if (call.name == "split" && options.operands.size() > 1) prefix = options.operands[1];
  for (const Word& given : options.Values("-f --prefix")) prefix = given;
  prefix.Add('*', Mark::kGlob);
  shell.Use(Access::kWrite, prefix, call.name);
  return {};
}

// "name.XXXXXX": the last of the X are made up.
Flow Mktemp(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "--suffix -p --tmpdir?");
  Word name = options.operands.empty() ? Word("/tmp/tmp.XXXXXXXXXX") : options.operands[0];
  Word made;
  const std::size_t last = name.text().find_last_not_of('X');
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool made_up = last == std::string::npos || i > last;
    made.Add(made_up ? '?' : name.text()[i], made_up ? Mark::kGlob : name.mark(i));
  }
  if (options.Has("-u --dry-run")) return Flow::Unknown();
  // Nothing that is there is touched, so that not to know the name is no great risk.
  const Place place = PlaceOf(made, shell.state().directory);
  shell.findings().Add(FileUse{place.path, place.start, place.exactness, Access::kWrite,
                               Extent::kItself, call.name});
  shell.findings().DontKnow(made.text(), "its name is made up", "unknown-names", Risk::kMedium);
  return Flow::Unknown();
}

bool IsRemote(const Word& place) {
  const std::string& text = place.text();
  const std::size_t colon = text.find(':');
  return text.starts_with("rsync://") ||
         (colon != std::string::npos && colon > 0 && text.find('/') > colon);
}

// rsync and scp: "SOURCE... TARGET", each here or on another machine.
Flow CopyAcross(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments,
      call.name == "scp"
          ? "-c -D -F -i -J -l -o -P -S -X"
          : "-e -f -T -B -M --rsh --exclude --include --exclude-from --include-from --files-from "
            "--log-file --temp-dir --backup-dir --partial-dir --link-dest --compare-dest "
            "--copy-dest --bwlimit --timeout --port --password-file --rsync-path --filter");
  for (const Word& shell_command : options.Values("-e --rsh -S --rsync-path")) {
    static_cast<void>(shell.RunCode(shell_command, Flow(), call.name));
  }
  for (const Word& file :
       options.Values("-i -F --files-from --exclude-from --include-from --password-file")) {
    shell.Use(Access::kRead, file, call.name);
  }
  for (const Word& file : options.Values("--log-file --temp-dir --backup-dir --partial-dir")) {
    shell.Use(Access::kWrite, file, call.name);
  }
  const bool tree = call.name == "rsync" || options.Has("-r");
  const Extent extent = tree ? Extent::kTree : Extent::kItself;
  for (std::size_t i = 0; i < options.operands.size(); ++i) {
    const Word& place = options.operands[i];
    const bool last = i + 1 == options.operands.size() && i > 0;
    if (IsRemote(place)) {
      shell.Connect(place, call.name);
    } else {
      shell.Use(last ? Access::kWrite : Access::kRead, place, call.name, extent);
      if (last && options.Has("--delete --delete-after --delete-before --delete-during "
                              "--delete-excluded --delete-delay --del")) {
        shell.Use(Access::kDelete, place, call.name, Extent::kTree);
      }
    }
    if (!last && options.Has("--remove-source-files")) {
      shell.Use(Access::kDelete, place, call.name, extent);
    }
  }
  return {};
}

}  // namespace

std::vector<Family> CopyingPrograms() {
  return {{"cp mv install", Copy}, {"ln link", Link},
          {"tee sponge", Tee},     {"dd", Dd},
          {"mktemp", Mktemp},      {"uniq xxd", InOut},
          {"split csplit", Split}, {"rsync scp", CopyAcross}};
}

}  // namespace cordon::shell
