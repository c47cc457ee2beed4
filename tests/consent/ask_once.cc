// Asks one question built from its arguments, KEY=VALUE each, and prints the answer as
// one line of JSON. Stands in for whatever asks, so that the channels can be driven from
// outside: in a real pseudo-terminal, and over a real socket.
//
//   channels=tty,socket  directory=DIR (of the sockets)  patience=MILLISECONDS
//   withdraw=MILLISECONDS (ask with a stop token, and request the stop then)
//   id= session= actor= tool= operation= reason=outside|tool path= asked= target= state=
//   preview= into=DIR (allow the directory) trusted=PHRASE (allow the tool)
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <iostream>
#include <map>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "consent/desk.h"
#include "consent/socket_channel.h"
#include "consent/terminal_channel.h"

namespace {

using cordon::consent::Channel;
using cordon::consent::Question;
using Arguments = std::map<std::string, std::string, std::less<>>;

Arguments Parse(int argc, char** argv) {
  Arguments arguments = {
      {"channels", "tty"}, {"patience", "20000"}, {"operation", "write"}, {"reason", "outside"}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos) throw std::invalid_argument("KEY=VALUE wanted");
    arguments[std::string(argument.substr(0, equals))] = argument.substr(equals + 1);
  }
  return arguments;
}

Question QuestionFrom(Arguments arguments) {
  Question question;
  question.id = arguments["id"];
  question.session = arguments["session"];
  question.actor = arguments["actor"];
  question.tool = arguments["tool"];
  question.operation = cordon::ParseOperation(arguments["operation"]).value();
  question.reason = arguments["reason"] == "tool" ? cordon::consent::Reason::kTool
                                                  : cordon::consent::Reason::kOutside;
  question.path = arguments["path"];
  question.asked = arguments.contains("asked") ? arguments["asked"] : question.path;
  question.target = arguments["target"];
  question.state = arguments["state"];
  question.preview = arguments["preview"];
  if (arguments.contains("into")) question.directory = arguments["into"];
  if (arguments.contains("trusted")) question.trusted = arguments["trusted"];
  return question;
}

std::vector<std::shared_ptr<Channel>> ChannelsFrom(Arguments arguments) {
  std::vector<std::shared_ptr<Channel>> channels;
  const std::string& wanted = arguments["channels"];
  if (wanted.find("tty") != std::string::npos) {
    channels.push_back(cordon::consent::MakeTerminalChannel());
  }
  if (wanted.find("socket") != std::string::npos) {
    auto socket = cordon::consent::ListenForApprovers(arguments["directory"]);
    if (!socket) {
      throw std::runtime_error(std::string(ErrorCodeName(socket.error().code)) + ": " +
                               socket.error().detail);
    }
    channels.push_back(*socket);
  }
  return channels;
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = Parse(argc, argv);
  cordon::consent::Desk desk(ChannelsFrom(arguments),
                             std::chrono::milliseconds(std::stoi(arguments.at("patience"))));
  std::stop_source stop;
  std::jthread withdraw;
  if (const auto after = arguments.find("withdraw"); after != arguments.end()) {
    withdraw = std::jthread([&stop, wait = std::chrono::milliseconds(std::stoi(after->second))] {
      std::this_thread::sleep_for(wait);
      stop.request_stop();
    });
  }
  const cordon::consent::Answer answer =
      desk.Ask(QuestionFrom(arguments), nullptr, stop.get_token());
  boost::json::object said;
  said["choice"] = cordon::consent::ChoiceName(answer.choice);
  said["channel"] = answer.channel;
  said["failure"] = answer.failure;
  std::cout << boost::json::serialize(said) << std::endl;
  return 0;
} catch (const std::exception& failure) {
  std::cerr << "ask_once: " << failure.what() << '\n';
  return 2;
}
