#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

Test(shop, adds) { cr_assert_eq(2 + 2, 4); }
Test(shop, fails) {
  cr_expect_eq(1, 2, "price \x1b[31mwrong\x1b[0m <&>");
  cr_expect_eq(3, 4, "second");
}
Test(shop, left_out, .disabled = true) {}
Test(shop, skips) { cr_skip_test("later"); }
Test(shop, crashes) {
  int *nowhere = NULL;
  *nowhere = 1;
}
Test(shop, exits, .exit_code = 3) { exit(3); }
Test(shop, too_slow, .timeout = 0.5) { sleep(3); }
Test(shop, prints) { printf("\x1b[32mgreen\x1b[0m\n"); }

void fails_before(void) { cr_assert_fail("no database"); }
Test(before, never, .init = fails_before) {}
void fails_after(void) { cr_assert_fail("cannot close"); }
Test(after, adds, .fini = fails_after) {}

ParameterizedTestParameters(rows, row) {
  static int all[] = {1, 2, 1};
  return cr_make_param_array(int, all, 3);
}
ParameterizedTest(int *one, rows, row) { cr_assert_eq(*one, 1, "row %d", *one); }
