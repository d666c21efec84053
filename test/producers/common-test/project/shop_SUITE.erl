-module(shop_SUITE).
-export([all/0, groups/0, init_per_suite/1, end_per_suite/1, init_per_testcase/2, end_per_testcase/2]).
-export([adds/1, fails/1, crashes/1, skips/1, slow/1, prints/1, deep/1, bad_init/1, commented/1]).
all() -> [adds, fails, crashes, skips, slow, prints, {group, inner}, bad_init, commented].
groups() -> [{inner, [], [deep]}].
init_per_suite(C) -> C.
end_per_suite(_) -> ok.
init_per_testcase(bad_init, _) -> {fail, "no database"};
init_per_testcase(slow, C) -> ct:timetrap(200), C;
init_per_testcase(_, C) -> C.
end_per_testcase(_, _) -> ok.
adds(_) -> 2 = 1 + 1.
fails(_) -> ct:fail("sum of ~p", [cart]).
crashes(_) -> X = id(3), 2 = X.
id(X) -> X.
skips(_) -> {skip, "not yet"}.
slow(_) -> timer:sleep(5000).
prints(_) -> io:format("hello~n"), ct:pal("pal").
deep(_) -> ok.
bad_init(_) -> ok.
commented(_) -> {comment, "fine"}.
