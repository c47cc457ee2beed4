// Programs that talk to other machines.
#include <algorithm>
#include <string_view>

#include "base/percent.h"
#include "shell/mentions.h"
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

// The name a URL's file gets when it is kept.
Word LastPart(const Word& url) {
  const std::string& text = url.text();
  const std::size_t end = std::min(text.find_first_of("?#"), text.size());
  const std::size_t scheme = text.find("://");
  const std::size_t from = scheme == std::string::npos ? 0 : scheme + 3;
  const std::size_t slash = end == 0 ? std::string::npos : text.rfind('/', end - 1);
  if (slash == std::string::npos || slash < from || slash + 1 >= end) return Word("index.html");
  return url.Sub(slash + 1, end - slash - 1);
}

Word Inside(const std::vector<Word>& folders, const Word& name) {
  if (folders.empty()) return name;
  Word made = folders.back();
  made.Add('/', Mark::kLiteral);
  made.Add(name);
  return made;
}

bool IsOneIn(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// "file://host/a%20b" is a file of this machine; {a,b} and [1-3] name several.
void UseFileOf(const Word& url, const Call& call, Interpreter& shell) {
  if (!IsOneIn(std::string_view(url.text()).substr(0, 5), "file:")) return;
  Word path = url.Sub(5);
  if (path.text().starts_with("//")) {
    const std::size_t slash = path.text().find('/', 2);
    if (slash == std::string::npos) return;
    path = path.Sub(slash);
  }
  if (path.exact() && path.text().find('%') != std::string::npos) {
    const Result<std::string> decoded = PercentDecode(path.text());
    path = decoded ? Word(*decoded) : Word::Unknown(path.text());
  }
  Word whole;
  int depth = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char byte = path.text()[i];
    if (byte == '{' || byte == '[') {
      if (depth++ == 0) whole.Add('*', Mark::kGlob);
    } else if (byte == '}' || byte == ']') {
      depth = std::max(0, depth - 1);
    } else if (depth == 0) {
      whole.Add(byte, path.mark(i));
    }
  }
  shell.Use(Access::kRead, whole, call.name);
  if (!whole.exact()) shell.Mention(Access::kRead, WithDots(whole), call.name);
}

Flow Curl(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments,
      "-o -d -F -T -H -X -u -A -b -c -e -K -m -x -w -r -D -E -z -C -Y -y -t -U -Q -P --output "
      "--data --data-raw --data-binary --data-ascii --data-urlencode --json --form --upload-file "
      "--header --request --user --user-agent --cookie --cookie-jar --referer --config --max-time "
      "--proxy --write-out --range --dump-header --cert --key --cacert --output-dir --url "
      "--connect-timeout --retry --retry-delay --resolve --unix-socket --trace --trace-ascii "
      "--stderr --netrc-file --interface --limit-rate --max-filesize --etag-save --etag-compare "
      "--variable --url-query --data-urlencode --form-string --hostpubsha256 --proxy-cacert "
      "--proxy-cert --proxy-key --crlfile --pinnedpubkey --random-file --egd-file --alt-svc "
      "--hsts");
  std::vector<Word> urls = options.operands;
  for (const Word& url : options.Values("--url")) urls.push_back(url);
  for (const Word& url : urls) {
    shell.Connect(url, call.name);
    UseFileOf(url, call, shell);
  }
  for (const Word& file :
       options.Values("-o -c -D --output --cookie-jar --dump-header --trace --trace-ascii --stderr "
                      "--etag-save")) {
    if (file.Is("-")) continue;
    shell.Use(Access::kWrite, file, call.name);
  }
  const std::vector<Word> folders = options.Values("--output-dir");
  const bool kept = options.Has("-O --remote-name --remote-name-all");
  for (const Word& url : urls) {
    if (kept) shell.Use(Access::kWrite, Inside(folders, LastPart(url)), call.name);
  }
  for (const Word& file :
       options.Values("-T -K -E --upload-file --config --cert --key --cacert --netrc-file "
                      "--etag-compare --proxy-cacert --proxy-cert --proxy-key --crlfile")) {
    if (!file.Is("-")) shell.Use(Access::kRead, file, call.name);
  }
  if (options.Has("-K --config")) {
    shell.findings().DontKnow(call.name, "its configuration file may tell it anything",
                              "unknown-code", Risk::kHigh);
  }
  for (const Word& data :
       options.Values("-d --data --data-binary --data-ascii --json -H --header")) {
    if (data.text().starts_with('@')) shell.Use(Access::kRead, data.Sub(1), call.name);
  }
  for (const Word& data : options.Values("-F --form --data-urlencode --variable --url-query")) {
    const std::size_t at = data.text().find_first_of("@<");
    if (at == std::string::npos) continue;
    const std::size_t end = data.text().find(';', at);
    shell.Use(Access::kRead, data.Sub(at + 1, end == std::string::npos ? end : end - at - 1),
              call.name);
  }
  for (const Word& cookies : options.Values("-b --cookie")) {
    if (cookies.text().find('=') == std::string::npos) {
      shell.Use(Access::kRead, cookies, call.name);
    }
  }
  if (urls.empty()) shell.Connect(Word(), call.name);
  return kept || options.Has("-o --output") ? Flow() : Flow::Network();
}

Flow Wget(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments,
      "-O -o -a -i -P -U -t -T -e -Q -A -R -D -I -X -l -w --output-document --output-file "
      "--append-output --input-file --directory-prefix --user-agent --tries --timeout --execute "
      "--header --post-data --post-file --body-file --body-data --load-cookies --save-cookies "
      "--user --password --referer --level --wait --accept --reject --use-askpass --certificate");
  for (const Word& url : options.operands) {
    shell.Connect(url, call.name);
    UseFileOf(url, call, shell);
  }
  if (options.operands.empty()) shell.Connect(Word(), call.name);
  for (const Word& file : options.Values("-o -a --output-file --append-output --save-cookies")) {
    shell.Use(Access::kWrite, file, call.name);
  }
  for (const Word& file :
       options.Values("-i --input-file --post-file --body-file --load-cookies --certificate")) {
    shell.Use(Access::kRead, file, call.name);
  }
  for (const Word& command : options.Values("--use-askpass")) {
    static_cast<void>(shell.RunCode(command, Flow::Unknown(), call.name));
  }
  const std::vector<Word> documents = options.Values("-O --output-document");
  if (!documents.empty()) {
    if (documents.back().Is("-")) return Flow::Network();
    shell.Use(Access::kWrite, documents.back(), call.name);
    return {};
  }
  const std::vector<Word> folders = options.Values("-P --directory-prefix");
  if (options.Has("-r -m -p --recursive --mirror --page-requisites")) {
    shell.Use(Access::kWrite, folders.empty() ? Word(".") : folders.back(), call.name,
              Extent::kTree);
    return {};
  }
  if (options.Has("--spider")) return {};
  for (const Word& url : options.operands) {
    shell.Use(Access::kWrite, Inside(folders, LastPart(url)), call.name);
  }
  return {};
}

Flow Ssh(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments, "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
      Order::kOperandsEnd);
  if (!options.operands.empty()) shell.Connect(options.operands[0], call.name);
  for (const Word& file : options.Values("-i -F")) shell.Use(Access::kRead, file, call.name);
  for (const Word& file : options.Values("-E")) shell.Use(Access::kWrite, file, call.name);
  for (const Word& setting : options.Values("-o")) {
    const std::size_t value = setting.text().find_first_of("= ");
    if (!IsOneIn(setting.text(), "command") || value == std::string::npos) continue;
    shell.findings().DontKnow(setting.text(), "this setting may run a program", "unknown-code",
                              Risk::kHigh);  // ProxyCommand, LocalCommand
    static_cast<void>(shell.Apart(
        [&] { return shell.RunCode(setting.Sub(value + 1), Flow::Network(), call.name); }));
  }
  for (const Word& file : options.Values("-F")) {
    shell.findings().DontKnow(file.text(), "its settings may run a program", "unknown-code",
                              Risk::kHigh);
  }
  // With no command it is a shell there that reads what comes in here.
  if (options.operands.size() > 1 || call.input.kind != Flow::Kind::kNothing) {
    shell.findings().Because(Risk::kHigh, "runs-elsewhere",
                             call.name + " runs commands on another machine");
  }
  return Flow::Network();
}

Flow Netcat(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments, "-e -c -p -s -w -i -q -x -X -I -O -T -o --exec --sh-exec", Order::kAnywhere);
  Word target;
  for (const Word& operand : options.operands) {
    if (!target.empty()) target.Add(':', Mark::kLiteral);
    target.Add(operand);
  }
  shell.Connect(target, call.name);
  for (const Word& command : options.Values("-e -c --exec --sh-exec")) {
    shell.findings().Because(Risk::kHigh, "serves-shell",
                             call.name + " lets another machine use a program");
    static_cast<void>(
        shell.Apart([&] { return shell.RunCode(command, Flow::Network(), call.name); }));
  }
  return Flow::Network();
}

// Those whose operands are hosts, and that is all.
Flow Asks(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-c -i -p -t -W -w -s -m -q -f -I -b -x");
  const bool shows_files = IsOneOf(call.name, "lynx links elinks w3m");
  const bool sends_files = IsOneOf(call.name, "http https xh xhs httpie");
  for (const Word& host : options.operands) {
    shell.Connect(host, call.name);
    UseFileOf(host, call, shell);
    const std::string& text = host.text();
    const std::size_t at = text.find('@');
    if (shows_files && text.find("://") == std::string::npos) {
      shell.Use(Access::kRead, host, call.name);
    } else if (sends_files && at != std::string::npos && text.find("://") == std::string::npos) {
      // @file, name@file, name=@file, name:=@file; a type may follow.
      shell.Use(Access::kRead, host.Sub(at + 1, text.find(';', at) - at - 1), call.name);
    }
  }
  if (options.operands.empty()) shell.Connect(Word(), call.name);
  return Flow::Network();
}

// Those that say too much in too many ways.
Flow Anything(const Call& call, Interpreter& shell) {
  shell.Connect(Word(), call.name);
  shell.findings().DontKnow(call.name, "what it does elsewhere is not known", "unknown-program",
                            Risk::kHigh);
  return Flow::Network();
}

}  // namespace

std::vector<Family> NetworkPrograms() {
  return {{"curl", Curl},
          {"wget wget2", Wget},
          {"ssh mosh autossh", Ssh},
          {"nc ncat netcat telnet", Netcat},
          {"ping ping6 dig host nslookup traceroute tracepath whois mtr nmap ftp tftp lynx links "
           "elinks "
           "w3m http https xh xhs httpie sftp",
           Asks},
          {"socat docker podman kubectl helm aws gcloud az terraform ansible ansible-playbook "
           "vagrant rclone openssl gh glab heroku fly vercel",
           Anything}};
}

}  // namespace cordon::shell
