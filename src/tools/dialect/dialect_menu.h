// A dialect's table at work.
#pragma once

#include "tools/dialect/table.h"
#include "tools/menu.h"

namespace cordon::tools::dialect {

class DialectMenu : public Menu {
 public:
  constexpr explicit DialectMenu(const Dialect& dialect) : dialect_(dialect) {}

  std::string_view name() const override { return dialect_.name; }
  const Dialect& dialect() const { return dialect_; }
  std::vector<boost::json::object> Declarations() const override;
  // Of several cases the one with the most effect.
  const Tool* Behind(std::string_view tool) const override;
  Served Call(std::string_view tool, const boost::json::object& arguments, guard::Guard& guard,
              const CallOptions& options) const override;

 private:
  struct Ended {
    Outcome outcome;  // with the data of theirs
    std::string text;
  };
  const Row* FirstOf(std::string_view tool) const;
  Error Unknown(std::string_view tool) const;
  Result<Arguments> Read(const Row& row, const boost::json::object& arguments) const;
  // `scratch`: for what is only looked at, our data where theirs are made of it included.
  Outcome Attempted(const Row& row, const Arguments& given, guard::Guard& guard,
                    const CallOptions& options, const boost::json::storage_ptr& scratch) const;
  Ended Perform(std::string_view tool, const boost::json::object& arguments, guard::Guard& guard,
                const CallOptions& options) const;
  std::string Tell(const Failure& failure, const Scene& scene) const;

  const Dialect& dialect_;
};

}  // namespace cordon::tools::dialect
