#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "base/base64.h"
#include "tools/dialect/data_fields.h"
#include "tools/dialect/js_text.h"
#include "tools/dialect/mcp_texts.h"
#include "tools/dialect/node_failure.h"
#include "tools/path_text.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

// The server goes by the name's end, whatever the bytes are.
struct Ending {
  std::string_view end, mime_type;
};
constexpr std::array<Ending, 11> kEndings{{{".png", "image/png"},
                                           {".jpg", "image/jpeg"},
                                           {".jpeg", "image/jpeg"},
                                           {".gif", "image/gif"},
                                           {".webp", "image/webp"},
                                           {".bmp", "image/bmp"},
                                           {".svg", "image/svg+xml"},
                                           {".mp3", "audio/mpeg"},
                                           {".wav", "audio/wav"},
                                           {".ogg", "audio/ogg"},
                                           {".flac", "audio/flac"}}};

std::string_view MimeTypeByName(std::string_view path) {
  std::string lower(path);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = std::ranges::find_if(
      kEndings, [&](const Ending& ending) { return lower.ends_with(ending.end); });
  return found == kEndings.end() ? "application/octet-stream" : found->mime_type;
}

std::string WithMark(const json::object& data) {
  const bool marked = FlagIn(data, "byte_order_mark") && NumberIn(data, "start_line") <= 1;
  std::string text;
  if (marked) text += kByteOrderMark;
  text += TextIn(data, "content");
  return text;
}

}  // namespace

json::object ContentData(const Answer&, const Scene& scene, std::string_view text) {
  json::object data(scene.memory);
  data.emplace("content", text);
  return data;
}

std::string McpContent(const Answer& ours, const Scene& scene) {
  std::string text = WithMark(ours.data);
  if (const std::int64_t tail = scene.given.IntegerOr("tail", 0); tail > 0) {
    return LastLines(WithPlainLineEnds(text), static_cast<std::size_t>(tail));
  }
  // The first lines come without the newline behind the last of them.
  if (scene.given.IntegerOr("head", 0) > 0 && text.ends_with('\n')) text.pop_back();
  return text;
}

std::string McpFiles(const Answer& ours, const Scene& scene) {
  std::string text;
  for (const json::value& one : ListIn(ours.data, "files")) {
    const json::object& file = one.as_object();
    const std::string path(TextIn(file, "path"));
    if (!text.empty()) text += "\n---\n";
    if (!file.contains("error")) {
      text += path + ":\n" + WithMark(file) + "\n";
      continue;
    }
    const std::string sentence = NodeSentence(CodeNamed(TextIn(file, "error")), path, scene);
    text +=
        path + ": Error - " + (sentence.empty() ? std::string(TextIn(file, "message")) : sentence);
  }
  for (const json::value& path : ListIn(ours.data, "left_out")) {
    text += "\n---\n" + std::string(path.as_string()) +
            ": Error - left out: 10 MiB are told at once; read it in another call";
  }
  return text;
}

std::string NoText(const Answer&, const Scene&) { return {}; }

json::object McpMedia(const Answer& ours, const Scene& scene, std::string_view) {
  const std::string& path = scene.given.Text("path");
  const std::string_view mime_type = MimeTypeByName(path);
  const std::string bytes =
      ours.attachments.empty() ? std::string() : Base64Encode(ours.attachments.front().bytes);
  json::object block;
  if (mime_type.starts_with("image/") || mime_type.starts_with("audio/")) {
    block = {{"type", mime_type.substr(0, mime_type.find('/'))},
             {"data", bytes},
             {"mimeType", mime_type}};
  } else {
    block = {{"type", "resource"},
             {"resource",
              {{"uri", FileUrl(AbsoluteText(scene.boundary, path))},
               {"mimeType", mime_type},
               {"blob", bytes}}}};
  }
  return {{"content", json::array{std::move(block)}}};
}

}  // namespace cordon::tools::dialect
