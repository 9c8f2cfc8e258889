/** Where tools run: in a cage of bubblewrap, or under limits of the process alone. */
export type Cage = 'bubblewrap' | 'none';

/** Descriptors that a tool's first process inherits beside its input and output. */
export const descriptors = { file: 3, filter: 4, gate: 5, firstOutlet: 6 } as const;

/** Where the file is when nothing hides the rest of the machine. */
export const fileByDescriptor = `/proc/self/fd/${descriptors.file}`;

/** The user that a tool is inside, and outside too when the worker is root: `nobody`. */
export const nobody = 65534;

// The tool's own scratch folder lies in memory and is gone with it.
const scratchBytesMax = 64 * 1024 * 1024;
const scratchFileBytesMax = 32 * 1024 * 1024;
const lockedBytesMax = 64 * 1024; // what a library takes for its keys
const openFilesMax = 256;
const threadsMax = 128;
/** A process may catch the signal of the first limit; the second one it cannot. */
const cpuGraceSeconds = 1;

/** What of the machine can be seen inside, all of it for reading alone. */
const shown: [kind: '--ro-bind' | '--ro-bind-try' | '--dev-bind', path: string][] = [
  // The programs, their libraries and data. Beside them /usr may hold what an operator installed, such as this service.
  ['--ro-bind', '/usr/bin'],
  ['--ro-bind', '/usr/lib'],
  ['--ro-bind-try', '/usr/lib64'], // the loader of x86-64
  ['--ro-bind', '/usr/share'],
  ['--ro-bind', '/etc/alternatives'], // Debian links some libraries through it
  ['--ro-bind', '/etc/ld.so.cache'], // where the loader finds those in folders of their own
  ['--ro-bind-try', '/etc/fonts'], // which fonts there are, for what draws text
  ['--dev-bind', '/dev/null'],
  ['--dev-bind', '/dev/zero'],
  ['--dev-bind', '/dev/urandom'],
];

/** Debian's merged /usr: programs name their loader by the old path. */
const links = [
  ['usr/bin', '/bin'],
  ['usr/lib', '/lib'],
  ['usr/lib64', '/lib64'],
];

/**
 * The first program inside. bubblewrap ties its processes to the life of their parents one after the other, so a
 * worker that dies while a cage is built would leave it behind. So this waits until the last is tied: the first
 * process inside, which takes its filter just after. Then it asks the worker, which answers if it lives. The text is
 * a constant: what is to be run comes as arguments and is never read as text.
 */
const gate = `count() { while read -r name filters && [ "$name" != Seccomp_filters: ]; do :; done </proc/$1/status; }
count self; ours=$filters
while count 1; [ "$filters" != "$ours" ]; do :; done
echo >&${descriptors.gate} && read -r answer <&${descriptors.gate} && exec "$@" ${descriptors.gate}>&-`;

/**
 * The arguments of bubblewrap up to the program that it is to run. There is no `--new-session`: the group that is
 * started has a session of its own already, and in another the tool would be out of reach when the group is killed.
 */
export function cageArguments(): string[] {
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
    // A file without a name cannot be bound; opened anew through its descriptor it can be read and sought in.
    ...['--symlink', fileByDescriptor, '/in'],
    ...['--remount-ro', '/'], // else there would be a second place to write, without a size
    ...['--chdir', '/tmp'],
    ...['--seccomp', `${descriptors.filter}`],
    '--',
    ...['/usr/bin/dash', '-c', gate, 'gate'],
  ];
}

/** The arguments of prlimit up to the program that it is to run. */
export function limitArguments(
  { cpuSecondsMax, memoryBytesMax }: { cpuSecondsMax: number; memoryBytesMax: number },
  cage: Cage,
): string[] {
  const cpuSeconds = Math.max(1, Math.ceil(cpuSecondsMax));
  return [
    `--as=${memoryBytesMax}`,
    `--cpu=${cpuSeconds}:${cpuSeconds + cpuGraceSeconds}`,
    `--fsize=${scratchFileBytesMax}`,
    `--memlock=${lockedBytesMax}`,
    `--nofile=${openFilesMax}`,
    '--core=0',
    // Inside it counts what is in this cage. Outside it would count all that the user runs.
    ...(cage === 'bubblewrap' ? [`--nproc=${threadsMax}`] : []),
    '--',
  ];
}
