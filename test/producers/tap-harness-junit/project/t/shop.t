use Test::More tests => 11;
ok(2 + 2 == 4, 'adds');
is(1, 2, "price \e[31mwrong\e[0m <&>");
TODO: { local $TODO = 'later'; ok(0, 'todo fails'); ok(1, 'todo passes'); }
SKIP: { skip 'not here', 1; ok(1); }
subtest deep => sub { ok(1, 'adds'); ok(0, 'bad in') };
ok(1, 'row');
ok(0, 'row');
print "printed\n";
ok(1, 'multiplies');
die "no database\n";
