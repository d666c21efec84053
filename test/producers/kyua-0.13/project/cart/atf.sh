#!/usr/bin/env atf-sh
atf_test_case good; good_head() { atf_set descr "is good"; }; good_body() { echo hi; }
atf_test_case bad; bad_body() { atf_fail "price of two"; }
atf_test_case left; left_body() { atf_skip "no net"; }
atf_test_case known; known_body() { atf_expect_fail "bug 7"; atf_fail "x"; }
atf_test_case knowngood; knowngood_body() { atf_expect_fail "bug 8"; }
atf_test_case torn cleanup; torn_body() { :; }; torn_cleanup() { exit 3; }
atf_init_test_cases() { atf_add_test_case good; atf_add_test_case bad; atf_add_test_case left; atf_add_test_case known; atf_add_test_case knowngood; atf_add_test_case torn; }
