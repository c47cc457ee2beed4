#include "shell/programs/options.h"

#include <algorithm>
#include <optional>

namespace cordon::shell {
namespace {

template <typename Visit>
void ForEachName(std::string_view names, Visit visit) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (end > 0) visit(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

enum class Takes { kNothing, kValue, kAttached };

Takes TakesWhat(std::string_view option, std::string_view valued) {
  Takes takes = Takes::kNothing;
  ForEachName(valued, [&](std::string_view name) {
    const bool attached = name.ends_with('?');
    if (attached) name.remove_suffix(1);
    if (name == option) takes = attached ? Takes::kAttached : Takes::kValue;
  });
  return takes;
}

// The long option that `written` is the beginning of, if it is of one alone.
std::string FullName(std::string_view written, std::string_view valued) {
  std::string found;
  int matches = 0;
  if (written.size() < 4 || TakesWhat(written, valued) != Takes::kNothing) {
    return std::string(written);
  }
  ForEachName(valued, [&](std::string_view name) {
    if (name.ends_with('?')) name.remove_suffix(1);
    if (name.starts_with(written)) {
      found = name;
      ++matches;
    }
  });
  return matches == 1 ? found : std::string(written);
}

class Reader {
 public:
  Reader(const std::vector<Word>& arguments, std::string_view valued, Order order)
      : arguments_(arguments), valued_(valued), order_(order) {}

  Options Read() {
    while (at_ < arguments_.size()) {
      const Word& argument = arguments_[at_++];
      const bool option =
          argument.size() > 1 && argument.text()[0] == '-' && argument.mark(0) == Mark::kLiteral;
      if (!option) {
        out_.operands.push_back(argument);
        if (order_ == Order::kOperandsEnd) TakeRest();
      } else if (argument.Is("--")) {
        TakeRest();
      } else if (argument.text()[1] == '-') {
        Long(argument);
      } else {
        Short(argument);
      }
    }
    return std::move(out_);
  }

 private:
  void TakeRest() {
    while (at_ < arguments_.size()) out_.operands.push_back(arguments_[at_++]);
  }
  Word Next() { return at_ < arguments_.size() ? arguments_[at_++] : Word(); }

  void Long(const Word& argument) {
    const std::size_t equals = argument.text().find('=');
    const std::string name = FullName(argument.text().substr(0, equals), valued_);
    if (equals != std::string::npos) {
      out_.given.emplace_back(name, argument.Sub(equals + 1));
    } else if (TakesWhat(name, valued_) == Takes::kValue) {
      out_.given.emplace_back(name, Next());
    } else {
      out_.given.emplace_back(name, Word());
    }
  }

  void Short(const Word& argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      const std::string name{'-', argument.text()[i]};
      const Takes takes = TakesWhat(name, valued_);
      if (takes == Takes::kNothing) {
        out_.given.emplace_back(name, Word());
        continue;
      }
      Word value = argument.Sub(i + 1);
      if (value.empty() && takes == Takes::kValue) value = Next();
      out_.given.emplace_back(name, std::move(value));
      return;
    }
  }

  const std::vector<Word>& arguments_;
  std::string_view valued_;
  Order order_;
  std::size_t at_ = 0;
  Options out_;
};

}  // namespace

bool IsOneOf(std::string_view name, std::string_view names) {
  bool found = false;
  ForEachName(names, [&](std::string_view candidate) { found = found || candidate == name; });
  return found;
}

bool Options::Has(std::string_view names) const {
  return std::any_of(given.begin(), given.end(),
                     [&](const auto& option) { return IsOneOf(option.first, names); });
}

std::vector<Word> Options::Values(std::string_view names) const {
  std::vector<Word> values;
  for (const auto& [name, value] : given) {
    if (IsOneOf(name, names)) values.push_back(value);
  }
  return values;
}

Options ReadOptions(const std::vector<Word>& arguments, std::string_view valued, Order order) {
  return Reader(arguments, valued, order).Read();
}

}  // namespace cordon::shell
