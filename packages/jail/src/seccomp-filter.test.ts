import { existsSync } from 'node:fs';
import { auditArchs, evaluate, headerPaths, numbersIn } from '@assay/testing/media/evaluate-filter.ts';
import { describe, expect, test } from 'vitest';
import { assembleFilter } from './seccomp-filter.ts';
import {
  type Architecture,
  allowedCalls,
  callNumberOf,
  conditionalCalls,
  processCalls,
  refusedCalls,
} from './system-calls.ts';

const architectures: Architecture[] = ['x64', 'arm64'];
/** Calls that the filter allows or refuses, depending on an argument. */
const argumentDependentCalls = { ...conditionalCalls, ...processCalls };
const allCalls = { ...allowedCalls, ...refusedCalls, ...argumentDependentCalls };
const ownPid = 4711;

describe.each(architectures)('the seccomp filter for %s', (architecture) => {
  const filter = assembleFilter(architecture, ownPid);
  const actionFor = (number: number, args?: number[]) => evaluate(filter, auditArchs[architecture], number, args);
  const numberFor = (name: keyof typeof argumentDependentCalls) =>
    callNumberOf(argumentDependentCalls[name], architecture) ?? -1;

  const reason = existsSync(headerPaths[architecture]) ? '' : ` (skipped: ${headerPaths[architecture]} not found)`;
  test.skipIf(reason)(`uses the same system call numbers as the kernel headers${reason}`, () => {
    const numbers = numbersIn(headerPaths[architecture]);
    const table = Object.entries(allCalls).map(([name, pair]) => [name, callNumberOf(pair, architecture)]);
    expect(table).toEqual(table.map(([name]) => [name, numbers.get(String(name)) ?? null]));
  });

  test('allows allowedCalls, rejects refusedCalls with an error, and kills the process for any other call', () => {
    const numbersOf = (calls: typeof allowedCalls) =>
      Object.values(calls).map((pair) => callNumberOf(pair, architecture));
    const [allowed, refused] = [numbersOf(allowedCalls), numbersOf(refusedCalls)];
    const conditional = Object.keys(argumentDependentCalls).map((name) =>
      numberFor(name as keyof typeof argumentDependentCalls),
    );
    for (let number = 0; number < 1024; number++) {
      if (conditional.includes(number)) continue;
      expect([number, actionFor(number)]).toEqual([
        number,
        allowed.includes(number) ? 'allow' : refused.includes(number) ? 38 : 'kill',
      ]);
    }
  });

  test('kills a process that uses the system call numbers of a different architecture', () => {
    const read = callNumberOf(allowedCalls.read ?? [0, 0], architecture) ?? -1;
    expect(actionFor(read)).toBe('allow');
    for (const auditArch of [0x4000_0003, 0x4000_0028, auditArchs[architecture === 'x64' ? 'arm64' : 'x64']]) {
      expect(evaluate(filter, auditArch, read)).toBe('kill');
    }
    expect(actionFor(0x4000_0000 + read)).toBe('kill'); // the number in the x32 ABI of x86-64
  });

  test('allows a new thread, but no new process or namespace', () => {
    const thread = 0x3d0f00; // glibc's flags for a thread
    expect(actionFor(numberFor('clone'), [thread])).toBe('allow');
    expect(actionFor(numberFor('clone'), [0x1200011])).toBe('kill'); // glibc's flags for fork
    expect(actionFor(numberFor('clone'), [0x4111])).toBe('kill'); // glibc's flags for vfork
    for (const namespace of [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(actionFor(numberFor('clone'), [thread | namespace])).toBe('kill');
      expect(actionFor(numberFor('clone'), [namespace])).toBe('kill');
    }
  });

  test('does not allow input to be inserted into a terminal', () => {
    const [tcgets, tiocsti, tioclinux] = [0x5401, 0x5412, 0x541c];
    expect([tcgets, tiocsti, tioclinux].map((request) => actionFor(numberFor('ioctl'), [1, request]))).toEqual([
      'allow',
      25,
      25,
    ]);
  });

  test('does not allow signals to be sent through a file descriptor', () => {
    const [setfd, setown, setsig, setownEx, setlease, notify] = [2, 8, 10, 15, 1024, 1026];
    expect(actionFor(numberFor('fcntl'), [0, setfd])).toBe('allow');
    for (const command of [setown, setsig, setownEx, setlease, notify]) {
      expect(actionFor(numberFor('fcntl'), [0, command])).toBe(22);
    }
  });

  test('allows a process to pass its own process id, but not that of another process', () => {
    const pidAt = (name: string) => (name === 'getpriority' ? 1 : 0);
    const argsFor = (name: string, pid: number) => Array.from({ length: 4 }, (_, i) => (i === pidAt(name) ? pid : 0));
    for (const name of Object.keys(processCalls) as (keyof typeof processCalls)[]) {
      const number = numberFor(name);
      expect([name, actionFor(number, argsFor(name, ownPid)), actionFor(number, argsFor(name, 0))]).toEqual([
        name,
        'allow',
        'allow',
      ]);
      const action = ['prlimit64', 'tgkill'].includes(name) ? 'kill' : 3;
      for (const other of [1, ownPid - 1, ownPid + 1, 0xffff_ffff]) {
        expect([name, other, actionFor(number, argsFor(name, other))]).toEqual([name, other, action]);
      }
      // A bubblewrap jail has its own process ids, so that its processes cannot name those of the host.
      expect(evaluate(assembleFilter(architecture, null), auditArchs[architecture], number, [1, 1])).toBe('allow');
    }
  });

  test('does not allow the parent-death signal to be cleared', () => {
    const [setPdeathsig, sigkill] = [1, 9];
    expect(actionFor(numberFor('prctl'), [setPdeathsig, sigkill])).toBe('allow');
    expect(actionFor(numberFor('prctl'), [setPdeathsig, 0])).toBe(22);
    expect(actionFor(numberFor('prctl'), [15])).toBe('allow'); // PR_SET_NAME
    expect(actionFor(numberFor('prctl'), [8])).toBe(22); // PR_SET_KEEPCAPS
  });
});
