/** Architectures that the jail supports, by Node's names. */
export type Architecture = 'x64' | 'arm64';

/** The number of each system call on x86-64 and arm64; `null` if the architecture does not have the call. */
type CallNumbers = Readonly<Record<string, readonly [x64: number, arm64: number | null]>>;

/**
 * The system calls that a tool may make: those for reading one file, computing with threads, and writing to a pipe or
 * its scratch folder. Calls that create a socket, a process, a namespace or a mount, or that change permissions, are
 * not in the list.
 */
export const allowedCalls: CallNumbers = {
  // Open, read and stat the files that are visible in the jail.
  read: [0, 63],
  readv: [19, 65],
  pread64: [17, 67],
  preadv: [295, 69],
  lseek: [8, 62],
  open: [2, null],
  openat: [257, 56],
  close: [3, 57],
  close_range: [436, 436],
  stat: [4, null],
  lstat: [6, null],
  fstat: [5, 80],
  newfstatat: [262, 79],
  statx: [332, 291],
  statfs: [137, 43],
  fstatfs: [138, 44],
  access: [21, null],
  faccessat: [269, 48],
  faccessat2: [439, 439],
  readlink: [89, null],
  readlinkat: [267, 78],
  getdents64: [217, 61],
  getcwd: [79, 17],
  chdir: [80, 49],
  fadvise64: [221, 223],
  dup: [32, 23],
  dup2: [33, null],
  dup3: [292, 24],

  // Write. Only pipes and the scratch folder, if there is one, are writable.
  write: [1, 64],
  writev: [20, 66],
  pwrite64: [18, 68],
  ftruncate: [77, 46],
  fallocate: [285, 47],
  fsync: [74, 82],
  fdatasync: [75, 83],
  mkdir: [83, null],
  mkdirat: [258, 34],
  unlink: [87, null],
  unlinkat: [263, 35],
  rmdir: [84, null],
  rename: [82, null],
  renameat: [264, 38],
  renameat2: [316, 276],
  umask: [95, 166],

  // Wait on its own descriptors.
  pipe: [22, null],
  pipe2: [293, 59],
  eventfd2: [290, 19],
  poll: [7, null],
  ppoll: [271, 73],
  select: [23, null],
  pselect6: [270, 72],

  // Memory, within the limits on address space and locked memory.
  brk: [12, 214],
  mmap: [9, 222],
  munmap: [11, 215],
  mprotect: [10, 226],
  mremap: [25, 216],
  madvise: [28, 233],
  mlock: [149, 228],
  membarrier: [324, 283],
  get_mempolicy: [239, 236],

  // Threads, and signals within the process.
  futex: [202, 98],
  set_tid_address: [218, 96],
  set_robust_list: [273, 99],
  rseq: [334, 293],
  arch_prctl: [158, null],
  sched_yield: [24, 124],
  sched_get_priority_max: [146, 125],
  sched_get_priority_min: [147, 126],
  getcpu: [309, 168],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  rt_sigpending: [127, 136],
  rt_sigtimedwait: [128, 137],
  rt_sigsuspend: [130, 133],
  sigaltstack: [131, 132],
  restart_syscall: [219, 128],

  // Time.
  nanosleep: [35, 101],
  clock_nanosleep: [230, 115],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  gettimeofday: [96, 169],
  time: [201, null],
  times: [100, 153],

  // Information about itself and the system. Limits can be lowered, but not raised.
  getpid: [39, 172],
  gettid: [186, 178],
  getppid: [110, 173],
  getpgrp: [111, null],
  getuid: [102, 174],
  geteuid: [107, 175],
  getgid: [104, 176],
  getegid: [108, 177],
  getresuid: [118, 148],
  getresgid: [120, 150],
  getgroups: [115, 158],
  getrusage: [98, 165],
  getrlimit: [97, 163],
  setrlimit: [160, 164],
  getrandom: [318, 278],
  uname: [63, 160],
  sysinfo: [99, 179],

  // Execute the tool and exit. bubblewrap's pid 1, to which the filter applies too, waits for it.
  execve: [59, 221],
  exit: [60, 93],
  exit_group: [231, 94],
  wait4: [61, 260],
};

/** Calls that fail with ENOSYS. Libraries try them at startup and work without them. */
export const refusedCalls: CallNumbers = {
  // clone3 takes its flags from memory, which a seccomp filter cannot read. glibc falls back to `clone`, which can be
  // filtered.
  clone3: [435, 435],
  set_mempolicy: [238, 237],
};

/** Calls that `seccomp-filter.ts` allows or refuses, depending on an argument. */
export const conditionalCalls = {
  clone: [56, 220],
  fcntl: [72, 25],
  ioctl: [16, 29],
  prctl: [157, 167],
} as const satisfies CallNumbers;

/**
 * Calls that name a process by its id. In a bubblewrap jail they reach only the processes of the jail. Without a process
 * namespace, a tool may only name itself.
 */
export const processCalls = {
  prlimit64: [302, 261],
  tgkill: [234, 131],
  getpgid: [121, 155],
  getpriority: [140, 141],
  getsid: [124, 156],
  sched_getaffinity: [204, 123],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
} as const satisfies CallNumbers;

/** Returns the number of a call on this architecture; `null` if the architecture does not have the call. */
export function callNumberOf(numbers: readonly [number, number | null], architecture: Architecture): number | null {
  return architecture === 'x64' ? numbers[0] : numbers[1];
}
