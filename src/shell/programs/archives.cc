// Archives and compressed files.
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

void Unpacks(const Word& folder, const Call& call, Interpreter& shell) {
  shell.Use(Access::kWrite, folder, call.name, Extent::kTree);
  shell.findings().DontKnow(call.name, "the archive says which files are written", "unknown-names",
                            Risk::kMedium);
}

Flow Tar(const Call& call, Interpreter& shell) {
  // The old style: the first word is options without a dash, and their values follow.
  std::vector<Word> arguments = call.arguments;
  if (!arguments.empty() && !arguments[0].text().starts_with('-') && arguments[0].exact()) {
    std::vector<Word> unfolded;
    std::size_t next = 1;
    for (const char letter : arguments[0].text()) {
      unfolded.emplace_back(std::string{'-', letter});
      const bool valued = std::string_view("fCbTXgIV").find(letter) != std::string_view::npos;
      if (valued && next < arguments.size()) unfolded.push_back(arguments[next++]);
    }
    unfolded.insert(unfolded.end(), arguments.begin() + static_cast<std::ptrdiff_t>(next),
                    arguments.end());
    arguments = std::move(unfolded);
  }
  const Options options = ReadOptions(
      arguments,
      "-f -C -b -T -X -g -I -V -F -H -K -L -N --file --directory --files-from --exclude-from "
      "--exclude --transform --xform --strip-components --use-compress-program --to-command "
      "--checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command --owner "
      "--group --mode --mtime --format --listed-incremental --newer --one-top-level?");
  for (const Word& command :
       options.Values("-I -F --use-compress-program --to-command --info-script --new-volume-script "
                      "--rsh-command --rmt-command")) {
    static_cast<void>(shell.Apart([&] { return shell.RunCode(command, Flow::Unknown(), "tar"); }));
  }
  for (const Word& action : options.Values("--checkpoint-action")) {
    if (!action.text().starts_with("exec=")) continue;
    static_cast<void>(
        shell.Apart([&] { return shell.RunCode(action.Sub(5), Flow::Unknown(), "tar"); }));
  }
  for (const Word& file : options.Values("-T -X --files-from --exclude-from")) {
    shell.Use(Access::kRead, file, "tar");
  }
  const bool makes = options.Has("-c -r -u -A --create --append --update --catenate --delete");
  const bool unpacks = options.Has("-x --extract --get");
  for (const Word& archive : options.Values("-f --file")) {
    if (archive.Is("-")) continue;
    const std::size_t colon = archive.text().find(':');
    if (colon != std::string::npos && archive.text().find('/') > colon) {
      shell.Connect(archive, "tar");
    }
    shell.Use(makes ? Access::kWrite : Access::kRead, archive, "tar");
  }
  Word folder(".");
  return shell.Apart([&]() -> Flow {
    for (const Word& given : options.Values("-C --directory")) {
      folder = given;
      if (!unpacks) shell.state().directory = Joined(shell.state().directory, given);
    }
    if (unpacks && !options.Has("-O --to-stdout")) Unpacks(folder, call, shell);
    if (makes) {
      for (const Word& file : options.operands) {
        shell.Use(Access::kRead, file, "tar", Extent::kTree);
        if (options.Has("--remove-files")) {
          shell.Use(Access::kDelete, file, "tar", Extent::kTree);
        }
      }
    }
    return Changed(call.input);
  });
}

Flow Zip(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-b -n -t -tt -P -TT -O --out -x -i");
  for (const Word& argument : call.arguments) {
    if (argument.text().starts_with("-TT") || argument.text().starts_with("--unzip-command")) {
      shell.findings().DontKnow(argument.text(), "zip runs it", "unknown-code", Risk::kHigh);
    }
  }
  for (std::size_t i = 0; i < options.operands.size(); ++i) {
    const bool tree = options.Has("-r --recurse-paths");
    shell.Use(i == 0 ? Access::kWrite : Access::kRead, options.operands[i], call.name,
              i > 0 && tree ? Extent::kTree : Extent::kItself);
    if (i > 0 && options.Has("-m --move")) {
      shell.Use(Access::kDelete, options.operands[i], call.name,
                tree ? Extent::kTree : Extent::kItself);
    }
  }
  return {};
}

Flow Unzip(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-d -P -x");
  if (!options.operands.empty()) shell.Use(Access::kRead, options.operands[0], call.name);
  Word folder(".");
  for (const Word& given : options.Values("-d")) folder = given;
  if (!options.Has("-l -p -t -Z -v")) Unpacks(folder, call, shell);
  return Flow::Unknown();
}

// 7z x ARCHIVE -oDIR, ar r ARCHIVE FILES, cpio, jar.
Flow Other(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-F -D -I -O -E");
  for (const Word& operand : options.operands) shell.Use(Access::kWrite, operand, call.name);
  Unpacks(Word("."), call, shell);
  return Flow::Unknown();
}

struct Suffix {
  std::string_view names;
  std::string_view suffix;
  bool unpacks;
};
constexpr Suffix kSuffixes[] = {
    {"gzip pigz", ".gz", false}, {"gunzip unpigz", ".gz", true}, {"bzip2", ".bz2", false},
    {"bunzip2", ".bz2", true},   {"xz", ".xz", false},           {"unxz", ".xz", true},
    {"zstd", ".zst", false},     {"unzstd", ".zst", true},       {"lz4", ".lz4", false},
    {"compress", ".Z", false},   {"uncompress", ".Z", true},
};

Flow Compress(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-S -T -b -o --suffix --threads --output");
  const Suffix* row = kSuffixes;
  while (!IsOneOf(call.name, row->names)) ++row;
  const bool only_reads = options.Has("-c -l -t --stdout --to-stdout --list --test");
  // zstd and lz4 keep what they are given.
  const bool keeps = options.Has("-k --keep") || IsOneOf(call.name, "zstd unzstd lz4");
  const bool unpacks = row->unpacks || options.Has("-d --decompress --uncompress");
  const bool tree = options.Has("-r --recursive");
  for (const Word& file : options.operands) {
    if (file.Is("-")) continue;
    shell.Use(Access::kRead, file, call.name, tree ? Extent::kTree : Extent::kItself);
    if (only_reads) continue;
    if (!keeps) {
      shell.Use(Access::kDelete, file, call.name, tree ? Extent::kTree : Extent::kItself);
    }
    Word made = file;
    const bool named = file.text().ends_with(row->suffix) && file.exact();
    if (tree) {
      shell.Use(Access::kWrite, file, call.name, Extent::kTree);
      continue;
    }
    if (unpacks) {
      made = named ? file.Sub(0, file.size() - row->suffix.size()) : Word::Unknown(file.text());
    } else {
      made.Add(Word(row->suffix));
    }
    if (!options.Has("-o --output")) shell.Use(Access::kWrite, made, call.name);
  }
  for (const Word& file : options.Values("-o --output")) {
    shell.Use(Access::kWrite, file, call.name);
  }
  return Changed(call.input);
}

}  // namespace

std::vector<Family> ArchivePrograms() {
  std::vector<Family> families = {{"tar gtar bsdtar", Tar},
                                  {"zip", Zip},
                                  {"unzip", Unzip},
                                  {"7z 7za 7zr ar cpio jar unrar", Other}};
  for (const Suffix& row : kSuffixes) families.push_back({row.names, Compress});
  return families;
}

}  // namespace cordon::shell
