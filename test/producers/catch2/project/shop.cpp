#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <stdexcept>

TEST_CASE("passes") { CHECK(2 + 2 == 4); }
TEST_CASE("fails") { CHECK(2 + 2 == 5); }
TEST_CASE("throws") { throw std::runtime_error("no such unit"); }
TEST_CASE("announced", "[!mayfail]") { CHECK(2 + 2 == 5); }
TEST_CASE("parts") {
  SECTION("good") { CHECK(true); }
  SECTION("bad") { CHECK(false); }
}
TEST_CASE("prints") { std::cout << "printed\n"; CHECK(true); }
