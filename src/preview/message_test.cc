#include "preview/message.h"

#include <gtest/gtest.h>

#include "preview/request_check.h"

namespace cordon::preview {
namespace {

bool IsGood(const std::string& text) {
  Request request;
  Head head;
  if (!request.ReadHead(text, head, Request::Body::kFramed)) return false;
  return !CheckRequest(head) && Options::Of(head);
}

TEST(Message, ReadsAHead) {
  Request request;
  Head head;
  ASSERT_TRUE(
      request.ReadHead("POST /a?b HTTP/1.1\r\nHost: h\r\nX-Y:  z \r\nContent-Length: 3\r\n\r\nabc",
                       head, Request::Body::kFramed));
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.target, "/a?b");
  ASSERT_EQ(head.fields.size(), 3u);
  EXPECT_EQ(head.fields[1].value, "z");
  std::vector<std::string_view> pieces;
  EXPECT_EQ(request.Take("abcGET", pieces).count, 3u);
  EXPECT_TRUE(request.is_done());
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0], "abc");
}

TEST(Message, RefusesWhatTwoReadersReadDifferently) {
  const std::string get = "GET / HTTP/1.1\r\n";
  const std::string host = "Host: h\r\n";
  EXPECT_TRUE(IsGood(get + host + "\r\n"));
  EXPECT_TRUE(IsGood("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"));
  for (const std::string& bad : {
           get + "\r\n",                                                   // no Host
           get + host + host + "\r\n",                                     // two
           get + host + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",  //
           get + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",  //
           get + host + "Content-Length: 1, 1\r\n\r\n",                    //
           get + host + "Content-Length: +1\r\n\r\n",                      //
           get + host + "Content-Length: 0x1\r\n\r\n",                     //
           get + host + "Content-Length: \r\n\r\n",                        //
           get + host + "Content-Length: 18446744073709551616\r\n\r\n",    //
           get + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
           get + host + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
           get + host + "Transfer-Encoding: gzip, chunked\r\n\r\n",      //
           get + host + "Transfer-Encoding: chunked, identity\r\n\r\n",  //
           get + host + "Transfer-Encoding: xchunked\r\n\r\n",           //
           get + host +
               "Transfer-Encoding: \x0b"
               "chunked\r\n\r\n",  //
           get + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
           get + host + "Transfer-Encoding : chunked\r\n\r\n",  // blank before colon
           get + host + "X: a\r\n b\r\n\r\n",                   // folded
           get + host + "X: a\r\n\tb\r\n\r\n",                  //
           get + host + " X: a\r\n\r\n",                        //
           get + host + "X: a\rb\r\n\r\n",                      // bare CR
           get + host + "X: a\nY: b\r\n\r\n",                   // bare LF
           get + host + std::string("X: a\0b\r\n\r\n", 11),     // NUL
           get + host + "X\x01: a\r\n\r\n",                     //
           get + host + ": a\r\n\r\n",                          //
           get + host + "X\r\n\r\n",                            //
           "GET http://h/ HTTP/1.1\r\n" + host + "\r\n",        // absolute
           "GET h HTTP/1.1\r\n" + host + "\r\n",                //
           "GET * HTTP/1.1\r\n" + host + "\r\n",                //
           "GET /a#b HTTP/1.1\r\n" + host + "\r\n",             //
           "GET /a b HTTP/1.1\r\n" + host + "\r\n",             //
           "GET  / HTTP/1.1\r\n" + host + "\r\n",               //
           "GET / HTTP/1.1 \r\n" + host + "\r\n",               //
           "GET / HTTP/2.0\r\n" + host + "\r\n",                //
           "GET / HTTP/0.9\r\n" + host + "\r\n",                //
           "GET / http/1.1\r\n" + host + "\r\n",                //
           "GET /\r\n" + host + "\r\n",                         //
           "CONNECT h:80 HTTP/1.1\r\n" + host + "\r\n",         //
           "TRACE / HTTP/1.1\r\n" + host + "\r\n",              //
           "\r\nGET / HTTP/1.1\r\n" + host + "\r\n",            //
           "GET / HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n",
           get + host + "Connection: Content-Length\r\n\r\n",  //
           get + host + "Connection: close, hOsT\r\n\r\n",     //
           get + host + "Expect: 200-ok\r\n\r\n",              //
       }) {
    EXPECT_FALSE(IsGood(bad)) << bad;
  }
}

std::string Content(const std::string& chunked, std::size_t piece) {
  Request request;
  Head head;
  EXPECT_TRUE(request.ReadHead("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
                               head, Request::Body::kFramed));
  std::string raw, content;
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at < chunked.size() && !request.is_done(); at += piece) {
    raw += chunked.substr(at, piece);
    pieces.clear();
    const auto took = request.Take(raw, pieces);
    for (const auto one : pieces) content += one;
    if (!took.good) return "bad";
    raw.erase(0, took.count);
  }
  return request.is_done() ? content : "more";
}

TEST(Message, ChunksInAnyPieces) {
  const std::string body = "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: v\r\n\r\n";
  for (std::size_t piece = 1; piece <= body.size(); ++piece) {
    EXPECT_EQ(Content(body, piece), "abc0123456789") << piece;
  }
}

TEST(Message, RefusesBadChunks) {
  for (const char* bad : {"x\r\nabc\r\n0\r\n\r\n", "3\nabc\r\n0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n",
                          "-1\r\na\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n",
                          "3 \r\nabc\r\n0\r\n\r\n", "fffffffffffffffff\r\nabc\r\n0\r\n\r\n",
                          "\r\n0\r\n\r\n", "3\r\nabc\n\n0\r\n\r\n", "+3\r\nabc\r\n0\r\n\r\n"}) {
    EXPECT_EQ(Content(bad, 1000), "bad") << bad;
  }
}

TEST(Message, RepliesEndAsTheySay) {
  Head head;
  std::vector<std::string_view> pieces;
  Reply counted;
  ASSERT_TRUE(
      counted.ReadHead("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", head, Reply::Body::kFramed));
  counted.Take("a", pieces);
  EXPECT_FALSE(counted.End());
  Reply endless;
  ASSERT_TRUE(endless.ReadHead("HTTP/1.1 200 OK\r\n\r\n", head, Reply::Body::kFramed));
  endless.Take("a", pieces);
  EXPECT_FALSE(endless.is_done());
  EXPECT_TRUE(endless.End());
  Reply to_head;
  ASSERT_TRUE(
      to_head.ReadHead("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", head, Reply::Body::kNone));
  EXPECT_TRUE(to_head.is_done());
}

TEST(Message, UpgradesAreCheckedOnBothSides) {
  const auto wanted = [](const std::string& fields) -> std::optional<std::string> {
    Request request;
    Head head;
    const std::string text = "GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
    EXPECT_TRUE(request.ReadHead(text, head, Request::Body::kFramed));
    const auto found = WantedUpgrade(head, Options::Of(head).value());
    return found ? std::optional<std::string>(*found) : std::nullopt;
  };
  EXPECT_EQ(wanted("Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"), "websocket");
  EXPECT_FALSE(wanted("Upgrade: websocket\r\n"));
  EXPECT_FALSE(wanted("Connection: Upgrade\r\nUpgrade: h2c\r\n"));
  EXPECT_FALSE(wanted("Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n"));
  EXPECT_FALSE(wanted("Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n"));
  EXPECT_FALSE(wanted("Connection: Upgrade\r\n"));
  Reply reply;
  Head head;
  ASSERT_TRUE(reply.ReadHead("HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: WebSocket\r\n\r\n",
                             head, Reply::Body::kFramed));
  EXPECT_TRUE(IsUpgradedTo(head, Options::Of(head).value(), "websocket"));
  EXPECT_FALSE(IsUpgradedTo(head, Options::Of(head).value(), "other"));
}

}  // namespace
}  // namespace cordon::preview
