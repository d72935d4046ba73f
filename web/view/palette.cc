#include "web/view/palette.h"

#include <algorithm>
#include <cmath>

#include "core/base/numbers.h"

namespace hotkv::view {

namespace {

double linear(uint8_t channel) {
  double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Color c) {
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

// The least contrast with the grounds that things stand on.
double worst(const Theme& t, Color c) {
  return std::min({contrast(c, t.ground), contrast(c, t.surface), contrast(c, t.sunken)});
}

// `wanted` itself where it can be read, else as little nearer to black or white as will do.
Color readable(const Theme& t, Color wanted, double ratio) {
  Color end = luminance(t.ground) > 0.18 ? Color{0, 0, 0} : Color{255, 255, 255};
  constexpr int kParts = 32;
  for (int part = 0; part < kParts; part++) {
    Color tried = mix(wanted, end, double(part) / kParts);
    if (worst(t, tried) >= ratio) return tried;
  }
  return end;
}

bool hex_color(Bytes digits, Color& out) {
  auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  };
  bool brief = digits.size() == 3 || digits.size() == 4;
  if (!brief && digits.size() != 6 && digits.size() != 8) return false;
  int channel[3];
  for (size_t i = 0; i < 3; i++) {
    int high = digit(digits[brief ? i : 2 * i]), low = digit(digits[brief ? i : 2 * i + 1]);
    if (high < 0 || low < 0) return false;
    channel[i] = high * 16 + low;
  }
  out = {static_cast<uint8_t>(channel[0]), static_cast<uint8_t>(channel[1]),
         static_cast<uint8_t>(channel[2])};
  return true;
}

}  // namespace

double contrast(Color a, Color b) {
  double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Color mix(Color from, Color to, double part) {
  auto channel = [part](uint8_t x, uint8_t y) {
    return static_cast<uint8_t>(std::lround(x + (y - x) * part));
  };
  return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b)};
}

bool read_color(Bytes css, Color& out) {
  while (!css.empty() && css.front() == ' ') css.remove_prefix(1);
  while (!css.empty() && css.back() == ' ') css.remove_suffix(1);
  if (!css.empty() && css.front() == '#') return hex_color(css.substr(1), out);
  if (css.substr(0, 3) != "rgb") return false;
  size_t at = css.find('(');
  if (at == Bytes::npos) return false;
  int64_t channel[3];
  for (int64_t& value : channel) {
    at = css.find_first_of("0123456789", at);
    if (at == Bytes::npos) return false;
    size_t end = std::min(css.find_first_not_of("0123456789", at), css.size());
    if (!parse_int64(css.substr(at, end - at), value) || value > 255) return false;
    at = end;
  }
  out = {static_cast<uint8_t>(channel[0]), static_cast<uint8_t>(channel[1]),
         static_cast<uint8_t>(channel[2])};
  return true;
}

bool set_theme_color(Theme& theme, Bytes name, Color color) {
  struct Entry {
    Bytes name;
    Color Theme::*member;
  };
  constexpr Entry kEntries[] = {
      {"ground", &Theme::ground},
      {"surface", &Theme::surface},
      {"sunken", &Theme::sunken},
      {"ink", &Theme::ink},
      {"soft", &Theme::soft},
      {"line", &Theme::line},
      {"edge", &Theme::edge},
      {"accent", &Theme::accent},
      {"good", &Theme::good},
      {"bad", &Theme::bad},
      {"accent-soft", &Theme::accent_soft},
  };
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    theme.*entry.member = color;
    return true;
  }
  return false;
}

Theme light_theme() {
  return {{250, 248, 245}, {255, 255, 255}, {243, 239, 233}, {33, 29, 25},
          {98, 90, 81},    {227, 220, 210}, {143, 133, 120}, {168, 62, 11},
          {251, 234, 223}, {20, 105, 63},   {179, 38, 30}};
}

Theme dark_theme() {
  return {{20, 18, 16},    {29, 26, 23},    {37, 33, 25},    {239, 233, 225},
          {176, 166, 152}, {56, 50, 42},    {133, 122, 108}, {255, 158, 99},
          {58, 36, 23},    {111, 211, 160}, {255, 157, 148}};
}

Palette make_palette(const Theme& theme) {
  Palette p;
  static_cast<Theme&>(p) = theme;
  p.ink = readable(theme, theme.ink, kTextContrast);
  p.soft = readable(theme, theme.soft, kTextContrast);
  p.edge = readable(theme, theme.edge, kShapeContrast);
  p.accent = readable(theme, theme.accent, kShapeContrast);
  p.good = readable(theme, theme.good, kShapeContrast);
  p.bad = readable(theme, theme.bad, kShapeContrast);
  p.accent_text = readable(theme, theme.accent, kTextContrast);
  p.good_text = readable(theme, theme.good, kTextContrast);
  p.bad_text = readable(theme, theme.bad, kTextContrast);
  bool dark = luminance(theme.ground) <= 0.18;
  // Okabe and Ito's blue is the reading colour of light pages, their sky blue of dark ones.
  p.request = readable(theme, dark ? Color{86, 180, 233} : Color{0, 114, 178}, kShapeContrast);
  p.reply = readable(theme, {0, 158, 115}, kShapeContrast);
  p.push = readable(theme, {213, 94, 0}, kShapeContrast);
  p.query = readable(theme, {204, 121, 167}, kShapeContrast);
  p.rows = readable(theme, {230, 159, 0}, kShapeContrast);
  p.warning = p.rows;
  constexpr Color kWhite{255, 255, 255}, kBlack{0, 0, 0};
  p.on_accent = contrast(kWhite, p.accent) >= contrast(kBlack, p.accent) ? kWhite : kBlack;
  return p;
}

}  // namespace hotkv::view
