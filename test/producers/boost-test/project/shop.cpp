#define BOOST_TEST_MODULE Shop
#include <boost/test/included/unit_test.hpp>
#include <boost/test/data/test_case.hpp>
#include <iostream>
#include <stdexcept>
namespace utf = boost::unit_test;
BOOST_AUTO_TEST_CASE(adds) { std::cout << "printed\n"; BOOST_TEST(2 + 2 == 4); }
BOOST_AUTO_TEST_CASE(fails) { BOOST_TEST(2 + 2 == 5, "price differs"); BOOST_TEST(1 == 2, "tax differs"); }
BOOST_AUTO_TEST_CASE(raises) { throw std::runtime_error("no such unit"); }
BOOST_AUTO_TEST_CASE(left_out, *utf::disabled()) { BOOST_TEST(false); }
BOOST_AUTO_TEST_CASE(announced, *utf::expected_failures(1)) { BOOST_TEST(1 == 2); }
BOOST_DATA_TEST_CASE(costs, utf::data::make({2, 4}), net) { BOOST_TEST(net == 2); }
BOOST_AUTO_TEST_SUITE(cart)
BOOST_AUTO_TEST_CASE(nested) { BOOST_TEST(true); }
BOOST_AUTO_TEST_SUITE_END()
struct Database { Database() { throw std::runtime_error("no database"); } };
BOOST_FIXTURE_TEST_CASE(cannot_begin, Database) { BOOST_TEST(true); }
