use Test::More; use Test::BDD::Cucumber::StepFile;
Given qr/a shop/, sub { };
When qr/I add (\d+) and (\d+)/, sub { S->{sum} = $1 + $2 };
Then qr/I have (\d+)/, sub { is(S->{sum}, $1, 'sum') };
When qr/it dies/, sub { die "no unit\n" };
When qr/it skips/, sub { SKIP: { skip 'not now', 1 } };
