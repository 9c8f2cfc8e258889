import { open, readlink } from 'node:fs/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { bubblewrap, runTool, type ToolEnd } from './run-tool.ts';

/** Namespaces that a tool must not share with this process. */
const namespaces = ['user', 'pid', 'mnt', 'net', 'ipc', 'uts', 'cgroup'];
const limits = { secondsMax: 10, cpuSecondsMax: 5, memoryBytesMax: 256 * 1024 * 1024, outputBytesMax: 4096 };

// perl is part of every Debian system, and exiftool needs it in the jail.
const listNamespaces = `open(my $in, '<', '/in') or die "/in: $!"; print readlink("/proc/self/ns/$_"), "\\n" for @ARGV`;
const openSocket = 'socket(my $socket, 2, 1, 0)'; // AF_INET, SOCK_STREAM

/**
 * Tests the jail, because only a test shows what this machine permits. A program must run in it, see its file and have
 * its own namespaces, and a program that opens a socket must be killed. Throws otherwise.
 */
export async function proveJail(jailProgram: string = bubblewrap): Promise<void> {
  const listed = await runPerl([listNamespaces, ...namespaces], jailProgram);
  const inside = listed.stdout.toString().split('\n');
  const outside = await Promise.all(namespaces.map((name) => readlink(`/proc/self/ns/${name}`)));
  const shared = namespaces.filter((_, i) => !inside[i] || inside[i] === outside[i]);
  if (listed.exitCode !== 0 || shared.length > 0) {
    throw new Error(`the jail shares namespaces with the host (${shared.join(', ')}) ${listed.stderr}`.trim());
  }
  const outcome = await runPerl([openSocket], jailProgram).catch((failure: unknown) => failure);
  const isKilled = outcome instanceof AssetFailure && outcome.errorType === 'resource_limit_exceeded';
  if (!isKilled) throw new Error('a tool in the jail was not killed when it opened a socket', { cause: outcome });
}

async function runPerl(script: readonly string[], jailProgram: string): Promise<ToolEnd> {
  const file = await open('/dev/null');
  try {
    const tool = { program: '/usr/bin/perl', args: ['-e', ...script], ...limits };
    return await runTool(tool, { fd: file.fd, signal: new AbortController().signal, jail: 'bubblewrap' }, jailProgram);
  } finally {
    await file.close();
  }
}
