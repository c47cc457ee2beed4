#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/try.h"
#include "net/egress_address.h"
#include "net/egress_proxy.h"
#include "platform/own_addresses.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;

EgressWorld::Addresses ResolveBySystem(const std::string& name) {
  asio::io_context io;
  asio::ip::tcp::resolver resolver(io);
  boost::system::error_code failed;
  const auto found = resolver.resolve(name, "", failed);
  if (failed) {
    Error error;
    error.code = ErrorCode::kNotFound;
    error.op = "resolve";
    error.detail = failed.message();
    return error;
  }
  std::vector<policy::IpAddress> addresses;
  for (const auto& entry : found) {
    const policy::IpAddress address = FromAsio(entry.endpoint().address());
    if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) {
      addresses.push_back(address);
    }
  }
  return addresses;
}

EgressWorld::Addresses AddressesOfInterfaces() {
  TRY_ASSIGN(const std::vector<platform::OwnAddress> own, platform::OwnAddresses());
  std::vector<policy::IpAddress> addresses;
  for (const platform::OwnAddress& one : own) {
    const bool six = one.version == platform::IpVersion::k6;
    addresses.push_back({six ? policy::IpVersion::k6 : policy::IpVersion::k4, one.bytes});
  }
  return addresses;
}

}  // namespace

EgressWorld SystemEgressWorld() { return {ResolveBySystem, AddressesOfInterfaces}; }

}  // namespace cordon::net
