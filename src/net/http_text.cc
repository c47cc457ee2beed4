#include "net/http_text.h"

#include <array>
#include <charconv>

#include "net/ascii.h"

namespace cordon::net {
namespace {

std::string_view Reason(std::uint16_t status) {
  switch (status) {
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "Answer";
  }
}

void AppendField(std::string& text, std::string_view name, std::string_view value) {
  text += name;
  text += ": ";
  for (const char byte : value) text += byte == '\r' || byte == '\n' || byte == '\0' ? ' ' : byte;
  text += "\r\n";
}

void AppendTwoDigits(std::string& text, unsigned number) {
  text += static_cast<char>('0' + number / 10 % 10);
  text += static_cast<char>('0' + number % 10);
}

}  // namespace

std::string DateText(std::chrono::system_clock::time_point time) {
  constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                     "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  std::string text(kDays[std::chrono::weekday(day).c_encoding()]);
  text += ", ";
  AppendTwoDigits(text, static_cast<unsigned>(date.day()));
  text += ' ';
  text += kMonths[(static_cast<unsigned>(date.month()) - 1) % kMonths.size()];
  text += ' ';
  text += std::to_string(static_cast<int>(date.year()));
  text += ' ';
  AppendTwoDigits(text, static_cast<unsigned>(clock.hours().count()));
  text += ':';
  AppendTwoDigits(text, static_cast<unsigned>(clock.minutes().count()));
  text += ':';
  AppendTwoDigits(text, static_cast<unsigned>(clock.seconds().count()));
  text += " GMT";
  return text;
}

std::string HeadText(const HttpResponse& response, const HeadTerms& terms) {
  std::string text = "HTTP/1.1 ";
  text += std::to_string(response.status);
  text += ' ';
  text += Reason(response.status);
  text += "\r\n";
  AppendField(text, "Date", DateText(terms.now));
  for (const auto& [name, value] : response.fields.all()) AppendField(text, name, value);
  if (terms.framing == Framing::kChunks) AppendField(text, "Transfer-Encoding", "chunked");
  if (terms.framing == Framing::kLength && response.status != 204) {
    AppendField(text, "Content-Length", std::to_string(response.body.size()));
  }
  AppendField(text, "Connection",
              terms.afterwards == Afterwards::kKeepAlive ? "keep-alive" : "close");
  text += "\r\n";
  return text;
}

std::string ChunkText(std::string_view piece) {
  std::array<char, 16> size = {};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), piece.size(), 16).ptr;
  std::string text(size.data(), end);
  text += "\r\n";
  text += piece;
  text += "\r\n";
  return text;
}

HttpResponse PlainAnswer(std::uint16_t status, std::string_view why) {
  HttpResponse response;
  response.status = status;
  response.fields.Add("Content-Type", "text/plain; charset=utf-8");
  response.body = std::string(why) + "\n";
  return response;
}

}  // namespace cordon::net
