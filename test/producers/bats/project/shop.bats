@test "adds" { [ $((2 + 3)) = 5 ]; }
@test "fails" { [ $((2 + 3)) = 6 ]; }
@test "fails with words" { echo "the price is wrong"; false; }
@test "left out" { skip "not today"; }
@test "prints" { echo "hello"; }
