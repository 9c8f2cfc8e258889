import { once } from 'node:events';
import { readlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { examinerEscapes } from '../escapes.ts';
import type { JailLevel } from '../levels.ts';
import { type EscapeResult, namespaces, printingScript, requireNoEscape, toEscapeResult } from '../prove-jail.ts';
import type { Jail } from '../source/source.ts';
import type { Architecture } from '../system-calls.ts';
import { type ExaminerPaths, spawnInExaminerJail } from './examiner-jail.ts';

/** Throws if a process that is started as an examiner is could do what an examiner must not be able to do. */
export async function proveExaminerJail(level: JailLevel, paths: ExaminerPaths): Promise<void> {
  requireNoEscape(await tryExaminerEscapes(level, paths), 'an examiner');
}

/** Tries every known escape, in one process. Throws if the jail does not work at all. */
export async function tryExaminerEscapes(jail: Jail, paths: ExaminerPaths): Promise<EscapeResult[]> {
  const escapes = examinerEscapes(process.arch as Architecture).filter(
    ({ only }) => only === undefined || only === jail || jail === 'none',
  );
  const names = jail === 'bubblewrap' ? namespaces : [];
  const script = `my $worker = shift; $| = 1;
    print readlink("/proc/self/ns/$_") // "", "\\n" for @ARGV;
    ${escapes.map((way) => `${printingScript(way)} print "\\n";`).join('\n')}
    print "done";`;
  const { stdout, stderr } = await runPerl(jail, script, [`${process.pid}`, ...names], paths);
  const lines = stdout.split('\n');
  if (lines.at(-1) !== 'done') throw new Error(`no examiner can be started in the jail: ${stderr}`.trim());
  const outside = await Promise.all(names.map((name) => readlink(`/proc/self/ns/${name}`)));
  return [
    ...names.map((name, i) => ({
      name: `share the ${name} namespace of the machine`,
      result: lines[i] && lines[i] !== outside[i] ? ('refused' as const) : ('succeeded' as const),
    })),
    ...escapes.map((way, i) => toEscapeResult(way, lines[names.length + i], stderr)),
  ];
}

async function runPerl(jail: Jail, script: string, args: string[], paths: ExaminerPaths) {
  const child = spawnInExaminerJail(jail, ['/usr/bin/perl', '-e', script, ...args], paths, {
    stdio: { 1: 'pipe', 2: 'pipe' },
    env: {},
  });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout as Readable), text(child.stderr as Readable), ended]);
  return { stdout, stderr };
}
