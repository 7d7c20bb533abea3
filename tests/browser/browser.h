#pragma once
// A headless chromium, spoken to in the DevTools protocol over a pair of pipes.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gelint::test {

class Browser {
public:
  /// Path of chromium; empty when none is installed.
  static std::string find();

  explicit Browser(const std::string& program);
  ~Browser();
  Browser(const Browser&) = delete;

  /// Opens a page and waits until it has loaded.
  void open(const std::string& url);
  /// The value of a JavaScript expression; throws on an exception in the page.
  nlohmann::json evaluate(const std::string& expression);
  void screenshot(const std::string& file);
  /// The size of the window, and whether the reader prefers a dark page.
  void show_as(int width, int height, bool dark);

  const std::vector<std::string>& requests() const { return requests_; } ///< URLs asked for since open()
  const std::vector<std::string>& complaints() const { return complaints_; } ///< exceptions, console and policy errors

private:
  nlohmann::json call(const std::string& method, nlohmann::json params = nlohmann::json::object());
  nlohmann::json receive();
  void note(const nlohmann::json& event);

  int pid_ = -1, to_ = -1, from_ = -1, next_id_ = 1;
  bool loaded_ = false;
  std::string session_, buffer_, profile_;
  std::vector<std::string> requests_, complaints_;
};

} // namespace gelint::test
