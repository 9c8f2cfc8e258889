import type { Jail } from '../source/source.ts';

/** Descriptors that the first process of a tool inherits in addition to stdin, stdout and stderr. */
export const descriptors = { file: 3, filter: 4, gate: 5, firstOutlet: 6 } as const;

/** The path of the file without a jail. */
export const fileByDescriptor = `/proc/self/fd/${descriptors.file}`;

/** Uid and gid of `nobody`, the user of a tool inside the jail. If the worker is root, also outside it. */
export const nobody = 65534;

// The scratch folder of a tool is in memory and disappears with the jail.
const scratchBytesMax = 64 * 1024 * 1024;
const scratchFileBytesMax = 32 * 1024 * 1024;
const lockedBytesMax = 64 * 1024; // a library locks its keys in memory
const openFilesMax = 256;
const threadsMax = 128;
/** A process can ignore SIGXCPU of the soft limit, but not SIGKILL of the hard limit. */
const cpuGraceSeconds = 1;

/** The paths of the host that are visible in the jail, all read-only. */
const shown: [kind: '--ro-bind' | '--ro-bind-try' | '--dev-bind', path: string][] = [
  // Programs, libraries and data. Not all of /usr: operators may install more there, such as this service.
  ['--ro-bind', '/usr/bin'],
  ['--ro-bind', '/usr/lib'],
  ['--ro-bind-try', '/usr/lib64'], // the dynamic loader on x86-64
  ['--ro-bind', '/usr/share'],
  ['--ro-bind', '/etc/alternatives'], // Debian's symbolic links to some libraries go through it
  ['--ro-bind', '/etc/ld.so.cache'], // the loader needs it to find libraries in other folders
  ['--ro-bind-try', '/etc/fonts'], // font configuration, for filters that draw text
  ['--dev-bind', '/dev/null'],
  ['--dev-bind', '/dev/zero'],
  ['--dev-bind', '/dev/urandom'],
];

/** For Debian's merged /usr: programs refer to their loader by the old path. */
const links = [
  ['usr/bin', '/bin'],
  ['usr/lib', '/lib'],
  ['usr/lib64', '/lib64'],
];

/**
 * The first program in the jail. bubblewrap sets the parent-death signal of its processes one after the other, so a
 * worker that dies during the setup would leave the jail running. Therefore this script waits until the last of them,
 * pid 1 of the jail, has it: pid 1 installs its seccomp filter right after. Then it asks the worker, which replies if
 * it is alive. The script is a constant: the tool's command line is passed as arguments and never parsed as shell code.
 */
const gate = `count() { while read -r name filters && [ "$name" != Seccomp_filters: ]; do :; done </proc/$1/status; }
count self; ours=$filters
while count 1; [ "$filters" != "$ours" ]; do :; done
echo >&${descriptors.gate} && read -r answer <&${descriptors.gate} && exec "$@" ${descriptors.gate}>&-`;

/**
 * The arguments of bubblewrap up to the program to run. `--new-session` is not used: the process group already has its
 * own session, and a tool in another session would survive when the group is killed.
 */
export function jailArguments(): string[] {
  return [
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
    '--clearenv',
    ...['--setenv', 'PATH', '/usr/bin'],
    ...['--setenv', 'HOME', '/tmp'],
    ...['--setenv', 'LANG', 'C.UTF-8'],
    ...['--uid', `${nobody}`, '--gid', `${nobody}`],
    ...shown.flatMap(([kind, path]) => [kind, path, path]),
    ...links.flatMap(([target = '', path = '']) => ['--symlink', target, path]),
    ...['--proc', '/proc'],
    ...['--size', `${scratchBytesMax}`, '--tmpfs', '/tmp'],
    // An anonymous file cannot be bind-mounted. Reopened through its descriptor, it can be read and seeked.
    ...['--symlink', fileByDescriptor, '/in'],
    ...['--remount-ro', '/'], // otherwise / would be writable without a size limit
    ...['--chdir', '/tmp'],
    ...['--seccomp', `${descriptors.filter}`],
    '--',
    ...['/usr/bin/dash', '-c', gate, 'gate'],
  ];
}

/** The arguments of prlimit up to the program to run. */
export function limitArguments(
  { cpuSecondsMax, memoryBytesMax }: { cpuSecondsMax: number; memoryBytesMax: number },
  jail: Jail,
): string[] {
  const cpuSeconds = Math.max(1, Math.ceil(cpuSecondsMax));
  return [
    `--as=${memoryBytesMax}`,
    `--cpu=${cpuSeconds}:${cpuSeconds + cpuGraceSeconds}`,
    `--fsize=${scratchFileBytesMax}`,
    `--memlock=${lockedBytesMax}`,
    `--nofile=${openFilesMax}`,
    '--core=0',
    // In a jail it counts the threads of the jail. Without one it would count all threads of the user.
    ...(jail === 'bubblewrap' ? [`--nproc=${threadsMax}`] : []),
    '--',
  ];
}
