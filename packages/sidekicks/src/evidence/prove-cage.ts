import { open, readlink } from 'node:fs/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { bubblewrap, runTool, type ToolEnd } from './run-tool.ts';

/** What a tool must not have in common with this process. */
const namespaces = ['user', 'pid', 'mnt', 'net', 'ipc', 'uts', 'cgroup'];
const limits = { secondsMax: 10, cpuSecondsMax: 5, memoryBytesMax: 256 * 1024 * 1024, outputBytesMax: 4096 };

// Every Debian has perl, and exiftool needs it inside.
const lookAround = `open(my $in, '<', '/in') or die "/in: $!"; print readlink("/proc/self/ns/$_"), "\\n" for @ARGV`;
const askForSocket = 'socket(my $socket, 2, 1, 0)'; // AF_INET, SOCK_STREAM

/**
 * Tries the cage, as only a trial shows what this machine allows: a program must run inside, see its file and
 * namespaces of its own, and one that asks for a socket must be ended for it. Throws when that is not so.
 */
export async function proveCage(cageProgram: string = bubblewrap): Promise<void> {
  const looked = await runPerl([lookAround, ...namespaces], cageProgram);
  const inside = looked.stdout.toString().split('\n');
  const outside = await Promise.all(namespaces.map((name) => readlink(`/proc/self/ns/${name}`)));
  const shared = namespaces.filter((_, i) => !inside[i] || inside[i] === outside[i]);
  if (looked.exitCode !== 0 || shared.length > 0) {
    throw new Error(`a tool inside sees this machine (${shared.join(', ')}) ${looked.stderr}`.trim());
  }
  const asked = await runPerl([askForSocket], cageProgram).catch((failure: unknown) => failure);
  const isEnded = asked instanceof AssetFailure && asked.errorType === 'resource_limit_exceeded';
  if (!isEnded) throw new Error('a tool inside was not ended when it asked for a socket', { cause: asked });
}

async function runPerl(script: readonly string[], cageProgram: string): Promise<ToolEnd> {
  const file = await open('/dev/null');
  try {
    const tool = { program: '/usr/bin/perl', args: ['-e', ...script], ...limits };
    return await runTool(tool, { fd: file.fd, signal: new AbortController().signal, cage: 'bubblewrap' }, cageProgram);
  } finally {
    await file.close();
  }
}
