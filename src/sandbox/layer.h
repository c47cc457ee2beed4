// The things a command is held by, each of which a machine may lack.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <string_view>

namespace cordon::sandbox {

// In the order in which people are told of them.
enum class Layer {
  kLandlock,          // the kernel's rules for paths, signals and abstract sockets
  kSyscallFilter,     // system calls that no command needs are not there
  kSupervisor,        // calls that name files are judged one by one, and done by the warden
  kUserNamespace,     // no power over anything outside, even as root
  kMountNamespace,    // only what is granted can be seen at all
  kPidNamespace,      // other processes cannot be seen; all end with the first one
  kIpcNamespace,      // no shared memory or message queues of others
  kUtsNamespace,      // a host name of its own
  kNetworkNamespace,  // no network but its own loopback
  kCgroupNamespace,   // control groups of others cannot be seen
  kControlGroup,      // memory and processes are counted together, exactly
  kNoNewPrivileges,   // set-user-id programs give nothing
  kCapabilities,      // none are held, and none can be regained
};
inline constexpr std::size_t kLayers = 13;
inline constexpr std::array<Layer, kLayers> kAllLayers = {
    Layer::kLandlock,        Layer::kSyscallFilter,  Layer::kSupervisor,
    Layer::kUserNamespace,   Layer::kMountNamespace, Layer::kPidNamespace,
    Layer::kIpcNamespace,    Layer::kUtsNamespace,   Layer::kNetworkNamespace,
    Layer::kCgroupNamespace, Layer::kControlGroup,   Layer::kNoNewPrivileges,
    Layer::kCapabilities,
};

class LayerSet {
 public:
  LayerSet() = default;
  LayerSet(std::initializer_list<Layer> layers) {
    for (const Layer layer : layers) Add(layer);
  }
  static LayerSet All() {
    LayerSet all;
    all.bits_.set();
    return all;
  }
  static LayerSet OfBits(unsigned long bits) {
    LayerSet set;
    set.bits_ = bits;
    return set;
  }
  bool Has(Layer layer) const { return bits_.test(static_cast<std::size_t>(layer)); }
  void Add(Layer layer) { bits_.set(static_cast<std::size_t>(layer)); }
  void Remove(Layer layer) { bits_.reset(static_cast<std::size_t>(layer)); }
  bool Includes(const LayerSet& other) const { return (other.bits_ & ~bits_).none(); }
  LayerSet Without(const LayerSet& other) const {
    return OfBits((bits_ & ~other.bits_).to_ulong());
  }
  LayerSet And(const LayerSet& other) const { return OfBits((bits_ & other.bits_).to_ulong()); }
  LayerSet Union(const LayerSet& other) const { return OfBits((bits_ | other.bits_).to_ulong()); }
  bool empty() const { return bits_.none(); }
  unsigned long bits() const { return bits_.to_ulong(); }
  bool operator==(const LayerSet&) const = default;

 private:
  std::bitset<kLayers> bits_;
};

// "landlock", "syscall-filter", "supervisor", "user-namespace", ...
std::string_view LayerName(Layer layer);
std::optional<Layer> ParseLayer(std::string_view name);

}  // namespace cordon::sandbox
