# What walls.pl does for programs of the machine alone: it is loaded where there is a folder for one.
our (%wall, %environment, $calls, @hidden);
my $processes;
my ($RDONLY, $NOSUID, $NODEV, $NOEXEC, $BIND, $REC) = (1, 2, 4, 8, 4096, 16384);
my %GONE = map { $_ => 1 } (2, 13, 20);

# The program's environment comes on a descriptor: this process may be root, and variables could change what it does.
sub prepare_program {
  if (defined $wall{environment}) {
    open(my $given, '<&=', $wall{environment} + 0) or fail('environment', $!);
    local $/;
    %environment = map { split /=/, $_, 2 } split /\0/, <$given>;
    close $given;
  }
  opendir($processes, '/proc') or fail('memory', "/proc: $!") if $wall{memory};
}

# An empty folder or file covers each. What is not there, or out of reach of this user, needs no cover.
sub hide_secrets {
  my ($tmpfs, $null, $options) = ('tmpfs', '/dev/null', 'size=4k,nr_inodes=1,mode=0555');
  for my $path (@hidden) {
    my $result = -d $path
      ? syscall($calls->{mount}, $tmpfs, $path, $tmpfs, $RDONLY | $NOSUID | $NODEV | $NOEXEC, $options)
      : syscall($calls->{mount}, $null, $path, 0, $BIND, 0);
    fail('mount', "hide $path: $!") if $result == -1 && !$GONE{$! + 0};
  }
}

# Until the program ends. All of its processes end for what they use together.
sub watch_memory {
  my ($first, $end) = @_;
  chdir($processes) or fail('memory', "/proc: $!");
  for (;;) {
    vec(my $ended = '', fileno $end, 1) = 1;
    return if select($ended, undef, undef, 0.1);
    next if kibibytes_below($first) <= $wall{memory} * 1024;
    kill(9, $first);
    waitpid($first, 0);
    fail('memory', "more than $wall{memory} MiB");
  }
}

# Counts their own memory, shared memory in each of them, swapped pages, and page tables.
sub kibibytes_below {
  my (@pids, $sum) = @_;
  while (defined(my $pid = shift @pids)) {
    opendir(my $tasks, "$pid/task") or next;
    my @sizes;
    for my $task (grep { /^\d/ } readdir $tasks) {
      push @pids, split(' ', slurp("$pid/task/$task/children"));
      # The first thread may have ended. Any other one has the sizes, too.
      @sizes = slurp("$pid/task/$task/status") =~ /^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+)/mg unless @sizes;
    }
    $sum += $_ for @sizes;
  }
  return $sum // 0;
}

sub slurp {
  open(my $file, '<', $_[0]) or return '';
  local $/;
  return <$file> // '';
}

sub confine_program {
  if ($wall{nested} && $wall{nested} eq 'chroot') {
    # All files stay where they are, below a root that is not the namespace's: the kernel then refuses new namespaces to
    # this process and those below, also where /proc/sys cannot be written.
    my ($none, $root, $folder) = ('none', '/', '/proc');
    call('mount', 'mount', $root, $folder, 0, $BIND | $REC, 0);
    call('mount', 'chroot', $folder);
    chdir($wall{folder}) or fail('mount', "$wall{folder}: $!");
  }
  if ($wall{shm}) {
    # Files left in that of the host would stay.
    my ($tmpfs, $folder) = ('tmpfs', '/dev/shm');
    call('mount', 'mount', $tmpfs, $folder, $tmpfs, $NOSUID | $NODEV | $NOEXEC, "$wall{shm},mode=1777") if -d $folder;
  }
  if ($wall{proc}) {
    # Where a container masks parts of /proc the kernel refuses another one. The one that is there shows more, but its
    # processes belong to other user namespaces, so that nothing secret in them can be read.
    my ($proc, $folder) = ('proc', '/proc');
    syscall($calls->{mount}, $proc, $folder, $proc, $NOSUID | $NODEV | $NOEXEC, 0);
  }
  # One that is lower already cannot be raised.
  if (getpriority(0, 0) < $wall{nice}) { setpriority(0, 0, $wall{nice}) or fail('limits', "setpriority: $!") }
}

1;
