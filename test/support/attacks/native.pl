# What native code could try, without a module, as there is none behind the walls. Each line of the answer is an attack that worked; nothing is printed for one that failed.
my ($arch, $secret, $socket, $written, $port, $abstract, $victim) = @ARGV;
my %x64 = (
  mount => 165, umount2 => 166, pivot_root => 155, unshare => 272, setns => 308, chroot => 161, ptrace => 101,
  process_vm_readv => 310, bpf => 321, keyctl => 250, add_key => 248, perf_event_open => 298, io_uring_setup => 425,
  userfaultfd => 323, sethostname => 170, mknodat => 259, setuid => 105, setgid => 106, init_module => 175,
  reboot => 169, swapon => 167, settimeofday => 164, iopl => 172, open_by_handle_at => 304, syslog => 103,
  memfd_create => 319, shmget => 29, msgget => 68, semget => 64, fsopen => 430, open_tree => 428, socket => 41,
  socketpair => 53, setsid => 112, seccomp => 317, personality => 135, clone3 => 435, pidfd_open => 434,
);
my %arm64 = (
  mount => 40, umount2 => 39, pivot_root => 41, unshare => 97, setns => 268, chroot => 51, ptrace => 117,
  process_vm_readv => 270, bpf => 280, keyctl => 219, add_key => 217, perf_event_open => 241, io_uring_setup => 425,
  userfaultfd => 282, sethostname => 161, mknodat => 33, setuid => 146, setgid => 144, init_module => 105,
  reboot => 142, swapon => 224, settimeofday => 170, open_by_handle_at => 265, syslog => 116, memfd_create => 279,
  shmget => 194, msgget => 186, semget => 190, fsopen => 430, open_tree => 428, socket => 198, socketpair => 199,
  setsid => 157, seccomp => 277, personality => 92, clone3 => 435, pidfd_open => 434,
);
my %call = $arch eq 'x64' ? %x64 : %arm64;
$| = 1;
sub worked { print "$_[0]\n" if $_[1] }
sub sys { my ($name, @arguments) = @_; defined $call{$name} && syscall($call{$name}, @arguments) != -1 }

# Descriptors: the third is that of this script.
for my $fd (3 .. 63) {
  my $inherited;
  open($inherited, '<&=', $fd) or next;
  worked("has descriptor $fd", (stat $inherited)[1] != (stat '/attack.pl')[1]);
}
# Files, by every path that may lead out.
for my $path ($secret, '/etc/passwd', '/proc/self/environ', '/proc/1/root/etc/passwd', '/dev/null', '/sys/kernel',
  '/run', '/home', '/root', '/proc', '/dev', '/usr', '/bin/sh', "../../../..$secret") {
  worked("found $path", -e $path);
}
opendir(my $root, '/'); my @there = sort grep { !/^\.\.?$/ } readdir $root;
worked("/ holds @there", "@there" !~ /^attack\.pl lib( lib64)? node$/);
for my $path ('/x', '/node', '/lib/x', $written) { worked("wrote $path", open(my $file, '>>', $path)) }

# Sockets of the host.
my ($UNIX, $INET, $STREAM, $s) = (1, 2, 1);
for my $address ($socket, "\0$abstract") {
  worked("connected to a Unix socket", socket($s, $UNIX, $STREAM, 0) && connect($s, pack('S a*', $UNIX, $address)));
}
worked("connected to a port", socket($s, $INET, $STREAM, 0)
  && connect($s, pack('S n C4 x8', $INET, $port, 127, 0, 0, 1)));
worked("bound a socket on the host", socket($s, $UNIX, $STREAM, 0) && bind($s, pack('S a*', $UNIX, $written)));

# Other processes.
worked("signalled a process of the host", kill(0, $victim));
worked("attached to a process of the host", sys('ptrace', 16, $victim + 0, 0, 0));
worked("attached to its parent", sys('ptrace', 16, 1, 0, 0));

# Rights.
my ($none, $slash, $t, $tmpfs, $proc) = ('none', '/', '/lib', 'tmpfs', 'proc');
worked("mounted", sys('mount', $tmpfs, $t, $tmpfs, 0, 0));
worked("mounted /proc", sys('mount', $proc, $t, $proc, 0, 0));
worked("made the root writable", sys('mount', $none, $slash, 0, 32 | 4096, 0));
worked("unmounted", sys('umount2', $t, 2));
worked("changed the root", sys('chroot', $t) || sys('pivot_root', $t, $t));
worked("made a user namespace", sys('unshare', 0x10000000));
worked("made a mount namespace", sys('unshare', 0x20000));
worked("became root", sys('setuid', 0) || sys('setgid', 0) || $> == 0 || $) =~ /^0\b/);
worked("renamed the machine", sys('sethostname', $t, 3));
worked("made a device", sys('mknodat', -100, my $device = '/lib/null', 0020666, 0x103));
worked("set the clock", sys('settimeofday', pack('q2', 0, 0), 0));
worked("loaded a module", sys('init_module', my $image = '', 0, my $options = ''));
worked("read the kernel's log", sys('syslog', 3, my $log = "\0" x 100, 100));
worked("rebooted", sys('reboot', 0xfee1dead, 672274793, 0, 0));
worked("loaded BPF", sys('bpf', 5, pack('x120'), 120));
worked("got I/O ports", sys('iopl', 3));
worked("has capabilities", open(my $status, '<', '/proc/self/status'));
worked("is known by the host's name", do { my $name = pack('x390'); syscall($arch eq 'x64' ? 63 : 160, $name);
  (split /\0+/, $name)[1] ne 'sandbox' });

# What only the filter forbids.
if ($ARGV[7]) {
  worked("called $_", sys($_, 0, 0, 0, 0, 0)) for qw(socketpair keyctl add_key perf_event_open io_uring_setup userfaultfd
    shmget msgget semget fsopen setsid seccomp clone3 pidfd_open personality);
  worked("made memory that is a file", sys('memfd_create', my $name = 'x', 0));
  worked("made a socket", socket($s, $UNIX, $STREAM, 0));
  my $child = fork(); exit if defined $child && $child == 0;
  worked("forked", defined $child);
}
print "end\n";
