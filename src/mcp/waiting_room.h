// Where requests wait for what their own client must do, each with a thread that others need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace cordon::mcp {

// One for all clients that share threads; it has fewer places than there are threads.
// Guarantees: who has many places makes room for who has few: the principal with most of them
//   first, in it the session with most of them, there the one that has waited longest.
// Thread safety: everything may run concurrently. Places may outlive it.
class WaitingRoom {
 public:
  static constexpr std::size_t kPlaces = 128;
  explicit WaitingRoom(std::size_t places);

  struct Guest {
    std::string principal;
    const void* session;
    bool operator==(const Guest&) const = default;
  };
  class Place {
   public:
    virtual ~Place() = default;
    // Set when the request was stopped, and when somebody else needs the place.
    virtual std::stop_token stop() const = 0;
  };
  // Null: there is no room. `stop`: of the request.
  std::unique_ptr<Place> Enter(Guest guest, const std::stop_token& stop);

 private:
  struct Seat {
    Guest guest;
    std::stop_source leave;
  };
  struct State {
    const std::size_t places;
    std::mutex mutex;
    std::list<Seat> seats;  // the longest taken first
  };
  class TakenPlace;
  static std::list<Seat>::iterator WhoGoes(std::list<Seat>& seats, const Guest& guest);

  const std::shared_ptr<State> state_;
};

}  // namespace cordon::mcp
