import { readlink } from 'node:fs/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { openAnonymousFile } from './anonymous-file.ts';
import { type Escape, killedEscapes, refusedEscapes } from './escapes.ts';
import type { JailLevel } from './levels.ts';
import { runTool, type ToolEnd } from './run-tool.ts';
import type { Jail } from './source/source.ts';
import type { Architecture } from './system-calls.ts';

/** The result of trying an escape. `killed`: the tool was killed because it tried. */
export type EscapeResult = { name: string; result: 'refused' | 'killed' | 'succeeded' };

/** Namespaces that a tool in a bubblewrap jail must not share with this process. */
export const namespaces = ['user', 'pid', 'mnt', 'net', 'ipc', 'uts', 'cgroup'];
const perlLimits = { secondsMax: 10, cpuSecondsMax: 5, memoryBytesMax: 256 * 1024 * 1024, outputBytesMax: 16_384 };
const probeContent = 'the whole file';

/**
 * Tests the jail at startup, because only a test shows what this machine permits. Throws if a tool can escape from the
 * jail.
 */
export async function proveJail(level: JailLevel, jailProgram?: string): Promise<void> {
  requireNoEscape(await tryEscapes(level, { jailProgram }));
}

/**
 * A shorter version of `proveJail` for health checks: tries all escapes that one process can try, and one for which the
 * process is killed.
 */
export async function checkJail(level: JailLevel, jailProgram?: string): Promise<void> {
  requireNoEscape(await tryEscapes(level, { jailProgram, killedMax: 1 }));
}

export function requireNoEscape(results: EscapeResult[], who = 'a tool'): void {
  const open = results.filter(({ result }) => result === 'succeeded').map(({ name }) => name);
  if (open.length > 0) throw new Error(`${who} in the jail can ${open.join('; ')}`);
}

type EscapeOptions = { jailProgram?: string | undefined; killedMax?: number };
type RunPerl = (script: string, ...args: string[]) => Promise<ToolEnd>;

/** Tries every known escape. Throws if the jail does not work at all. */
export async function tryEscapes(
  jail: Jail,
  { jailProgram, killedMax = Number.POSITIVE_INFINITY }: EscapeOptions = {},
): Promise<EscapeResult[]> {
  const applies = ({ only }: Escape) => only === undefined || only === jail || jail === 'none';
  const { file, reading } = await openAnonymousFile();
  const runPerl: RunPerl = (script, ...args) => {
    // perl is part of every Debian system, and exiftool needs it in the jail.
    const tool = { program: '/usr/bin/perl', args: ['-e', script, ...args], ...perlLimits };
    return runTool(tool, { fd: reading.fd, signal: new AbortController().signal, jail }, jailProgram);
  };
  try {
    await file.write(`${probeContent}\n`);
    const refused = await tryTogether(refusedEscapes.filter(applies), jail === 'bubblewrap', runPerl);
    const killed = killedEscapes(process.arch as Architecture).filter(applies);
    return [...refused, ...(await Promise.all(killed.slice(0, killedMax).map((way) => tryAlone(way, runPerl))))];
  } finally {
    await Promise.all([file.close(), reading.close()]);
  }
}

/** Tries these escapes in one process, which must also read the file: a jail in which nothing works must not pass. */
async function tryTogether(escapes: Escape[], hasNamespaces: boolean, runPerl: RunPerl): Promise<EscapeResult[]> {
  const names = hasNamespaces ? namespaces : [];
  const script = `my $worker = shift;
    open(my $in, "<", "/proc/self/fd/3") or die "a tool cannot read its file: $!\\n"; print <$in>;
    print readlink("/proc/self/ns/$_") // "", "\\n" for @ARGV;
    ${escapes.map((way) => `${printingScript(way)} print "\\n";`).join('\n')}`;
  const { stdout, stderr } = await runPerl(script, `${process.pid}`, ...names);
  const [first, ...lines] = stdout.toString().split('\n');
  if (first !== probeContent) throw new Error(`a tool cannot read its file in the jail: ${stderr}`.trim());
  const outside = await Promise.all(names.map((name) => readlink(`/proc/self/ns/${name}`)));
  return [
    ...names.map((name, i) => ({
      name: `share the ${name} namespace of the machine`,
      result: lines[i] && lines[i] !== outside[i] ? ('refused' as const) : ('succeeded' as const),
    })),
    ...escapes.map((way, i) => toEscapeResult(way, lines[names.length + i], stderr)),
  ];
}

async function tryAlone(way: Escape, runPerl: RunPerl): Promise<EscapeResult> {
  try {
    const { stdout, stderr } = await runPerl(`my $worker = shift; ${printingScript(way)}`, `${process.pid}`);
    return toEscapeResult(way, stdout.toString(), stderr);
  } catch (failure) {
    const isKilled = failure instanceof AssetFailure && failure.errorType === 'resource_limit_exceeded';
    if (isKilled) return { name: way.name, result: 'killed' };
    throw failure;
  }
}

/** A Perl script that tries the escape and prints whether it succeeded. */
export function printingScript({ script }: Escape): string {
  return `print +(do { ${script} }) ? "succeeded" : "refused";`;
}

export function toEscapeResult({ name }: Escape, result: string | undefined, stderr: string): EscapeResult {
  if (result === 'refused' || result === 'succeeded') return { name, result };
  throw new Error(`an attempt ended early: ${name} ${stderr}`.trim());
}
