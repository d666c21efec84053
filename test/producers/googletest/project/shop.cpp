#include <gtest/gtest.h>
#include <stdexcept>

TEST(Shop, Passes) { EXPECT_EQ(4, 2 + 2); }
TEST(Shop, FailsTwice) { EXPECT_EQ(5, 2 + 2) << "first"; EXPECT_EQ(6, 2 + 2) << "second"; }
TEST(Shop, Throws) { throw std::runtime_error("no such unit"); }
TEST(Shop, LeftOut) { GTEST_SKIP() << "not today"; }
TEST(Shop, DISABLED_Off) {}
class Rows : public testing::TestWithParam<int> {};
TEST_P(Rows, IsPositive) { EXPECT_GT(GetParam(), 0); }
INSTANTIATE_TEST_SUITE_P(All, Rows, testing::Values(1, 0));
class BadSetup : public testing::Test { void SetUp() override { FAIL() << "no database"; } };
TEST_F(BadSetup, NeverBegins) {}
