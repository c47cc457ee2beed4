#include "preview/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <limits>

#include "base/try.h"

namespace cordon::preview {
namespace {

constexpr std::size_t kRecord = std::size_t{16} << 10;

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct FreeSession {
  void operator()(SSL* session) const { SSL_free(session); }
};
struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Context = std::unique_ptr<SSL_CTX, FreeContext>;
using Bio = std::unique_ptr<BIO, FreeBio>;
using Certificate = std::unique_ptr<X509, FreeCertificate>;

Error NoIdentity(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "tls";
  error.detail = std::move(detail);
  return error;
}

Bio BytesOf(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(std::min<std::size_t>(
                                              text.size(), std::numeric_limits<int>::max()))));
}

// Without a terminal: a key that needs a passphrase is none.
int NoPassphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) { return 0; }

Status UseChain(SSL_CTX& context, const std::string& chain) {
  const Bio bytes = BytesOf(chain);
  const Certificate first(PEM_read_bio_X509(bytes.get(), nullptr, NoPassphrase, nullptr));
  if (!first || SSL_CTX_use_certificate(&context, first.get()) != 1) {
    return NoIdentity("there is no certificate in it");
  }
  while (true) {
    Certificate next(PEM_read_bio_X509(bytes.get(), nullptr, NoPassphrase, nullptr));
    if (!next) break;
    if (SSL_CTX_add1_chain_cert(&context, next.get()) != 1) {
      return NoIdentity("the chain of certificates is not usable");
    }
  }
  ERR_clear_error();  // of having come to the end
  return {};
}

int ChooseProtocol(SSL* /*session*/, const unsigned char** chosen, unsigned char* size,
                   const unsigned char* offered, unsigned int offered_size, void* /*data*/) {
  static constexpr std::array<unsigned char, 9> kOurs = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kOurs.data(), kOurs.size(), offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

class TlsWire final : public Wire {
 public:
  TlsWire(Socket socket, SSL* session) : Wire(std::move(socket)), session_(session) {}

  // Until nothing is left, so that whoever waits for the socket misses nothing.
  Moved Read(std::span<char> into) override {
    std::size_t total = 0;
    while (total < into.size()) {
      std::size_t count = 0;
      ERR_clear_error();
      if (SSL_read_ex(session_.get(), into.data() + total, into.size() - total, &count) == 1) {
        total += count;
        continue;
      }
      if (total > 0) break;  // what else there is is told the next time
      return Failed(0);
    }
    return {State::kMoved, total};
  }

  Moved Write(std::span<const std::string_view> pieces) override {
    std::size_t total = 0;
    std::size_t size = 0;
    for (const std::string_view piece : pieces) size += piece.size();
    if (pieces.size() > 1 && size <= kRecord) {
      // One record instead of many small ones.
      std::array<char, kRecord> whole;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled
      char* end = whole.data();
      for (const std::string_view piece : pieces) end = std::copy(piece.begin(), piece.end(), end);
      const std::string_view joined(whole.data(), size);
      return WriteOne(joined);
    }
    for (const std::string_view piece : pieces) {
      if (piece.empty()) continue;
      const Moved moved = WriteOne(piece);
      if (moved.state != State::kMoved) {
        return total > 0 && moved.state != State::kBroken ? Moved{State::kMoved, total} : moved;
      }
      total += moved.count;
      if (moved.count < piece.size()) break;
    }
    return {State::kMoved, total};
  }

  void Finish() override {
    ERR_clear_error();
    static_cast<void>(SSL_shutdown(session_.get()));
    boost::system::error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }

  bool holds_more() const override { return SSL_has_pending(session_.get()) == 1; }

 private:
  Moved WriteOne(std::string_view piece) {
    if (piece.empty()) return {State::kMoved, 0};
    std::size_t count = 0;
    ERR_clear_error();
    if (SSL_write_ex(session_.get(), piece.data(), piece.size(), &count) == 1) {
      return {State::kMoved, count};
    }
    return Failed(0);
  }

  Moved Failed(int returned) {
    switch (SSL_get_error(session_.get(), returned)) {
      case SSL_ERROR_WANT_READ: return {State::kWantRead, 0};
      case SSL_ERROR_WANT_WRITE: return {State::kWantWrite, 0};
      case SSL_ERROR_ZERO_RETURN: return {State::kEnded, 0};
      default: return {State::kBroken, 0};
    }
  }

  const std::unique_ptr<SSL, FreeSession> session_;
};

}  // namespace

struct TlsIdentity::State {
  Context context;
};

TlsIdentity::TlsIdentity(std::unique_ptr<State> state) : state_(std::move(state)) {}
TlsIdentity::~TlsIdentity() = default;

Result<std::shared_ptr<TlsIdentity>> TlsIdentity::Make(const std::string& chain,
                                                       const std::string& key) {
  auto state = std::make_unique<State>();
  state->context.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* const context = state->context.get();
  if (context == nullptr) return NoIdentity("the library gives none");
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(
      context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context, ChooseProtocol, nullptr);
  TRY(UseChain(*context, chain));
  const Bio bytes = BytesOf(key);
  const std::unique_ptr<EVP_PKEY, FreeKey> secret(
      PEM_read_bio_PrivateKey(bytes.get(), nullptr, NoPassphrase, nullptr));
  if (!secret || SSL_CTX_use_PrivateKey(context, secret.get()) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    ERR_clear_error();
    return NoIdentity("the key is not the certificate's, or is none");
  }
  return std::shared_ptr<TlsIdentity>(new TlsIdentity(std::move(state)));
}

std::unique_ptr<Wire> TlsIdentity::Accept(Wire::Socket socket) const {
  std::unique_ptr<SSL, FreeSession> session(SSL_new(state_->context.get()));
  boost::system::error_code failed;
  socket.non_blocking(true, failed);
  socket.native_non_blocking(true, failed);
  boost::system::error_code ignored;
  socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  socket.set_option(boost::asio::socket_base::keep_alive(true), ignored);
  if (failed || !session || SSL_set_fd(session.get(), socket.native_handle()) != 1) return nullptr;
  SSL_set_accept_state(session.get());
  return std::make_unique<TlsWire>(std::move(socket), session.release());
}

}  // namespace cordon::preview
