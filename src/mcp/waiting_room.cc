#include "mcp/waiting_room.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cordon::mcp {

class WaitingRoom::TakenPlace final : public Place {
 public:
  TakenPlace(std::shared_ptr<State> state, std::stop_source leave, const std::stop_token& stop)
      : state_(std::move(state)), leave_(std::move(leave)), stopping_(stop, Leave{leave_}) {}
  ~TakenPlace() override {
    const std::lock_guard lock(state_->mutex);
    state_->seats.remove_if([&](const Seat& seat) { return seat.leave == leave_; });
  }
  TakenPlace(const TakenPlace&) = delete;
  TakenPlace& operator=(const TakenPlace&) = delete;

  std::stop_token stop() const override { return leave_.get_token(); }

 private:
  struct Leave {
    std::stop_source source;
    void operator()() { source.request_stop(); }
  };
  const std::shared_ptr<State> state_;
  const std::stop_source leave_;
  const std::stop_callback<Leave> stopping_;
};

WaitingRoom::WaitingRoom(std::size_t places)
    : state_(new State{std::max<std::size_t>(places, 1), {}, {}}) {}

std::list<WaitingRoom::Seat>::iterator WaitingRoom::WhoGoes(std::list<Seat>& seats,
                                                            const Guest& guest) {
  std::map<std::string, std::size_t> by_principal{{guest.principal, 1}};
  for (const Seat& seat : seats) ++by_principal[seat.guest.principal];
  const auto most =
      std::max_element(by_principal.begin(), by_principal.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  // Nobody has more than the guest would have: then it is among the guest's own.
  const bool own = most->second <= by_principal[guest.principal];
  const std::string& principal = own ? guest.principal : most->first;
  std::map<const void*, std::size_t> by_session;
  if (own) by_session[guest.session] = 1;
  for (const Seat& seat : seats) {
    if (seat.guest.principal == principal) ++by_session[seat.guest.session];
  }
  const std::size_t least = own ? by_session[guest.session] : 0;
  auto goes = seats.end();
  std::size_t has = least;
  for (auto seat = seats.begin(); seat != seats.end(); ++seat) {
    if (seat->guest.principal != principal || by_session[seat->guest.session] <= has) continue;
    has = by_session[seat->guest.session];
    goes = seat;
  }
  return goes;
}

std::unique_ptr<WaitingRoom::Place> WaitingRoom::Enter(Guest guest, const std::stop_token& stop) {
  std::optional<Seat> gone;
  const std::stop_source leave;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->seats.size() >= state_->places) {
      const auto goes = WhoGoes(state_->seats, guest);
      if (goes == state_->seats.end()) return nullptr;
      gone = std::move(*goes);
      state_->seats.erase(goes);
    }
    state_->seats.push_back({std::move(guest), leave});
  }
  if (gone) gone->leave.request_stop();  // runs others' code: without the lock
  return std::make_unique<TakenPlace>(state_, leave, stop);
}

}  // namespace cordon::mcp
