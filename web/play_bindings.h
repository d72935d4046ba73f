// What hotkv-play.wasm exports beside bindings.h: the canvas. One view per module instance.
//
// Texts go in as (address, size); functions that return int put a text where hotkv_view_result()
// points and return its size. Colours are given by their CSS names (palette.h). Positions are CSS
// pixels; instants are microseconds of simulated time as doubles, exact to 2^53. canvas.js is the
// other side, and the only caller.
#pragma once

#include <cstdint>

extern "C" {
const char* hotkv_view_result();
void hotkv_view_size(double width, double height, double pixel_ratio);
// which: 0 text, 1 titles, 2 commands. Takes a copy of the bytes of a TrueType or OpenType font.
void hotkv_view_font(int which, const char* bytes, int size);
void hotkv_view_fonts_done();
void hotkv_view_theme_begin(int dark);  // Starts from the built-in light or dark theme.
int hotkv_view_theme_color(const char* name, int name_size, const char* css, int css_size);
void hotkv_view_theme_done();
void hotkv_view_word(const char* english, int english_size, const char* word, int word_size);
void hotkv_view_manners(int reduced_motion, int touch);
void hotkv_view_labels(int shown);  // Of messages on the stage.
void hotkv_view_parts(int tabs, int timeline);
// A trace as JSON Lines; lane 0 is the lesson. 0: no such lane.
int hotkv_view_lane(int lane, const char* name, int name_size, const char* trace, int trace_size,
                    double fork_us);
void hotkv_view_keep_lanes(int count);
void hotkv_view_time(int lane, double at_us, int lines);  // lines < 0: all up to that instant.
void hotkv_view_select(const char* id, int size);
void hotkv_view_focus(const char* id, int size);
void hotkv_view_tab(int sequence);

void hotkv_view_pointer(double x, double y);
void hotkv_view_press(int down);
void hotkv_view_leave();

// Builds and renders a frame; bit 0: another is wanted, bit 1: the pointer is over something to
// click, bit 2: actions wait to be taken.
int hotkv_view_frame(double passed_ms);
void hotkv_view_context_lost();

int hotkv_view_semantics();  // [{id, role, label, value, rect:{x,y,width,height}, actions}]
int hotkv_view_actions();    // [{type, id, argument}], and forgets them
// Reading time (tempo.h): the clock of Play at speed 1, in seconds from the lane's start.
double hotkv_view_reading_s(int lane, double at_us);
double hotkv_view_time_at_reading(int lane, double seconds);
double hotkv_view_reading_length_s(int lane);
}
