import type { Jail } from './source/source.ts';

/** Descriptors that the first process of a tool inherits in addition to stdin, stdout and stderr. */
export const toolDescriptors = { file: 3, filter: 4, gate: 5, firstOutlet: 6 } as const;

/** The path of a tool's input file where there is no `/in`. */
export const fileByDescriptor = `/proc/self/fd/${toolDescriptors.file}`;

/**
 * The uid and gid of the user `nobody`. A tool runs as this user in a bubblewrap jail and, if the worker is root, also
 * on the host.
 */
export const nobodyId = 65534;

const scratchFileBytesMax = 32 * 1024 * 1024;
const lockedBytesMax = 64 * 1024; // for a library that locks its keys in memory
const openFilesMax = 256;
/** The most threads that a tool may have. */
export const threadsMax = 128;
/** A process can ignore the soft limit's SIGXCPU, but not the hard limit's SIGKILL. */
const cpuGraceSeconds = 1;

/** The paths of the host that a tool can see. A path that does not exist is left out. */
export const visiblePaths = {
  /** Programs and libraries. Not all of /usr: operators may install more there, such as this service. */
  executable: ['/usr/bin', '/usr/lib', '/usr/lib64'],
  readable: [
    '/usr/share',
    '/etc/alternatives', // Debian's symbolic links to some libraries go through this folder
    '/etc/ld.so.cache', // the loader needs it to find libraries in other folders
    '/etc/fonts', // font configuration, for filters that draw text
  ],
  readableDevices: ['/dev/zero', '/dev/urandom'],
  writableDevices: ['/dev/null'],
} as const;

/** What a jail that runs this program lets it execute. Programs of our own are not in the folders of the system. */
export function executablesFor(program: string): readonly string[] {
  const { executable } = visiblePaths;
  return executable.some((folder) => program.startsWith(`${folder}/`)) ? executable : [...executable, program];
}

/** prlimit's arguments before the program to run. */
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
    // In a bubblewrap jail, the kernel counts the jail's threads. Elsewhere it would count all threads of the user.
    ...(jail === 'bubblewrap' ? [`--nproc=${threadsMax}`] : []),
    '--',
  ];
}
