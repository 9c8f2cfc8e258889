import { executablesFor, fileByDescriptor, nobodyId, toolDescriptors, visiblePaths } from './jail.ts';

export const bubblewrap = '/usr/bin/bwrap';

const bind = (kind: string, paths: readonly string[]) => paths.flatMap((path) => [kind, path, path]);

/** For Debian's merged /usr: programs refer to their loader by the old path. */
const mergedUsrLinks = [
  ['usr/bin', '/bin'],
  ['usr/lib', '/lib'],
  ['usr/lib64', '/lib64'],
];

/**
 * The first program in the jail. bubblewrap sets the parent-death signal of its processes one after the other, so a
 * worker that dies during the setup would leave the jail running. Therefore this script waits until pid 1 of the jail,
 * the last of these processes, has installed its seccomp filter, which it does right after it has set the signal. Then
 * the script asks the worker, which replies if it is alive. The script is a constant: the tool's command line is passed
 * as arguments and never parsed as shell code.
 */
const gate = `count() { while read -r name filters && [ "$name" != Seccomp_filters: ]; do :; done </proc/$1/status; }
count self; ours=$filters
while count 1; [ "$filters" != "$ours" ]; do :; done
echo >&${toolDescriptors.gate} && read -r answer <&${toolDescriptors.gate} && exec "$@" ${toolDescriptors.gate}>&-`;

/**
 * bubblewrap's arguments before the program to run. `--new-session` is not used: the process group already has its
 * own session, and a tool in another session would survive when the group is killed.
 */
export function bubblewrapArguments(program: string): string[] {
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
    ...['--uid', `${nobodyId}`, '--gid', `${nobodyId}`],
    ...visibleArguments(executablesFor(program)),
    // Read-only: the tool could ask the kernel to spare it, and end another process, when memory runs out.
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    ...['--dir', '/tmp'],
    // An anonymous file cannot be bind-mounted. Reopened through its descriptor, it can be read and seeked.
    ...['--symlink', fileByDescriptor, '/in'],
    // No folder is writable: a limit of its size would not limit the memory that a million empty files take.
    ...['--remount-ro', '/'],
    ...['--chdir', '/tmp'],
    ...['--seccomp', `${toolDescriptors.filter}`],
    '--',
    ...['/usr/bin/dash', '-c', gate, 'gate'],
  ];
}

/** Makes the paths visible that every tool needs. */
export function visibleArguments(executable: readonly string[] = visiblePaths.executable): string[] {
  return [
    ...bind('--ro-bind-try', [...executable, ...visiblePaths.readable]),
    ...bind('--dev-bind', [...visiblePaths.readableDevices, ...visiblePaths.writableDevices]),
    ...mergedUsrLinks.flatMap(([target = '', path = '']) => ['--symlink', target, path]),
  ];
}
