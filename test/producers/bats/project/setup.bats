setup() { false; }
@test "cannot be set up" { true; }
