// Programs that are told by a line of a table: which options have values, and what the
// operands are.
#include <algorithm>
#include <map>
#include <optional>

#include "shell/mentions.h"
#include "shell/programs/options.h"
#include "shell/programs/registry.h"
#include "shell/quoting.h"

namespace cordon::shell {
namespace {

enum class Operands { kNone, kRead, kWrite, kDelete };

struct Plain {
  std::string_view names;
  Operands operands = Operands::kRead;
  std::string_view valued = "";   // options whose value is no file
  std::string_view reads = "";    // options whose value is a file that is read
  std::string_view writes = "";   // options whose value is a file that is written
  std::string_view tree = "";     // options that make it go down; "*" if it always does
  std::size_t skip = 0;           // operands that come first and are no files
  std::string_view no_skip = "";  // options that take their place
  std::string_view runs = "";     // options whose value is a command
  std::string_view picks = "";    // options whose value is a glob of what is read
};

constexpr Plain kTable[] = {
    // Say things about files.
    {"cat tac rev stat file readlink realpath md5sum sha1sum sha224sum sha256sum sha384sum "
     "sha512sum b2sum cksum sum less more zcat bzcat xzcat zless size nm ldd lsattr namei getfacl",
     Operands::kRead, "--format --printf --magic-file"},
    {"nl", Operands::kRead, "-b -d -f -h -i -l -n -s -v -w"},
    {"od hexdump", Operands::kRead, "-A -j -N -S -t -w? -e -n -s", "-f"},
    {"strings", Operands::kRead, "-n -t -e -T"},
    {"wc", Operands::kRead, "", "--files0-from"},
    {"fold fmt expand unexpand pr", Operands::kRead, "-w -g -p -t -l -h -o --width --tabs"},
    {"column", Operands::kRead, "-t? -s -c -o -N"},
    {"paste comm join tsort", Operands::kRead, "-d -t -1 -2 -j -o -e -a -v --delimiters"},
    {"iconv", Operands::kRead, "-f -t --from-code --to-code", "", "-o --output"},
    {"jq yq", Operands::kRead, "--indent", "-L", "", "", 1, "-f --from-file"},
    {"bat", Operands::kRead, "-l -r -H -m --language --line-range --style --theme --paging"},
    {"xmllint", Operands::kRead, "--xpath --encode", "--schema --dtdvalid", "-o --output"},
    {"objdump readelf", Operands::kRead, "-j -M --section -x -p"},
    {"head tail", Operands::kRead, "-n -c -s --lines --bytes --pid --sleep-interval"},
    {"ls dir vdir exa eza", Operands::kRead, "-I -w -T --ignore --width --sort --color?", "", "",
     "-R --recursive"},
    {"tree", Operands::kRead, "-L -P -I", "", "-o", "*"},
    {"du", Operands::kRead, "-d -B -t --max-depth --block-size --exclude", "--files0-from -X", "",
     "*"},
    {"df", Operands::kRead, "-B -t -x"},
    {"grep egrep fgrep zgrep rgrep", Operands::kRead,
     "-e -m -A -B -C -d -D --regexp --exclude --exclude-dir --max-count --color? "
     "--label --context --after-context --before-context",
     "-f --file --exclude-from", "", "-r -R --recursive --dereference-recursive", 1,
     "-e -f --regexp --file", "", "--include"},
    {"rg ag ack", Operands::kRead,
     "-e -t -T -m -A -B -C -j -M -E -r --regexp --type --type-not --max-count --sort "
     "--max-depth --replace --color",
     "-f --file --ignore-file", "", "*", 1, "-e -f --regexp --file --files",
     "--pre --pager --hostname-bin", "-g -G --glob --iglob"},
    {"sort", Operands::kRead, "-k -t -S --key --field-separator --parallel --buffer-size",
     "--files0-from", "-o --output -T --temporary-directory", "", 0, "", "--compress-program"},
    {"cut", Operands::kRead, "-b -c -d -f --bytes --characters --delimiter --fields"},
    {"diff sdiff diff3 cmp colordiff", Operands::kRead, "-U -C -I -x -W --exclude -n",
     "-X --exclude-from", "-o --output", "-r --recursive", 0, "", "--diff-program"},
    {"base64 base32", Operands::kRead, "-w --wrap"},
    {"date", Operands::kNone, "-d --date -s --set --rfc-3339 -I? --iso-8601?",
     "-f --file -r --reference"},
    {"shuf", Operands::kRead, "-i -n --input-range --head-count", "--random-source", "-o --output"},
    {"look", Operands::kRead, "-t --terminate", "", "", "", 1},
    {"bc", Operands::kRead, "-e --expression -I? -S --scale", "-f --file"},
    {"dc", Operands::kRead, "-e --expression -S --scale", "-f --file"},
    {"logger", Operands::kNone, "-p -t -n -P -u --priority --tag --server --port", "-f --file"},
    // Speak of the system, or do nothing to files.
    {"true false : pwd whoami id groups cal uname hostname uptime w who users tty arch nproc "
     "free ps top htop pgrep pidof lsof vmstat iostat lscpu lsblk lsusb lspci printenv locale "
     "sleep yes seq expr factor tr clear reset stty tput type hash which whereis help "
     "history jobs fg bg wait times ulimit umask getopts break continue let info "
     "apropos getconf getent dmesg journalctl numfmt mountpoint ss netstat test [ basename "
     "dirname renice disown bind caller complete compgen",
     Operands::kNone},
    {"man", Operands::kNone, "-L -m -M -S -s -e -r -E", "-C", "", "", 0, "",
     "-P --pager -H --html"},
    // Make and change files.
    {"mkdir", Operands::kWrite, "-m --mode"},
    {"mkfifo", Operands::kWrite, "-m --mode"},
    {"touch", Operands::kWrite, "-d -t --date --time", "-r --reference"},
    {"truncate", Operands::kWrite, "-s --size", "-r --reference"},
    {"chmod", Operands::kWrite, "", "--reference", "", "-R --recursive", 1,
     "--reference -r -w -x -X -s -t -u -g -o"},
    {"chgrp chown", Operands::kWrite, "--from", "--reference", "", "-R --recursive", 1,
     "--reference"},
    {"chattr", Operands::kWrite, "-v -p", "", "", "-R", 1, "-i -a -A -c -d -S -u"},
    {"setfacl", Operands::kWrite, "-m -x --modify --remove", "-M -X --restore", "",
     "-R --recursive"},
    {"dos2unix unix2dos", Operands::kWrite},
    {"rmdir unlink", Operands::kDelete},
    {"rm", Operands::kDelete, "", "", "", "-r -R --recursive"},
    {"shred", Operands::kDelete, "-n -s --iterations --size", "--random-source"},
};

const std::map<std::string_view, const Plain*>& Index() {
  static const std::map<std::string_view, const Plain*> kIndex = [] {
    std::map<std::string_view, const Plain*> index;
    for (const Plain& row : kTable) {
      std::string_view names = row.names;
      while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        index[names.substr(0, end)] = &row;
        names.remove_prefix(std::min(end + 1, names.size()));
      }
    }
    return index;
  }();
  return kIndex;
}

// jq's options with two values, a name and a text or a file; what is left.
std::vector<Word> WithoutPairs(const Call& call, Interpreter& shell) {
  if (!IsOneOf(call.name, "jq yq")) return call.arguments;
  std::vector<Word> left;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string& text = call.arguments[i].text();
    const bool file = IsOneOf(text, "--slurpfile --rawfile");
    if (!file && !IsOneOf(text, "--arg --argjson")) {
      left.push_back(call.arguments[i]);
      continue;
    }
    if (file && i + 2 < call.arguments.size()) {
      shell.Use(Access::kRead, call.arguments[i + 2], call.name);
    }
    i += 2;
  }
  return left;
}

// The program matches the glob itself, at any depth, braces, dots and all.
void MentionPicked(const Word& glob, const Call& call, Interpreter& shell) {
  const std::optional<std::vector<std::string>> alternatives = ExpandBraces(glob.text());
  if (!alternatives) {
    shell.Mention(Access::kRead, Word(".*", Mark::kGlob), call.name);
    return;
  }
  for (const std::string& text : *alternatives) {
    Word pattern("**/", Mark::kGlob);
    for (const char byte : text) {
      const bool wild = byte == '*' || byte == '?' || byte == '[';
      if (byte != '\\') pattern.Add(byte, wild ? Mark::kGlob : Mark::kLiteral);
    }
    shell.Mention(Access::kRead, pattern, call.name);
    // "*" takes in what would be read without it.
    if (text != "*" && text != "**") shell.Mention(Access::kRead, WithDots(pattern), call.name);
  }
}

Flow RunPlain(const Call& call, Interpreter& shell) {
  const Plain& row = *Index().at(call.name);
  std::string valued(row.valued);
  for (const std::string_view more : {row.reads, row.writes, row.runs, row.picks}) {
    valued += ' ';
    valued += more;
  }
  const Options options = ReadOptions(WithoutPairs(call, shell), valued);
  for (const Word& file : options.Values(row.reads)) shell.Use(Access::kRead, file, call.name);
  for (const Word& file : options.Values(row.writes)) shell.Use(Access::kWrite, file, call.name);
  for (const Word& command : options.Values(row.runs)) {
    static_cast<void>(shell.RunCode(command, Flow::Unknown(), call.name));
  }
  for (const Word& glob : options.Values(row.picks)) {
    if (!glob.text().starts_with('!')) MentionPicked(glob, call, shell);
  }
  if (call.name == "dc") {
    shell.findings().DontKnow(call.name, "what it reads may run any program", "unknown-code",
                              Risk::kMedium);
  }
  const Extent extent = row.tree == "*" || options.Has(row.tree) ? Extent::kTree : Extent::kItself;
  const std::size_t skip = options.Has(row.no_skip) ? 0 : row.skip;
  // A program that goes down and is told of no place goes down from here.
  const bool here = options.operands.size() <= skip &&
                    (extent == Extent::kTree || IsOneOf(call.name, "ls dir vdir exa eza"));
  if (here && row.operands == Operands::kRead)
    shell.Use(Access::kRead, Word("."), call.name, extent);
  for (std::size_t i = skip; i < options.operands.size(); ++i) {
    const Word& operand = options.operands[i];
    if (operand.Is("-")) continue;
    if (IsOneOf(call.name, "less more") && operand.text().starts_with('+')) {
      shell.findings().DontKnow(operand.text(), "a pager can run any program", "unknown-code",
                                Risk::kHigh);
      continue;
    }
    switch (row.operands) {
      case Operands::kNone: break;
      case Operands::kRead: shell.Use(Access::kRead, operand, call.name, extent); break;
      case Operands::kWrite: shell.Use(Access::kWrite, operand, call.name, extent); break;
      case Operands::kDelete: shell.Use(Access::kDelete, operand, call.name, extent); break;
    }
  }
  if (call.name == "cat" && options.operands.empty()) return call.input;
  return options.operands.empty() ? Changed(call.input) : Flow::Unknown();
}

}  // namespace

std::vector<Family> PlainPrograms() {
  std::vector<Family> families;
  for (const Plain& row : kTable) families.push_back({row.names, RunPlain});
  return families;
}

}  // namespace cordon::shell
