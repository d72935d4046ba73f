// Palette: the colours of the canvas, made from those of the page.
//
// A page gives its CSS custom properties (Theme); the canvas takes them over, but never at the
// price of being readable: text has a contrast of at least 4.5:1 against each ground it stands on,
// shapes 3:1 (WCAG 2.1, checked by a unit test for both themes and for forced colours). Kinds of
// messages have the colour-blind-safe hues of Okabe and Ito, moved towards black or white as far as
// needed; the shape says the same, so colour is never alone.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"

namespace hotkv::view {

struct Color {
  uint8_t r = 0, g = 0, b = 0;
  friend bool operator==(Color x, Color y) { return x.r == y.r && x.g == y.g && x.b == y.b; }
};

struct Theme {
  Color ground, surface, sunken, ink, soft, line, edge, accent, accent_soft, good, bad;
};
Theme light_theme();
Theme dark_theme();

struct Palette : Theme {
  Color request, reply, push, query, rows, warning;
  Color accent_text;  // Text in the accent's hue, on any ground.
  Color good_text, bad_text;
  Color on_accent;  // Text on a shape filled with `accent`.
};

constexpr double kTextContrast = 4.5;
constexpr double kShapeContrast = 3;

// Contrast ratio of WCAG 2.1, 1 to 21.
double contrast(Color a, Color b);
Color mix(Color from, Color to, double part);
// #rgb, #rrggbb, rgb(1, 2, 3) or rgb(1 2 3); an alpha value is left out of account.
bool read_color(Bytes css, Color& out);
// Sets a theme's colour by its name as in CSS ("accent-soft"); false: there is no such name.
bool set_theme_color(Theme& theme, Bytes name, Color color);
Palette make_palette(const Theme& theme);

}  // namespace hotkv::view
