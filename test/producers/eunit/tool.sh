debian=(erlang-eunit=1:25.2.3+dfsg-1+deb12u4 erlang-dev=1:25.2.3+dfsg-1+deb12u4)
run() {
  erlc shop_tests.erl
  erl -noshell -eval 'R = eunit:test(shop_tests, [{report, {eunit_surefire, [{dir, "."}]}}]), halt(case R of ok -> 0; _ -> 1 end).' || code=$?
  cp TEST-shop_tests.xml report.xml
  return "${code:-0}"
}
