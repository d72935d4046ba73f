#include "native/http_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "core/base/bytes.h"
#include "native/process.h"

namespace hotkv {

namespace {

struct ContentType {
  std::string_view extension;
  std::string_view type;
};
constexpr ContentType kContentTypes[] = {
    {"html", "text/html; charset=utf-8"},
    {"js", "text/javascript; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"json", "application/json; charset=utf-8"},
    {"map", "application/json; charset=utf-8"},
    {"webmanifest", "application/manifest+json; charset=utf-8"},
    {"svg", "image/svg+xml; charset=utf-8"},
    {"png", "image/png"},
    {"jpg", "image/jpeg"},
    {"webp", "image/webp"},
    {"ico", "image/x-icon"},
    {"woff2", "font/woff2"},
    {"otf", "font/otf"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain; charset=utf-8"},
    {"scenario", "text/plain; charset=utf-8"},
    {"md", "text/markdown; charset=utf-8"},
    {"xml", "application/xml; charset=utf-8"},
    {"pdf", "application/pdf"},
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The target's path without query and escapes, "" when it is none that we serve.
std::string clean_path(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  std::string path;
  for (size_t i = 0; i < target.size(); i++) {
    char c = target[i];
    if (c == '%') {
      if (i + 2 >= target.size()) return {};
      const int high = hex_digit(target[i + 1]);
      const int low = hex_digit(target[i + 2]);
      if (high < 0 || low < 0) return {};
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '\\') return {};
    path += c;
  }
  if (path.empty() || path[0] != '/') return {};
  // Every segment but the last, which `/a/` leaves empty, must be a name that hides nothing.
  for (size_t at = 1; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    if (end == at || path[at] == '.') return {};
    at = end + 1;
  }
  return path;
}

bool is_kind(const std::string& path, mode_t kind) {
  struct stat about;
  return stat(path.c_str(), &about) == 0 && (about.st_mode & S_IFMT) == kind;
}

// Text formats and bare fonts gain from compression; packed fonts and images do not.
bool may_be_compressed(std::string_view content_type) {
  return content_type.find("charset") != std::string_view::npos ||
         content_type == "application/wasm" || content_type == "font/otf" ||
         content_type == "font/ttf";
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Calls `visit` with each element of a comma-separated header until it answers true.
template <class Visit>
bool any_element(std::string_view header, Visit visit) {
  for (size_t at = 0; at <= header.size();) {
    const size_t end = std::min(header.find(',', at), header.size());
    if (visit(trimmed(header.substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::string_view content_type_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    for (const ContentType& entry : kContentTypes) {
      if (equal_ignoring_case(entry.extension, name.substr(dot + 1))) return entry.type;
    }
  }
  return "application/octet-stream";
}

bool is_hashed_name(std::string_view name) {
  constexpr size_t kHashLength = 8;
  const size_t last_dot = name.rfind('.');
  if (last_dot == std::string_view::npos) return false;
  const std::string_view stem = name.substr(0, last_dot);
  const size_t mark = stem.find_last_of(".-");
  if (mark == std::string_view::npos) return false;
  const std::string_view hash = stem.substr(mark + 1);
  if (hash.size() < kHashLength) return false;
  bool digit = false;
  for (char c : hash) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
    digit |= c >= '0' && c <= '9';
  }
  return digit;
}

bool accepts_encoding(std::string_view header, std::string_view coding) {
  return any_element(header, [coding](std::string_view element) {
    const size_t semicolon = element.find(';');
    if (!equal_ignoring_case(trimmed(element.substr(0, semicolon)), coding)) return false;
    if (semicolon == std::string_view::npos) return true;
    const std::string_view quality = trimmed(element.substr(semicolon + 1));
    // "q=0", "q=0.0": refused. Anything above nought will do.
    return quality.find_first_of("123456789") != std::string_view::npos;
  });
}

bool matches_etag(std::string_view header, std::string_view etag) {
  return any_element(header, [etag](std::string_view element) {
    if (element == "*") return true;
    if (element.substr(0, 2) == "W/") element.remove_prefix(2);
    return element == etag;
  });
}

std::string http_date(time_t time) {
  tm utc;
  gmtime_r(&time, &utc);
  char text[40];
  return std::string(text, strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc));
}

bool parse_http_date(const std::string& text, time_t& time) {
  tm utc{};
  const char* end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
  if (!end || *end) return false;
  time = timegm(&utc);
  return true;
}

HttpFiles::HttpFiles(const std::string& root) {
  const std::string absolute = absolute_path(root);
  if (is_kind(absolute, S_IFDIR)) root_ = absolute;
}

HttpFile HttpFiles::find(std::string_view target, std::string_view accept_encoding) const {
  const std::string path = clean_path(target);
  std::string found;
  if (path.empty() || root_.empty()) return {};
  if (path.back() == '/') return answer(path + "index.html", accept_encoding);
  if (locate(path, found)) return answer(path, accept_encoding);
  if (locate(path + ".html", found)) return answer(path + ".html", accept_encoding);
  HttpFile file;
  if (locate(path + "/index.html", found)) {
    const size_t query = target.find('?');
    file.redirect = std::string(target.substr(0, query)) + "/";
    if (query != std::string_view::npos) file.redirect += target.substr(query);
  }
  return file;
}

HttpFile HttpFiles::not_found_page(std::string_view accept_encoding) const {
  return answer("/404.html", accept_encoding);
}

HttpFile HttpFiles::answer(const std::string& relative, std::string_view accept_encoding) const {
  HttpFile file;
  std::string path;
  if (!locate(relative, path)) return file;
  const std::string_view name = std::string_view(relative).substr(relative.rfind('/') + 1);
  file.content_type = content_type_of(name);
  file.cache_control = is_hashed_name(name) ? "public, max-age=31536000, immutable" : "no-cache";
  // A sibling older than its original is left from an earlier build.
  const auto fresh_sibling = [&](const char* suffix, std::string& sibling) {
    struct stat original, compressed;
    return locate(relative + suffix, sibling) && stat(path.c_str(), &original) == 0 &&
           stat(sibling.c_str(), &compressed) == 0 &&
           compressed.st_mtim.tv_sec >= original.st_mtim.tv_sec;
  };
  std::string sibling;
  if (may_be_compressed(file.content_type)) {
    if (accepts_encoding(accept_encoding, "br") && fresh_sibling(".br", sibling)) {
      file.encoding = "br";
    } else if (accepts_encoding(accept_encoding, "gzip") && fresh_sibling(".gz", sibling)) {
      file.encoding = "gzip";
    }
  }
  if (!file.encoding.empty()) path = sibling;
  struct stat about;
  if (stat(path.c_str(), &about) != 0) return file;
  file.path = path;
  file.size = static_cast<uint64_t>(about.st_size);
  file.modified = about.st_mtim.tv_sec;
  file.last_modified = http_date(file.modified);
  char etag[64];
  const int length = std::snprintf(etag, sizeof etag, "\"%llx.%lx-%llx\"",
                                   static_cast<unsigned long long>(about.st_mtim.tv_sec),
                                   static_cast<unsigned long>(about.st_mtim.tv_nsec),
                                   static_cast<unsigned long long>(about.st_size));
  file.etag.assign(etag, static_cast<size_t>(length));
  if (!file.encoding.empty())
    file.etag.insert(file.etag.size() - 1, "-" + std::string(file.encoding));
  return file;
}

bool HttpFiles::locate(const std::string& relative, std::string& path) const {
  const std::string wanted = root_ + relative;
  if (!is_kind(wanted, S_IFREG)) return false;
  path = absolute_path(wanted);
  return path.size() > root_.size() && path.compare(0, root_.size(), root_) == 0 &&
         path[root_.size()] == '/';
}

}  // namespace hotkv
