#include "preview/pages.h"

#include "base/printable.h"

namespace cordon::preview {
namespace {

std::string Escaped(std::string_view text) {
  std::string safe;
  for (const char c : Printable(text)) {
    switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += c;
    }
  }
  return safe;
}

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em;"
    "color:#24292f;background:#fff}h1{font-size:1.4em}p,li{color:#57606a}"
    "@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}p,li{color:#9198a1}"
    "a{color:#4493f8}}";

struct Words {
  std::uint16_t status;
  std::string_view title;
  std::string html;  // safe already
  std::string text;
  std::optional<unsigned> reload_after = {};
};

Page Make(Words words) {
  Page page{
      words.status, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">", {}, {}};
  page.html += "<meta name=\"viewport\" content=\"width=device-width\">";
  if (words.reload_after) {
    page.html.append("<meta http-equiv=\"refresh\" content=\"");
    page.html.append(std::to_string(*words.reload_after)).append("\">");
  }
  page.html.append("<title>").append(words.title).append("</title><style>").append(kStyle);
  page.html.append("</style></head><body><h1>").append(words.title).append("</h1>");
  page.html.append(words.html).append("</body></html>\n");
  page.text.append(words.title).append(". ").append(words.text).append("\n");
  page.reload_after = words.reload_after;
  return page;
}

constexpr unsigned kLookAgain = 2;

}  // namespace

Page UnknownPage() {
  return Make({404, "There is no preview here",
               "<p>Perhaps it never was, or it is not open to you. If a link brought you here, it "
               "may have expired: open the preview from where you found it again.</p>",
               "It does not exist, or is not open to you; a link may have expired."});
}

Page StartingPage() {
  return Make({503, "The sandbox is starting",
               "<p>This page looks again by itself, and shows the preview once it is ready.</p>",
               "Try again in a moment.", kLookAgain});
}

Page PausedPage() {
  return Make({503, "The sandbox is paused",
               "<p>Its owner has paused it. The preview goes on when they resume it.</p>",
               "Its owner has paused it."});
}

Page ClosedPortPage(const SandboxId& id, std::uint16_t port,
                    const std::vector<std::uint16_t>& listening, const UrlTerms& terms) {
  std::string html = "<p>The sandbox runs, but no server listens at this port in it.</p>";
  std::string text;
  if (listening.empty()) {
    html += "<p>Nothing listens at any other port, either.</p>";
    text = "Nothing listens in the sandbox.";
  } else {
    html += "<p>These are listened on:</p><ul>";
    text = "Listened on:";
    for (const std::uint16_t one : listening) {
      const std::string number = std::to_string(one);
      html.append("<li><a href=\"").append(PreviewUrlOfPort(id, one, terms)).append("/\">");
      html.append(number).append("</a></li>");
      text.append(" ").append(number);
    }
    html += "</ul>";
    text += ".";
  }
  html += "<p>This page looks again by itself.</p>";
  const std::string title = "Nothing listens at port " + std::to_string(port);
  return Make({502, title, std::move(html), std::move(text), kLookAgain});
}

Page EndedPage(const store::Sandbox& sandbox) {
  const bool failed = sandbox.state == store::SandboxState::kFailed;
  std::string why = sandbox.message.empty() ? sandbox.reason : sandbox.message;
  if (why.empty()) why = "nobody said why";
  std::string html = "<p>Why: " + Escaped(why) + "</p>";
  if (!sandbox.reason.empty() && sandbox.reason != why) {
    html.append("<p>(").append(Escaped(sandbox.reason)).append(")</p>");
  }
  if (sandbox.memory == store::Sandbox::Memory::kRanOut) {
    html += "<p>It had run out of memory.</p>";
  }
  return Make({410, failed ? "The sandbox could not be made" : "The sandbox has ended",
               std::move(html), "Why: " + Printable(why)});
}

Page PlainPage(std::uint16_t status, std::string_view why) {
  return Make({status, ReasonPhrase(status), "<p>" + Escaped(why) + "</p>", Printable(why)});
}

std::string_view ReasonPhrase(std::uint16_t status) {
  switch (status) {
    case 303: return "See Other";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 410: return "Gone";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Error";
  }
}

}  // namespace cordon::preview
