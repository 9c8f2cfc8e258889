/*
 * Runs a program confined by Landlock and a seccomp filter, for machines on which bubblewrap cannot make namespaces.
 *
 *   landlock-jail [--examiner FOLDER] PARENT ABI EXECUTABLE READABLE WRITABLE PROGRAM [ARGUMENT...]
 *
 * --examiner  for the process that examines files: it keeps its environment, may start threads and processes without a
 *             limit, and has no input file. It may use its own folder in /proc, and read what is in this folder, without
 *             listing it: the files of its tools have no names and were made there.
 * PARENT      pid of the process that starts this one; the program is killed when it ends
 * ABI         the newest version of Landlock's interface to use; tests lower it
 * EXECUTABLE, READABLE, WRITABLE
 *             paths, separated by colons. Folders include what is below them. The program can open no other file
 *             except its input. Paths that do not exist are skipped.
 *
 * Descriptor 3 is the file that a tool reads, descriptor 4 delivers the seccomp filter.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { file_descriptor = 3, filter_descriptor = 4 };
enum { instructions_max = 4096 };
/* How many threads a program and other processes of the user may add. The worker counts each program's own threads. */
enum { added_threads_max = 1024 };
enum { machine_threads_max = 1 << 22 }; /* the most that Linux permits */

/* linux/landlock.h of Debian 12 ends with ABI 2. */
enum { oldest_abi = 3, abi_with_network = 4, abi_with_device_ioctl = 5, abi_with_scopes = 6 };
enum { create_ruleset_version = 1, rule_path_beneath = 1 };
enum {
  access_execute = 1 << 0,
  access_write_file = 1 << 1,
  access_read_file = 1 << 2,
  access_read_folder = 1 << 3,
  access_all_of_abi_3 = (1 << 15) - 1, /* also create, remove, rename, link, truncate */
  access_device_ioctl = 1 << 15,
};
enum { access_tcp_bind = 1 << 0, access_tcp_connect = 1 << 1 };
enum { scope_abstract_socket = 1 << 0, scope_signal = 1 << 1 };
struct ruleset_attributes { uint64_t files, network, scopes; };
struct path_rule { uint64_t access; int32_t descriptor; } __attribute__((packed));

static void fail(const char *what) {
  fprintf(stderr, "landlock-jail: %s: %s\n", what, strerror(errno));
  exit(126);
}

/* The signal is not delivered if the parent ended before this call, so the parent's pid is compared afterwards. */
static void die_with(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) fail("parent-death signal");
  if (getppid() != parent) exit(126);
}

/* Whether the user of this process already has as many threads as this limit permits. */
static int is_reached(rlim_t limit, rlim_t hard) {
  struct rlimit limits = {limit < hard ? limit : hard, hard};
  if (setrlimit(RLIMIT_NPROC, &limits)) fail("RLIMIT_NPROC");
  pid_t child = vfork();
  if (child == 0) _exit(0);
  if (child < 0) return 1;
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR);
  return 0;
}

/*
 * The kernel counts all threads of the user, in other containers too, and does not tell how many there are. So this
 * finds a power of two that the user has not reached, and adds the number of threads that may be added.
 */
static void limit_threads(void) {
  struct rlimit before;
  if (getrlimit(RLIMIT_NPROC, &before)) fail("RLIMIT_NPROC");
  rlim_t limit = 64;
  while (limit < machine_threads_max && is_reached(limit, before.rlim_max)) limit *= 2;
  limit += added_threads_max;
  if (limit > before.rlim_max) limit = before.rlim_max;
  struct rlimit limits = {limit, limit};
  if (setrlimit(RLIMIT_NPROC, &limits)) fail("RLIMIT_NPROC");
}

static void drop_privileges(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}, {0, 0, 0}};
  if (syscall(SYS_capset, &header, none)) fail("capabilities");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("no_new_privs");
}

static void allow(int ruleset, int descriptor, uint64_t access) {
  struct stat status;
  if (fstat(descriptor, &status)) fail("fstat");
  if (!S_ISDIR(status.st_mode)) access &= ~(uint64_t)access_read_folder;
  struct path_rule rule = {access, descriptor};
  if (!syscall(SYS_landlock_add_rule, ruleset, rule_path_beneath, &rule, 0)) return;
  if (errno != EBADFD) fail("Landlock rule"); /* a file in memory, which Landlock does not restrict */
}

static void allow_paths(int ruleset, char *paths, uint64_t access) {
  for (char *path = strtok(paths, ":"); path; path = strtok(NULL, ":")) {
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT) continue;
    if (descriptor < 0) fail(path);
    allow(ruleset, descriptor, access);
    close(descriptor);
  }
}

/*
 * Allows the folder of this process in /proc. The descriptor stays open: the kernel could otherwise forget the folder and
 * make another one, for which the rule would not count.
 */
static void allow_own_process(int ruleset) {
  int descriptor = open("/proc/self/", O_PATH);
  if (descriptor < 0) fail("/proc/self");
  allow(ruleset, descriptor, access_read_file | access_write_file | access_read_folder);
}

static void restrict_access(char *examiner_folder, int abi_max, char *executable, char *readable, char *writable) {
  int abi = syscall(SYS_landlock_create_ruleset, NULL, 0, create_ruleset_version);
  if (abi < 0) fail("Landlock is not available");
  if (abi > abi_max) abi = abi_max;
  if (abi < oldest_abi) {
    fprintf(stderr, "landlock-jail: Landlock ABI %d is too old, ABI %d (Linux 6.2) is needed\n", abi, oldest_abi);
    exit(126);
  }
  struct ruleset_attributes handled = {
      .files = access_all_of_abi_3 | (abi >= abi_with_device_ioctl ? access_device_ioctl : 0),
      .network = abi >= abi_with_network ? access_tcp_bind | access_tcp_connect : 0,
      .scopes = abi >= abi_with_scopes ? scope_abstract_socket | scope_signal : 0,
  };
  /* An older kernel accepts the longer structure if the fields that it does not know are 0. */
  int ruleset = syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
  if (ruleset < 0) fail("Landlock ruleset");
  allow_paths(ruleset, executable, access_execute | access_read_file | access_read_folder);
  allow_paths(ruleset, readable, access_read_file | access_read_folder);
  allow_paths(ruleset, writable, access_read_file | access_write_file);
  if (examiner_folder) {
    allow_own_process(ruleset);
    allow_paths(ruleset, examiner_folder, access_read_file);
  } else allow(ruleset, file_descriptor, access_read_file);
  if (syscall(SYS_landlock_restrict_self, ruleset, 0)) fail("Landlock");
  close(ruleset);
}

static void load_filter(void) {
  static struct sock_filter instructions[instructions_max];
  size_t size = 0;
  ssize_t got;
  while ((got = read(filter_descriptor, (char *)instructions + size, sizeof instructions - size)) != 0) {
    if (got < 0 && errno != EINTR) fail("reading the seccomp filter");
    if (got > 0) size += got;
  }
  close(filter_descriptor);
  struct sock_fprog filter = {size / sizeof instructions[0], instructions};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) fail("seccomp filter");
}

int main(int argc, char **argv) {
  char *examiner_folder = argc > 2 && strcmp(argv[1], "--examiner") == 0 ? argv[2] : NULL;
  if (examiner_folder) argv += 2, argc -= 2;
  if (argc < 7) {
    errno = EINVAL;
    fail("arguments");
  }
  char **command = argv + 6;
  char *environment[] = {"PATH=/usr/bin", "HOME=/", "LANG=C.UTF-8", NULL};
  die_with(atoi(argv[1]));
  if (!examiner_folder) limit_threads();
  drop_privileges();
  restrict_access(examiner_folder, atoi(argv[2]), argv[3], argv[4], argv[5]);
  load_filter();
  execve(command[0], command, examiner_folder ? environ : environment);
  fail(command[0]);
}
