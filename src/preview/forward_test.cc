#include "preview/forward.h"

#include <gtest/gtest.h>

namespace cordon::preview {
namespace {

std::string Forwarded(const std::string& text, RequestTerms terms = {}) {
  Request request;
  Head head;
  EXPECT_TRUE(request.ReadHead(text, head, Request::Body::kFramed));
  const auto options = Options::Of(head);
  EXPECT_TRUE(options);
  if (terms.client.empty()) terms.client = "192.0.2.7";
  if (terms.scheme.empty()) terms.scheme = "https";
  if (terms.host.empty()) terms.host = "preview-x.p.example";
  if (terms.host_inside.empty()) terms.host_inside = "localhost:5173";
  std::string out;
  AppendRequest(out, head, *options, terms);
  return out;
}

std::string Answered(const std::string& text, ReplyTerms terms = {}) {
  Reply reply;
  Head head;
  EXPECT_TRUE(reply.ReadHead(text, head, Reply::Body::kFramed));
  terms.host = "preview-x.p.example";
  terms.host_inside = "localhost:5173";
  std::string out;
  AppendReply(out, head, Options::Of(head).value(), terms);
  return out;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Forward, WhatIsForOneHopStaysHere) {
  const std::string out = Forwarded(
      "GET /a HTTP/1.1\r\nHost: preview-x.p.example\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\n"
      "Keep-Alive: 5\r\nTE: trailers\r\nTrailer: T\r\nProxy-Authorization: p\r\nProxy-Connection: "
      "k\r\n"
      "Upgrade: websocket\r\nAccept: */*\r\n\r\n");
  for (const char* gone :
       {"X-Mine", "Keep-Alive", "TE:", "Trailer", "Proxy-", "Upgrade", "close"}) {
    EXPECT_FALSE(Has(out, gone)) << gone << "\n" << out;
  }
  EXPECT_TRUE(Has(out, "GET /a HTTP/1.1\r\nHost: localhost:5173\r\n"));
  EXPECT_TRUE(Has(out, "Accept: */*\r\n"));
}

TEST(Forward, OnlyWeTellWhereARequestCameFrom) {
  const std::string out = Forwarded(
      "GET / HTTP/1.1\r\nHost: preview-x.p.example\r\nForwarded: for=evil\r\nX-Forwarded-For: "
      "evil\r\n"
      "x-forwarded-proto: evil\r\nX-Real-IP: evil\r\nProxy: evil\r\n\r\n");
  EXPECT_FALSE(Has(out, "evil"));
  EXPECT_TRUE(Has(out, "Forwarded: for=192.0.2.7;host=\"preview-x.p.example\";proto=https\r\n"));
  EXPECT_TRUE(Has(out, "X-Forwarded-For: 192.0.2.7\r\n"));
  EXPECT_TRUE(Has(out, "X-Forwarded-Host: preview-x.p.example\r\n"));
  EXPECT_TRUE(Has(out, "X-Forwarded-Proto: https\r\n"));
  RequestTerms six;
  six.client = "2001:db8::1";
  EXPECT_TRUE(Has(Forwarded("GET / HTTP/1.1\r\nHost: h\r\n\r\n", six), "for=\"[2001:db8::1]\";"));
}

TEST(Forward, OurCookiesAndTokensAreNotPassedOn) {
  const std::string out = Forwarded(
      "GET / HTTP/1.1\r\nHost: h\r\nCookie: a=1; __Host-cordon-preview=g; "
      "b=2;cordon-preview-x=g\r\n"
      "Authorization: Basic xyz\r\n\r\n");
  EXPECT_TRUE(Has(out, "Cookie: a=1; b=2\r\n")) << out;
  EXPECT_TRUE(Has(out, "Authorization: Basic xyz\r\n"));
  RequestTerms ours;
  ours.authorization = RequestTerms::Authorization::kKeep;
  const std::string kept = Forwarded(
      "GET / HTTP/1.1\r\nHost: h\r\nCookie: cordon-preview-x=g\r\nAuthorization: Bearer "
      "cordon_1\r\n\r\n",
      ours);
  EXPECT_FALSE(Has(kept, "Cookie"));
  EXPECT_FALSE(Has(kept, "Authorization"));
}

TEST(Forward, HostIsTheSameForAnUpgrade) {
  RequestTerms upgrade;
  upgrade.upgrade = "websocket";
  const std::string text =
      "GET / HTTP/1.1\r\nHost: preview-x.p.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Origin: https://preview-x.p.example\r\nSec-WebSocket-Key: k\r\n\r\n";
  const std::string out = Forwarded(text, upgrade);
  EXPECT_TRUE(Has(out, "Host: localhost:5173\r\n"));
  EXPECT_TRUE(Has(out, "Origin: http://localhost:5173\r\n"));
  EXPECT_TRUE(Has(out, "Connection: Upgrade\r\nUpgrade: websocket\r\n"));
  upgrade.host_inside = "preview-x.p.example";
  const std::string kept = Forwarded(text, upgrade);
  EXPECT_TRUE(Has(kept, "Host: preview-x.p.example\r\n"));
  EXPECT_TRUE(Has(kept, "Origin: https://preview-x.p.example\r\n"));
  EXPECT_TRUE(Has(Forwarded("GET / HTTP/1.1\r\nHost: h\r\nOrigin: https://evil.example\r\n\r\n"),
                  "Origin: https://evil.example\r\n"));
}

TEST(Forward, CookiesStayOnTheirHost) {
  const std::string out = Answered(
      "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Domain=.p.example; Path=/; domain=x\r\n"
      "Set-Cookie: __Host-cordon-preview=forged; Path=/\r\nSet-Cookie: CORDON-preview-y=z\r\n"
      "Set-Cookie: b=2; HttpOnly\r\nContent-Length: 0\r\n\r\n");
  EXPECT_TRUE(Has(out, "Set-Cookie: a=1; Path=/\r\n")) << out;
  EXPECT_TRUE(Has(out, "Set-Cookie: b=2; HttpOnly\r\n"));
  EXPECT_FALSE(Has(out, "forged"));
  EXPECT_FALSE(Has(out, "preview-y"));
}

TEST(Forward, FramesAreForDashboards) {
  ReplyTerms terms;
  terms.frame_ancestors = "'self' https://dash.example";
  const std::string out =
      Answered("HTTP/1.1 200 OK\r\nX-Frame-Options: DENY\r\nContent-Length: 0\r\n\r\n", terms);
  EXPECT_TRUE(Has(out, "Content-Security-Policy: frame-ancestors 'self' https://dash.example\r\n"));
  EXPECT_FALSE(Has(out, "X-Frame-Options"));
}

TEST(Forward, RedirectsLeadToWhatTheVisitorSees) {
  const auto location = [](const std::string& to) {
    return Answered("HTTP/1.1 302 F\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n");
  };
  EXPECT_TRUE(Has(location("http://localhost:5173/a?b"), "Location: /a?b\r\n"));
  EXPECT_TRUE(Has(location("http://localhost:5173"), "Location: /\r\n"));
  EXPECT_TRUE(Has(location("http://localhost:51730/a"), "Location: http://localhost:51730/a\r\n"));
  EXPECT_TRUE(Has(location("https://elsewhere/"), "Location: https://elsewhere/\r\n"));
  EXPECT_TRUE(Has(location("/x"), "Location: /x\r\n"));
}

TEST(Forward, RepliesAreFramedAnew) {
  ReplyTerms chunks;
  chunks.framing = ReplyTerms::Framing::kChunks;
  EXPECT_TRUE(Has(Answered("HTTP/1.1 200 OK\r\n\r\n", chunks), "Transfer-Encoding: chunked\r\n"));
  ReplyTerms close;
  close.framing = ReplyTerms::Framing::kUntilClose;
  close.afterwards = ReplyTerms::Afterwards::kClose;
  const std::string out = Answered(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n", close);
  EXPECT_FALSE(Has(out, "chunked"));
  EXPECT_TRUE(Has(out, "Connection: close\r\n"));
}

}  // namespace
}  // namespace cordon::preview
