#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <stdexcept>

TEST_CASE("passes") { CHECK(2 + 2 == 4); }
TEST_CASE("fails") { CHECK(2 + 2 == 5); }
TEST_CASE("throws") { throw std::runtime_error("no such unit"); }
TEST_CASE("left out" * doctest::skip()) { CHECK(false); }
TEST_CASE("parts") {
  SUBCASE("good") { CHECK(true); }
  SUBCASE("bad") { CHECK(false); }
}
