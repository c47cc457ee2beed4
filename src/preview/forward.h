// The heads that are passed on, in both directions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "preview/message.h"
#include "preview/request_check.h"

namespace cordon::preview {

struct RequestTerms {
  std::string_view client;  // address of who asks
  std::string_view scheme;  // "http" or "https", as the visitor sees it
  std::string_view host;    // as the visitor sees it
  // What the server inside is told as Host. The same for requests and upgrades. If it is not
  // `host`, an Origin of the preview's own becomes this one's, so that both still agree.
  std::string_view host_inside;
  std::string_view upgrade;  // "": none
  // Whether Authorization was meant for us.
  enum class Authorization { kPassOn, kKeep } authorization = Authorization::kPassOn;
};

// Appends the head for the server inside. Not passed on: what is for one hop alone, our cookies,
// what others might have said about the way of the request.
void AppendRequest(std::string& text, const Head& head, const Options& options,
                   const RequestTerms& terms);

struct ReplyTerms {
  enum class Framing { kAsItWas, kChunks, kUntilClose } framing = Framing::kAsItWas;
  enum class Afterwards { kSilent, kKeepAlive, kClose } afterwards = Afterwards::kSilent;
  std::string_view frame_ancestors;    // "'self' https://dashboard.example.com"
  std::string_view host, host_inside;  // as in RequestTerms
  std::string_view upgrade;            // of a 101
};

// Appends the head for the visitor. Cookies are made this host's own, ours cannot be set, and what
// says who may frame the page is added to.
void AppendReply(std::string& text, const Head& head, const Options& options,
                 const ReplyTerms& terms);

}  // namespace cordon::preview
