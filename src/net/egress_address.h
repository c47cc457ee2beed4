// Addresses between the rules and the network library.
#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>

#include "policy/ip_address.h"

namespace cordon::net {

inline policy::IpAddress FromAsio(const boost::asio::ip::address& address) {
  if (address.is_v6()) return policy::IpAddress::V6(address.to_v6().to_bytes());
  const auto bytes = address.to_v4().to_bytes();
  return policy::IpAddress::V4(bytes[0], bytes[1], bytes[2], bytes[3]);
}

inline boost::asio::ip::address ToAsio(const policy::IpAddress& address) {
  if (address.version == policy::IpVersion::k6) return boost::asio::ip::address_v6(address.bytes);
  return boost::asio::ip::address_v4(
      {address.bytes[0], address.bytes[1], address.bytes[2], address.bytes[3]});
}

}  // namespace cordon::net
