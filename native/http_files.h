// HttpFiles: which file of a site answers a request's path, and with what headers.
//
// `/a/` is a/index.html, `/a` is the file a, else a.html, else a redirect to `/a/` when that is a
// folder. A sibling a.br or a.gz is sent instead of `a` to whom it accepts. Nothing outside the
// root can be named: a path with `..`, a hidden name, an empty segment, a control character or a
// backslash is not found, and neither is a link that leads out of the root.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

namespace hotkv {

struct HttpFile {
  std::string path;      // On disk; "" = not found, unless `redirect` is set.
  std::string redirect;  // Where to go instead.
  std::string_view content_type;
  std::string_view encoding;  // "br", "gzip" or "".
  std::string_view cache_control;
  std::string etag;  // Of these very bytes: it differs between encodings.
  std::string last_modified;
  time_t modified = 0;
  uint64_t size = 0;
};

class HttpFiles {
 public:
  explicit HttpFiles(const std::string& root);

  // `target` is the request's target with its query; `accept_encoding` that header, "" if absent.
  HttpFile find(std::string_view target, std::string_view accept_encoding) const;
  // The site's own page for what is not found; path "" when it has none.
  HttpFile not_found_page(std::string_view accept_encoding) const;
  const std::string& root() const { return root_; }

 private:
  HttpFile answer(const std::string& relative, std::string_view accept_encoding) const;
  bool locate(const std::string& relative, std::string& path) const;

  std::string root_;  // Absolute, links resolved; "" when the folder does not exist.
};

std::string_view content_type_of(std::string_view name);
// The name holds a hash of the contents (app.3f9a1c2e.js, index-DkdiZ1ab.css): it never changes.
bool is_hashed_name(std::string_view name);
// Whether an Accept-Encoding header accepts `coding` (q=0 refuses).
bool accepts_encoding(std::string_view header, std::string_view coding);
// Whether an If-None-Match header names `etag`.
bool matches_etag(std::string_view header, std::string_view etag);
std::string http_date(time_t time);
bool parse_http_date(const std::string& text, time_t& time);

}  // namespace hotkv
