#include "core/data/entry.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace hotkv {
namespace {

struct Destroy {
  void operator()(Entry* e) const { Entry::destroy(e); }
};
using Owned = std::unique_ptr<Entry, Destroy>;

Owned made(Bytes key, Bytes value, const EntryExtras& extras = {}) {
  return Owned(Entry::create(key, value, extras));
}

std::string value_of(const Entry& e) {
  NumberText text;
  return std::string(e.string(text));
}

// The header's own figures: 8 bytes of header, then key and value, rounded up to 8.
TEST(Entry, TakesTheBytesThatTheHeaderPromises) {
  const std::string key(16, 'k'), value(16, 'v');
  EXPECT_EQ(made(key, value)->allocated_bytes(), 40u);
  EXPECT_EQ(made(key, value, {1000, 0})->allocated_bytes(), 48u);
  EXPECT_EQ(made(key, value, {1000, 7})->allocated_bytes(), 56u);
  EXPECT_EQ(made(key, "12345")->allocated_bytes(), 8u + 8 + 16);
  EXPECT_EQ(made("k", "")->allocated_bytes(), 16u);
  // A key over 255 bytes has its length in a field.
  EXPECT_EQ(made(std::string(256, 'k'), "")->allocated_bytes(), 8u + 8 + 256);
}

TEST(Entry, OnlyTextThatAnInt64PrintsAsIsAnInteger) {
  for (const char* text : {"0", "1", "-1", "10", "9223372036854775807", "-9223372036854775808"}) {
    Owned e = made("k", text);
    EXPECT_EQ(e->encoding(), Encoding::kInteger) << text;
    EXPECT_EQ(value_of(*e), text);
    EXPECT_EQ(e->string_length(), std::string(text).size());
  }
  for (const char* text : {"", "01", "-0", "+1", " 1", "1 ", "1.0", "0x1", "-",
                           "9223372036854775808", "-9223372036854775809", "99999999999999999999"}) {
    Owned e = made("k", text);
    EXPECT_EQ(e->encoding(), Encoding::kInline) << text;
    EXPECT_EQ(value_of(*e), text);
  }
}

TEST(Entry, LongValuesLieInABlockOfTheirOwn) {
  EXPECT_EQ(made("k", std::string(Entry::kInlineMax, 'v'))->encoding(), Encoding::kInline);
  EXPECT_EQ(made("k", std::string(Entry::kInlineMax + 1, 'v'))->encoding(), Encoding::kHeap);
}

// Every combination of optional fields moves what comes behind it.
template <class Check>
void for_every_shape(Check check) {
  for (size_t key_size : {0, 1, 7, 255, 256, 1000}) {
    for (const std::string& value : {std::string(), std::string("a\0b", 3), std::string("-42"),
                                     std::string(1024, 'x'), std::string(5000, 'y')}) {
      for (int64_t deadline_ms : {kNoDeadline, int64_t{1}, int64_t{1767225600000}}) {
        for (uint64_t number : {uint64_t{0}, uint64_t{1} << 40}) {
          std::string key(key_size, 'k');
          if (key_size > 0) key.back() = '\0';
          SCOPED_TRACE(std::to_string(key_size) + " " + std::to_string(value.size()) + " " +
                       std::to_string(deadline_ms) + " " + std::to_string(number));
          check(key, value, EntryExtras{deadline_ms, number});
        }
      }
    }
  }
}

void expect_entry(const Entry& e, const std::string& key, const std::string& value,
                  const EntryExtras& extras) {
  EXPECT_EQ(e.type(), Type::kString);
  EXPECT_EQ(e.key(), key);
  EXPECT_TRUE(e.has_key(key));
  EXPECT_FALSE(e.has_key(key + "x"));
  EXPECT_EQ(value_of(e), value);
  EXPECT_EQ(e.string_length(), value.size());
  EXPECT_EQ(e.deadline_ms(), extras.deadline_ms);
  EXPECT_EQ(e.has_deadline(), extras.deadline_ms != kNoDeadline);
  EXPECT_EQ(e.lock_number(), extras.lock_number);
}

TEST(Entry, HoldsWhatItWasMadeFrom) {
  for_every_shape([](const std::string& key, const std::string& value, const EntryExtras& extras) {
    expect_entry(*made(key, value, extras), key, value, extras);
  });
}

TEST(Entry, CopiesAndMovesToAnyOtherShape) {
  for_every_shape([](const std::string& key, const std::string& value, const EntryExtras& extras) {
    for (const EntryExtras& other : {EntryExtras{}, EntryExtras{5, 0}, EntryExtras{5, 6}}) {
      const std::string name(key.size() ^ 256, 'n');
      Owned from = made(key, value, extras);
      from->set_access(0xabcdef);
      Owned copy(Entry::copy(*from, name, other));
      expect_entry(*copy, name, value, other);
      EXPECT_EQ(copy->access(), 0xabcdefu);
      expect_entry(*from, key, value, extras);
      Owned moved(Entry::move(from.release(), name, other));
      expect_entry(*moved, name, value, other);
      EXPECT_EQ(moved->access(), 0xabcdefu);
    }
  });
}

TEST(Entry, ACopyOfALongValueIsItsOwn) {
  Owned from = made("k", std::string(2000, 'a'));
  Owned copy(Entry::copy(*from, "c", {}));
  from->heap_data()[0] = 'b';
  EXPECT_EQ(value_of(*copy), std::string(2000, 'a'));
}

TEST(Entry, ChangesFieldsInPlace) {
  Owned e = made("k", "v", {1000, 7});
  e->set_deadline_in_place(2000);
  e->set_lock_number_in_place(8);
  expect_entry(*e, "k", "v", {2000, 8});
}

TEST(Entry, OverwritesInPlaceWhatFits) {
  Owned e = made("k", "value-1", {1000, 7});  // 8 + 16 + 1 + 7 = 32: no byte is left over.
  EXPECT_TRUE(e->overwrite_in_place("value-2", {3000, 9}));
  expect_entry(*e, "k", "value-2", {3000, 9});
  EXPECT_FALSE(e->overwrite_in_place("value-33", {3000, 9}));
  EXPECT_TRUE(e->overwrite_in_place("val", {3000, 9}));  // 28 bytes: the same room.
  expect_entry(*e, "k", "val", {3000, 9});
  EXPECT_EQ(e->allocated_bytes(), 32u);
}

TEST(Entry, RefusesToOverwriteInPlaceWhatNeedsAnotherShape) {
  Owned plain = made("k", "value");
  EXPECT_FALSE(plain->overwrite_in_place("other", {1000, 0}));
  EXPECT_FALSE(plain->overwrite_in_place("other", {kNoDeadline, 1}));
  EXPECT_FALSE(plain->overwrite_in_place("12345", {}));  // Has to become an integer.
  EXPECT_FALSE(plain->overwrite_integer_in_place(5, {}));
  expect_entry(*plain, "k", "value", {});
  Owned timed = made("k", "value", {1000, 0});
  EXPECT_FALSE(timed->overwrite_in_place("other", {}));
  expect_entry(*timed, "k", "value", {1000, 0});
  Owned number = made("k", "5");
  EXPECT_FALSE(number->overwrite_in_place("v", {}));
  EXPECT_FALSE(number->overwrite_integer_in_place(6, {1000, 0}));
  EXPECT_TRUE(number->overwrite_integer_in_place(INT64_MIN, {}));
  expect_entry(*number, "k", "-9223372036854775808", {});
}

TEST(Entry, ABlockGrowsWithZeroBytes) {
  Owned e(Entry::create_heap("k", 3, 10, {}));
  EXPECT_EQ(value_of(*e), std::string(3, '\0'));
  std::memcpy(e->heap_data(), "abc", 3);
  e->heap_resize(5);
  EXPECT_EQ(value_of(*e), std::string("abc\0\0", 5));
  std::memcpy(e->heap_data(), "abcde", 5);
  e->heap_resize(2);
  e->heap_resize(4);  // What was cut off does not come back.
  EXPECT_EQ(value_of(*e), std::string("ab\0\0", 4));
  e->heap_resize(100000);
  EXPECT_EQ(value_of(*e), "ab" + std::string(99998, '\0'));
  EXPECT_GE(e->allocated_bytes(), 100000u);
}

TEST(Entry, AccessHas24Bits) {
  Owned e = made("k", "v");
  EXPECT_EQ(e->access(), 0u);
  e->set_access(0xff123456);
  EXPECT_EQ(e->access(), 0x123456u);
  expect_entry(*e, "k", "v", {});
}

}  // namespace
}  // namespace hotkv
