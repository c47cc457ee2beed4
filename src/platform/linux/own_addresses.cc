#include "platform/own_addresses.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<std::vector<OwnAddress>> OwnAddresses() {
  ifaddrs* found = nullptr;
  if (::getifaddrs(&found) != 0) return ErrorFromErrno("getifaddrs", errno);
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(found, &::freeifaddrs);
  std::vector<OwnAddress> addresses;
  for (const ifaddrs* one = all.get(); one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr) continue;
    OwnAddress address;
    if (one->ifa_addr->sa_family == AF_INET) {
      const auto* four = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
      std::memcpy(address.bytes.data(), &four->sin_addr, sizeof four->sin_addr);
    } else if (one->ifa_addr->sa_family == AF_INET6) {
      const auto* six = reinterpret_cast<const sockaddr_in6*>(one->ifa_addr);
      address.version = IpVersion::k6;
      std::memcpy(address.bytes.data(), &six->sin6_addr, sizeof six->sin6_addr);
    } else {
      continue;
    }
    addresses.push_back(address);
  }
  return addresses;
}

}  // namespace cordon::platform
