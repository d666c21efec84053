use Test::More tests => 5;
ok(1, 'adds');
is(4, 5, 'fails');
SKIP: { skip 'not today', 1; ok(1, 'left out'); }
TODO: { local $TODO = 'later'; ok(0, 'announced'); }
subtest deep => sub { plan tests => 1; ok(1, 'inner') };
