#include "browser.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace gelint::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned value = 0, bits = 0;
  for (char c : text) {
    size_t d = digits.find(c);
    if (d == std::string::npos)
      break;
    value = value << 6 | static_cast<unsigned>(d);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(value >> bits & 0xFF);
    }
  }
  return out;
}

} // namespace

std::string Browser::find() {
  if (const char* given = std::getenv("GELINT_CHROMIUM"); given && *given)
    return given;
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (fs::exists(path))
      return path;
  return "";
}

Browser::Browser(const std::string& program) {
  profile_ = (fs::temp_directory_path() / "gelint-browser-XXXXXX").string();
  if (!::mkdtemp(profile_.data()))
    throw std::runtime_error("mkdtemp");
  int in[2], out[2];
  if (::pipe(in) != 0 || ::pipe(out) != 0)
    throw std::runtime_error("pipe");
  std::string user_data = "--user-data-dir=" + profile_;
  const std::array<const char*, 10> argv = {program.c_str(), "--headless=new", "--no-sandbox", "--disable-gpu",
                                            "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
                                            user_data.c_str(), "about:blank", nullptr};
  pid_ = ::fork();
  if (pid_ == 0) {
    ::setpgid(0, 0);
    ::dup2(::open("/dev/null", O_RDWR), 2);
    // The protocol is spoken on 3 (to the browser) and 4 (from it). The copies go high first: the pipes may be 3 and 4.
    int read_end = ::fcntl(in[0], F_DUPFD, 20), write_end = ::fcntl(out[1], F_DUPFD, 20);
    ::dup2(read_end, 3);
    ::dup2(write_end, 4);
    for (int fd = 5; fd < 64; ++fd)
      ::close(fd);
    ::execv(program.c_str(), const_cast<char* const*>(argv.data()));
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  to_ = in[1];
  from_ = out[0];
  Json target = call("Target.createTarget", {{"url", "about:blank"}});
  session_ = call("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}})["sessionId"];
  for (const char* domain : {"Page.enable", "Runtime.enable", "Network.enable", "Log.enable"})
    call(domain);
}

Browser::~Browser() {
  ::close(to_);
  ::close(from_);
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  std::error_code ignored;
  fs::remove_all(profile_, ignored);
}

Json Browser::receive() {
  for (;;) {
    if (size_t end = buffer_.find('\0'); end != std::string::npos) {
      Json message = Json::parse(buffer_.substr(0, end));
      buffer_.erase(0, end + 1);
      return message;
    }
    pollfd fd{from_, POLLIN, 0};
    if (::poll(&fd, 1, 60000) <= 0)
      throw std::runtime_error("the browser does not answer");
    char chunk[1 << 16];
    ssize_t n = ::read(from_, chunk, sizeof chunk);
    if (n <= 0)
      throw std::runtime_error("the browser has gone");
    buffer_.append(chunk, static_cast<size_t>(n));
  }
}

void Browser::note(const Json& event) {
  const std::string method = event.value("method", "");
  const Json& p = event.contains("params") ? event["params"] : event;
  if (method == "Page.loadEventFired")
    loaded_ = true;
  else if (method == "Network.requestWillBeSent")
    requests_.push_back(p["request"]["url"]);
  else if (method == "Runtime.exceptionThrown")
    complaints_.push_back(p["exceptionDetails"]["text"]);
  else if (method == "Log.entryAdded")
    complaints_.push_back(p["entry"]["text"]);
}

Json Browser::call(const std::string& method, Json params) {
  int id = next_id_++;
  Json message = {{"id", id}, {"method", method}, {"params", std::move(params)}};
  if (!session_.empty())
    message["sessionId"] = session_;
  std::string text = message.dump();
  text.push_back('\0');
  if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("the browser does not listen");
  for (;;) {
    Json answer = receive();
    if (answer.value("id", 0) != id) {
      note(answer);
      continue;
    }
    if (answer.contains("error"))
      throw std::runtime_error(method + ": " + answer["error"].dump());
    return answer["result"];
  }
}

void Browser::open(const std::string& url) {
  requests_.clear();
  complaints_.clear();
  loaded_ = false;
  call("Page.navigate", {{"url", url}});
  while (!loaded_)
    note(receive());
}

Json Browser::evaluate(const std::string& expression) {
  Json result = call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (result.contains("exceptionDetails"))
    throw std::runtime_error(result["exceptionDetails"].dump());
  return result["result"].contains("value") ? result["result"]["value"] : Json();
}

void Browser::screenshot(const std::string& file) {
  std::ofstream(file, std::ios::binary) << from_base64(call("Page.captureScreenshot")["data"]);
}

void Browser::show_as(int width, int height, bool dark) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 700}});
  call("Emulation.setEmulatedMedia",
       {{"features", {{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}}}});
}

} // namespace gelint::test
