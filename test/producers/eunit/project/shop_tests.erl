-module(shop_tests).
-include_lib("eunit/include/eunit.hrl").
adds_test() -> io:format("printed"), ?assertEqual(4, 2 + 2).
fails_test() -> ?assertEqual(5, 2 + 2).
raises_test() -> error(no_such_unit).
costs_test_() -> [{"costs " ++ integer_to_list(Net), fun() -> ?assertEqual(2, Net) end} || Net <- [2, 4]].
slow_test_() -> {"too slow", {timeout, 0.05, fun() -> timer:sleep(500) end}}.
broken_test_() -> {setup, fun() -> error(no_database) end, fun(_) -> [{"never runs", fun() -> ok end}] end}.
