// The panels, drawn without a screen: ImGui builds its draw lists, nobody renders them.
#include "web/view/panels/view.h"

#include <gtest/gtest.h>

#include "tests/unit/view/lesson_trace.h"

namespace hotkv::view {
namespace {

constexpr float kWidth = 1000, kHeight = 600;

class ViewTest : public testing::Test {
 protected:
  ViewTest() {
    view.set_size(kWidth, kHeight, 1);
    EXPECT_TRUE(view.set_lane(0, "lesson", lock_trace(), {}));
  }
  void show(int64_t us) {
    view.set_time(0, {us}, SIZE_MAX);
    view.build(16);
  }
  const SemanticsItem* item(const std::string& id) {
    for (const SemanticsItem& i : view.semantics()) {
      if (i.id == id) return &i;
    }
    return nullptr;
  }
  // A click as the platform gives it: move, press, release, a frame after each.
  void click(float x, float y) {
    view.pointer(x, y);
    view.build(16);
    view.press(true);
    view.build(16);
    view.press(false);
    view.build(16);
  }
  void click(const std::string& id) {
    const SemanticsItem* found = item(id);
    ASSERT_TRUE(found) << id;
    click(found->rect.center_x(), found->rect.center_y());
  }

  View view;
};

TEST_F(ViewTest, DrawsEveryTabAtEveryInstant) {
  for (View::Tab tab : {View::Tab::kStage, View::Tab::kSequence}) {
    view.set_tab(tab);
    for (int64_t us = 0; us < 170000; us += 3001) {
      show(us);
      const ImDrawData* data = ImGui::GetDrawData();
      ASSERT_TRUE(data && data->Valid);
      EXPECT_GT(data->TotalVtxCount, 500);
    }
  }
}

TEST_F(ViewTest, PutsEveryItemInsideTheDisplay) {
  for (float width : {320.0f, 360.0f, 760.0f, 1600.0f}) {
    view.set_size(width, width * 0.75f, 2);
    for (int64_t us : {0, 5000, 30000, 64000, 100000, 125000, 150000}) {
      show(us);
      for (const SemanticsItem& i : view.semantics()) {
        EXPECT_GT(i.rect.width, 0) << i.id << " at " << us << " width " << width;
        EXPECT_GE(i.rect.x, -1) << i.id;
        EXPECT_GE(i.rect.y, -1) << i.id;
        EXPECT_LE(i.rect.right(), width + 1) << i.id;
        EXPECT_LE(i.rect.bottom(), width * 0.75f + 1) << i.id;
      }
    }
  }
}

TEST_F(ViewTest, AClickSelectsWhatLiesThere) {
  show(5000);
  for (const char* id : {"n1", "A", "B", "A-n1#1", "A-n1", "B-n1"}) {
    view.select("");
    show(5000);
    view.take_actions();
    click(id);
    std::vector<ViewAction> actions = view.take_actions();
    ASSERT_EQ(actions.size(), 1u) << id;
    EXPECT_EQ(actions[0].type, "select");
    EXPECT_EQ(actions[0].id, id);
    EXPECT_EQ(view.selected(), id);
  }
  show(30000);
  view.select("");
  show(30000);
  click("n1/lock:x");
  EXPECT_EQ(view.selected(), "n1/lock:x");
}

TEST_F(ViewTest, AClickOnNothingSelectsNothing) {
  show(0);
  click("A");
  EXPECT_EQ(view.selected(), "A");
  click(4, kHeight / 2);
  EXPECT_EQ(view.selected(), "");
}

TEST_F(ViewTest, ATouchHitsAMessageNearby) {
  show(5000);
  const SemanticsItem* message = item("A-n1#1");
  ASSERT_TRUE(message);
  float x = message->rect.center_x(), y = message->rect.center_y() - 19;
  click(x, y);
  EXPECT_NE(view.selected(), "A-n1#1");
  view.set_touch(true);
  view.select("");
  click(x, y);
  EXPECT_EQ(view.selected(), "A-n1#1");
}

TEST_F(ViewTest, TheTimelineSeeksAndItsStepsAreButtons) {
  show(5000);
  ASSERT_TRUE(item("step:refused"));
  click("step:refused");
  std::vector<ViewAction> actions = view.take_actions();
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].type, "step");
  EXPECT_EQ(actions[0].id, "refused");
  const Rect axis = item("timeline")->rect;
  view.pointer(axis.right() - 23, axis.bottom() - 4);
  view.press(true);
  view.build(16);
  view.press(false);
  view.build(16);
  actions = view.take_actions();
  ASSERT_FALSE(actions.empty());
  EXPECT_EQ(actions[0].type, "seek");
  EXPECT_GT(std::stoll(actions[0].argument), 150000);
}

TEST_F(ViewTest, TabsSwitch) {
  show(5000);
  click("tab:sequence");
  EXPECT_EQ(view.tab(), View::Tab::kSequence);
  std::vector<ViewAction> actions = view.take_actions();
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].id, "tab:sequence");
}

TEST_F(ViewTest, StillnessAsksForNoFrames) {
  show(5000);
  show(5000);
  EXPECT_FALSE(view.moving());
  show(11000);
  EXPECT_TRUE(view.moving());  // An arrival's pulse.
  for (int i = 0; i < 20; i++) show(11000);
  EXPECT_FALSE(view.moving());
  view.set_reduced_motion(true);
  show(10000);
  show(11000);
  EXPECT_FALSE(view.moving());
}

TEST_F(ViewTest, ReducedMotionHoldsMessagesAtMidLink) {
  view.set_reduced_motion(true);
  show(2000);
  Rect early = item("A-n1#1")->rect;
  show(10000);
  EXPECT_EQ(early.x, item("A-n1#1")->rect.x);
}

TEST_F(ViewTest, TheSamePictureAgainIsTheSame) {
  show(30000);
  int vertices = ImGui::GetDrawData()->TotalVtxCount;
  for (int i = 0; i < 30; i++) show(150000);
  show(30000);
  EXPECT_EQ(ImGui::GetDrawData()->TotalVtxCount, vertices);
}

TEST_F(ViewTest, BranchesAreLanes) {
  EXPECT_FALSE(view.set_lane(2, "too far", lock_trace(), {}));
  EXPECT_TRUE(view.set_lane(1, "branch", lock_trace(), {24000}));
  view.set_time(1, {60000}, SIZE_MAX);
  view.build(16);
  float two = item("timeline")->rect.height;
  view.keep_lanes(1);
  view.build(16);
  EXPECT_LT(item("timeline")->rect.height, two);
}

TEST_F(ViewTest, NothingToShowIsNoFault) {
  View* other = &view;
  other->keep_lanes(0);
  other->build(16);
  EXPECT_TRUE(view.semantics().empty() || view.semantics()[0].role == "tab");
  view.set_size(0, 0, 1);
  view.build(16);
}

}  // namespace
}  // namespace hotkv::view
