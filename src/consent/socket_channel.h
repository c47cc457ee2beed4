// Asks whoever has attached with `cordon approve`, in another terminal.
#pragma once

#include <memory>
#include <string>

#include "consent/channel.h"
#include "cordon/result.h"

namespace cordon::consent {

// Lines of JSON over a Unix socket. To the person's side:
//   {"type":"question","id":...,"session":...,"actor":...,"tool":...,"operation":...,
//    "reason":"outside"|"tool"|"rule","path":...,"asked":...,"target":...,"state":...,"preview":...,
//    "directory":...,"trusted":...,"choices":["once",...]}; the last texts where offered
//   {"type":"settled","id":...,"choice":...,"by":"here"|"elsewhere"|"timeout"|"withdrawn"}
// From it: {"type":"answer","id":...,"choice":"once"|"directory"|"tool"|"deny"}
// Texts that are not UTF-8 travel percent-encoded, with "<key>Encoding":"percent". The first answer
// counts; a second one, one for an unknown id, or one with a choice that was not offered, is
// ignored and told so: {"type":"ignored","id":...,"reason":...}.

// Listens in `directory`, which is made with mode 0700 and must be ours alone; the
// socket's name holds the process id and cannot be guessed. Peers of another user
// are turned away. Whoever attaches later sees the question that is open. Available
// as soon as it listens: a person may attach until the deadline. Removed with the
// last reference. Sockets of processes that have died are removed on the way.
// Errors: kPermissionDenied, kIoError; kInvalidPath when the directory's path is not
//   absolute, or too long for a socket.
Result<std::shared_ptr<Channel>> ListenForApprovers(const std::string& directory);

}  // namespace cordon::consent
