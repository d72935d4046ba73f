#include "web/view/palette.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hotkv::view {
namespace {

TEST(Palette, ContrastIsThatOfWcag) {
  EXPECT_DOUBLE_EQ(contrast({0, 0, 0}, {255, 255, 255}), 21);
  EXPECT_DOUBLE_EQ(contrast({255, 255, 255}, {255, 255, 255}), 1);
  // Known pairs: #767676 is the lightest grey that passes on white, #777777 does not.
  EXPECT_NEAR(contrast({0x76, 0x76, 0x76}, {255, 255, 255}), 4.54, 0.01);
  EXPECT_NEAR(contrast({0x77, 0x77, 0x77}, {255, 255, 255}), 4.48, 0.01);
}

void check_readable(const Theme& theme, const char* name) {
  SCOPED_TRACE(name);
  Palette p = make_palette(theme);
  for (Color ground : {p.ground, p.surface, p.sunken}) {
    for (Color text : {p.ink, p.soft, p.accent_text, p.good_text, p.bad_text}) {
      EXPECT_GE(contrast(text, ground), kTextContrast);
    }
    for (Color shape : {p.edge, p.accent, p.good, p.bad, p.request, p.reply, p.push, p.query,
                        p.rows, p.warning}) {
      EXPECT_GE(contrast(shape, ground), kShapeContrast);
    }
  }
  EXPECT_GE(contrast(p.on_accent, p.accent), kTextContrast);
  EXPECT_GE(contrast(p.accent_text, p.accent_soft), kTextContrast);
  EXPECT_GE(contrast(p.ink, p.accent_soft), kTextContrast);
}

TEST(Palette, IsReadableInEveryTheme) {
  check_readable(light_theme(), "light");
  check_readable(dark_theme(), "dark");
  constexpr Color kBlack{0, 0, 0}, kWhite{255, 255, 255}, kYellow{255, 255, 0};
  check_readable({kBlack,
                  kBlack,
                  kBlack,
                  kWhite,
                  kWhite,
                  kWhite,
                  kWhite,
                  kYellow,
                  kBlack,
                  {0, 255, 0},
                  {255, 0, 0}},
                 "forced colours, dark");
  check_readable({kWhite,
                  kWhite,
                  kWhite,
                  kBlack,
                  kBlack,
                  kBlack,
                  kBlack,
                  {0, 0, 159},
                  kWhite,
                  {0, 128, 0},
                  {160, 0, 0}},
                 "forced colours, light");
}

TEST(Palette, KeepsWhatCanBeRead) {
  Palette p = make_palette(light_theme());
  EXPECT_EQ(p.ink, light_theme().ink);
  EXPECT_EQ(p.accent, light_theme().accent);
  EXPECT_EQ(p.request, (Color{0, 114, 178}));
  EXPECT_EQ(make_palette(dark_theme()).request, (Color{86, 180, 233}));
}

TEST(Palette, ReadsTheColoursOfCss) {
  Color c;
  EXPECT_TRUE(read_color("#fa0", c));
  EXPECT_EQ(c, (Color{255, 170, 0}));
  EXPECT_TRUE(read_color(" #0172B2 ", c));
  EXPECT_EQ(c, (Color{1, 114, 178}));
  EXPECT_TRUE(read_color("rgb(1, 2, 3)", c));
  EXPECT_EQ(c, (Color{1, 2, 3}));
  EXPECT_TRUE(read_color("rgba(10 20 30 / 50%)", c));
  EXPECT_EQ(c, (Color{10, 20, 30}));
  for (const char* wrong :
       {"", "#", "#12", "#12345", "#ggg", "red", "rgb(1, 2)", "rgb(1, 2, 256)", "hsl(1, 2, 3)"}) {
    EXPECT_FALSE(read_color(wrong, c)) << wrong;
  }
  Theme theme = light_theme();
  EXPECT_TRUE(set_theme_color(theme, "accent-soft", {1, 2, 3}));
  EXPECT_EQ(theme.accent_soft, (Color{1, 2, 3}));
  EXPECT_FALSE(set_theme_color(theme, "pink", {1, 2, 3}));
}

}  // namespace
}  // namespace hotkv::view
