# Puts up the walls of the operating system around one program, and becomes the parent that waits for it. Perl, because
# it makes system calls without a compiler and Debian cannot be without it (perl-base); no module is loaded.
#   perl walls.pl [wall=value ...] -- program [argument ...]
# walls.ts says which walls there are and what their values mean. On the first that cannot be had it ends with 125 and
# `walls: <wall>: <step>: <reason>` on stderr. What only programs of the machine need is in walls-program.pl. A test checks
# both under `strict`: at run time that module takes half a millisecond.

our (%wall, %environment, $calls, @hidden);
my (@binds, @limits, $self);
while (defined(my $argument = shift @ARGV)) {
  last if $argument eq '--';
  my ($name, $value) = split /=/, $argument, 2;
  if ($name eq 'bind') { push @binds, [split /=/, $value, 2] }
  elsif ($name eq 'hide') { push @hidden, $value }
  elsif ($name eq 'limit') { push @limits, [map { $_ + 0 } split /=/, $value] }
  else { $wall{$name} = $value }
}

my %CALLS = (
  x64 => { prctl => 157, capset => 126, mount => 165, umount2 => 166, pivot_root => 155, unshare => 272, seccomp => 317,
    prlimit64 => 302, setgroups => 116, setresgid => 119, setresuid => 117, sethostname => 170, close_range => 436,
    chroot => 161, setsid => 112 },
  arm64 => { prctl => 167, capset => 91, mount => 40, umount2 => 39, pivot_root => 41, unshare => 97, seccomp => 277,
    prlimit64 => 261, setgroups => 159, setresgid => 149, setresuid => 147, sethostname => 161, close_range => 436,
    chroot => 51, setsid => 157 },
);
$calls = $CALLS{$wall{arch}} or fail('arch', "no system calls are known for $wall{arch}");
my ($PDEATHSIG, $DUMPABLE, $CAPBSET_DROP, $NO_NEW_PRIVS, $CAP_AMBIENT) = (1, 4, 24, 38, 47);
my ($RDONLY, $NOSUID, $NODEV, $NOEXEC, $REMOUNT, $BIND, $REC, $PRIVATE) = (1, 2, 4, 8, 32, 4096, 16384, 1 << 18);
my $SEALED = $RDONLY | $NOSUID | $NODEV;

sub fail { my ($name, $step) = @_; print STDERR "walls: $name: $step\n"; exit 125 }
sub call {
  my ($name, $call, @arguments) = @_;
  my $result = syscall($calls->{$call}, @arguments);
  fail($name, "$call: $!") if $result == -1;
}
sub spew {
  my ($name, $file, $text) = @_;
  open(my $handle, '>', $file) or fail($name, "$file: $!");
  syswrite($handle, $text) // fail($name, "$file: $!");
}

end_with_parent();
if (defined $wall{folder}) { require($0 =~ s/\.pl$/-program.pl/r); prepare_program() }
opendir($self, '/proc/self') or fail('user', "/proc/self: $!") if $wall{user};

my $changesUser = defined $wall{uid};
# Root needs no user namespace to make the others, so it makes its mounts before it changes its user: the other user
# cannot enter the folders that they come from. They are out of reach for the namespaces below.
if ($changesUser) {
  enter('mount');
  make_root() if $wall{mount};
  unless ($wall{user}) { enter($_) for qw(net pid ipc uts) }
  become($wall{uid} + 0);
}
if ($wall{user}) {
  my ($uid, $gid) = ($>, $) + 0);
  enter('user');
  chdir($self) or fail('user', "/proc/self: $!");
  spew('user', 'setgroups', 'deny');
  spew('user', 'uid_map', "$wall{user} $uid 1");
  spew('user', 'gid_map', "$wall{user} $gid 1");
  # No namespaces within these, whose owner could do more. Containers often keep /proc/sys from being written; the
  # system-call filter forbids the same.
  if ($wall{nested} && $wall{nested} eq 'none' && open(my $limit, '>', '../sys/user/max_user_namespaces')) { syswrite($limit, 0) }
}
unless ($changesUser && !$wall{user}) { enter($_) for qw(mount net pid ipc uts) }
make_root() if $wall{mount} && !$changesUser;
if ($wall{uts}) { my $host = 'sandbox'; call('uts', 'sethostname', $host, length $host) }
chdir($wall{folder} // '/') or fail('mount', "$wall{folder}: $!");

$wall{pid} ? supervise() : confine();

# The parent may also have ended before this process asked to end with it.
sub end_with_parent {
  call('pdeathsig', 'prctl', $PDEATHSIG, 9, 0, 0, 0);
  exit 125 if $wall{parent} && getppid() != $wall{parent};
}

sub enter {
  my ($name) = @_;
  my %FLAG = (mount => 0x20000, uts => 0x4000000, ipc => 0x8000000, user => 0x10000000, pid => 0x20000000, net => 0x40000000);
  call($name, 'unshare', $FLAG{$name}) if $wall{$name};
}

sub become {
  my ($id) = @_;
  call('uid', 'setgroups', 0, 0);
  call('uid', 'setresgid', $id, $id, $id);
  call('uid', 'setresuid', $id, $id, $id);
  # Without it /proc/self would stay root's. Both are cleared by the change of user.
  call('uid', 'prctl', $DUMPABLE, 1, 0, 0, 0);
  end_with_parent();
}

# With `mount=empty`: a root that holds only its bind mounts, neither /proc nor a folder to write to.
sub make_root {
  my ($none, $tmpfs, $here, $root) = ('none', 'tmpfs', '.', '/');
  call('mount', 'mount', $none, $root, 0, $REC | $PRIVATE, 0);
  if ($wall{mount} ne 'empty') { hide_secrets() if @hidden; return }
  # On top of /proc: it is everywhere, and nothing that is bound lies below it.
  my ($stage, $size) = ('/proc', 'size=64k,nr_inodes=64,mode=0755');
  call('mount', 'mount', $tmpfs, $stage, $tmpfs, $NOSUID | $NODEV, $size);
  chdir $stage;
  for (@binds) {
    my ($target, $source) = ($_->[0], $_->[1]);
    my $parent = '.';
    for (split /\//, $target =~ s/[^\/]*$//r) { mkdir($parent .= "/$_") if $_ ne '' }
    spew('mount', $target = ".$target", '');
    call('mount', 'mount', $source, $target, 0, $BIND, 0);
    call('mount', 'mount', $none, $target, 0, $REMOUNT | $BIND | $SEALED, 0);
  }
  call('mount', 'pivot_root', $here, $here);
  call('mount', 'umount2', $here, 2);
  chdir '/';
  call('mount', 'mount', $none, $root, 0, $REMOUNT | $BIND | $SEALED, 0);
}

# The program is not the first of its PID namespace: that one, whom no signal from within reaches, ends with this
# process, and every other process with that one. It hands the program's end on, as it cannot end by a signal itself.
sub supervise {
  pipe(my $end, my $report) or fail('pid', "pipe: $!");
  pipe(my $alive, my $held) or fail('pid', "pipe: $!");
  my $first = fork() // fail('pid', "fork: $!");
  if ($first == 0) {
    call('pid', 'prctl', $PDEATHSIG, 9, 0, 0, 0);
    close $end;
    # Its parent has no number in here: the end of a pipe says whether it had ended before.
    close $held;
    my $ended = '';
    vec($ended, fileno $alive, 1) = 1;
    exit 125 if select($ended, undef, undef, 0);
    $wall{parent} = $$;
    my $program = fork() // fail('pid', "fork: $!");
    if ($program == 0) {
      # In a session of its own: a signal to its process group must not reach the processes above, which share its user.
      call('pid', 'setsid');
      confine();
    }
    close STDIN; close STDOUT; close STDERR;
    while ((my $ended = wait()) > 0) {
      next if $ended != $program;
      syswrite($report, $?);
      exit 0;
    }
  }
  call('pid', 'prctl', $DUMPABLE, 0, 0, 0, 0);
  close $report;
  close $alive;
  close STDIN; close STDOUT;
  $wall{memory} ? watch_memory($first, $end) : close STDERR;
  my $status;
  sysread($end, $status, 16) or $status = 9;
  waitpid($first, 0);
  kill($status & 127, $$) if $status & 127;
  exit($status >> 8);
}

sub confine {
  confine_program() if defined $wall{folder};
  call('limits', 'prlimit64', 0, $_->[0], pack('Q2', $_->[1], $_->[1]), 0) for @limits;
  if ($wall{caps}) {
    for (my $capability = 0; syscall($calls->{prctl}, $CAPBSET_DROP, $capability, 0, 0, 0) == 0; $capability++) {}
    call('caps', 'prctl', $CAP_AMBIENT, 4, 0, 0, 0);
    call('caps', 'capset', pack('Ll', 0x20080522, 0), pack('L6', (0) x 6));
  }
  end_with_parent();
  # Of the descriptors that the starter may have left open the program gets the first three.
  call('limits', 'close_range', 3, 0xffffffff, 4);
  call('nnp', 'prctl', $NO_NEW_PRIVS, 1, 0, 0, 0) if $wall{nnp};
  if ($wall{filter}) {
    my $filter = pack('H*', $wall{filter});
    call('filter', 'seccomp', 1, 0, pack('S x6 P', length($filter) / 8, $filter));
  }
  %ENV = %environment if defined $wall{environment};
  exec { $ARGV[0] } @ARGV or fail('program', "$ARGV[0]: $!");
}
