import { existsSync } from 'node:fs';
import { auditArchs, evaluate, headerPaths, numbersIn } from '@assay/testing/media/evaluate-filter.ts';
import { describe, expect, test } from 'vitest';
import { type Architecture, allowedCalls, callNumberOf } from '../system-calls.ts';
import { assembleExaminerFilter, protectThisProcess } from './examiner-filter.ts';
import { argumentCalls, firstUnknownNumber, neededByBubblewrap, neverNeeded } from './refused-calls.ts';

const architectures: Architecture[] = ['x64', 'arm64'];
const [EPERM, ENOSYS] = [1, 38];
const worker = { pid: 4711, group: 4700 };
type Calls = Readonly<Record<string, readonly [number, number | null]>>;

describe.each(architectures)('the seccomp filter of an examiner for %s', (architecture) => {
  const evaluateWith = (filter: Buffer) => (number: number, args?: number[]) =>
    evaluate(filter, auditArchs[architecture], number, args);
  const withNamespaces = evaluateWith(assembleExaminerFilter(architecture, null));
  const without = evaluateWith(assembleExaminerFilter(architecture, worker));
  const numbersOf = (calls: Calls) => Object.values(calls).flatMap((pair) => callNumberOf(pair, architecture) ?? []);
  const numberFor = (name: keyof typeof argumentCalls) => callNumberOf(argumentCalls[name], architecture) ?? -1;

  const reason = existsSync(headerPaths[architecture]) ? '' : ` (skipped: ${headerPaths[architecture]} not found)`;
  test.skipIf(reason)(`uses the same system call numbers as the kernel headers${reason}`, () => {
    const numbers = numbersIn(headerPaths[architecture]);
    const isInHeaders = (name: string) => name !== 'fchmodat2'; // it is newer
    const calls: Calls = { ...neverNeeded, ...neededByBubblewrap, ...argumentCalls };
    const listed = Object.entries(calls).filter(([name]) => isInHeaders(name));
    const table = listed.map(([name, pair]) => [name, callNumberOf(pair, architecture)]);
    expect(table).toEqual(table.map(([name]) => [name, numbers.get(String(name)) ?? null]));
  });

  test('refuses the listed calls and all that are newer than the lists, and allows the others', () => {
    const conditional = numbersOf(argumentCalls);
    for (const [actionFor, refused] of [
      [withNamespaces, numbersOf(neverNeeded)],
      [without, numbersOf({ ...neverNeeded, ...neededByBubblewrap })],
    ] as const) {
      for (let number = 0; number < 1024; number++) {
        if (conditional.includes(number)) continue;
        const expected = number >= firstUnknownNumber ? ENOSYS : refused.includes(number) ? EPERM : 'allow';
        expect([number, actionFor(number)]).toEqual([number, expected]);
      }
    }
  });

  test('refuses nothing that tools need', () => {
    for (const number of numbersOf(allowedCalls)) expect([number, without(number)]).toEqual([number, 'allow']);
  });

  test('kills a process that uses the numbers of another architecture or ABI', () => {
    const filter = assembleExaminerFilter(architecture, null);
    expect(evaluate(filter, 0x4000_0003, 0)).toBe('kill');
    expect(withNamespaces(0x4000_0000)).toBe(ENOSYS); // the x32 ABI of x86-64
  });

  test('permits no signals to the worker, by id, by group, to all, or through a descriptor', () => {
    const kill = (pid: number) => without(numberFor('kill'), [pid >>> 0, 9]);
    expect([kill(worker.pid), kill(1), kill(-worker.group), kill(-1)]).toEqual([EPERM, EPERM, EPERM, EPERM]);
    expect(kill(-5000)).toBe('allow'); // the group of a tool
    const tgkill = (pid: number) => without(numberFor('tgkill'), [pid, pid, 9]);
    expect([tgkill(worker.pid), tgkill(1), tgkill(5000)]).toEqual([EPERM, EPERM, 'allow']);
    for (const [call, request] of [
      ['fcntl', 8], // F_SETOWN
      ['fcntl', 10], // F_SETSIG
      ['fcntl', 15], // F_SETOWN_EX
      ['ioctl', 0x8901], // FIOSETOWN
    ] as const) {
      expect([call, request, without(numberFor(call), [0, request])]).toEqual([call, request, EPERM]);
    }
  });

  test('permits limits of other processes to be neither read nor changed', () => {
    const limit = (pid: number) => without(numberFor('prlimit64'), [pid]);
    expect([limit(0), limit(worker.pid), limit(5000)]).toEqual(['allow', EPERM, EPERM]);
  });

  test('permits no sockets but connected pairs, and with namespaces those that bubblewrap needs', () => {
    const [AF_UNIX, AF_INET, AF_NETLINK] = [1, 2, 16];
    const socket = (actionFor: typeof without) =>
      [AF_UNIX, AF_INET, AF_NETLINK].map((family) => actionFor(numberFor('socket'), [family, 1]));
    expect([socket(without), socket(withNamespaces)]).toEqual([
      [EPERM, EPERM, EPERM],
      ['allow', EPERM, 'allow'],
    ]);
    const pair = (type: number) => without(numberFor('socketpair'), [AF_UNIX, type]);
    expect([pair(1), pair(1 | 0x8_0800), pair(2), pair(5)]).toEqual(['allow', 'allow', EPERM, EPERM]);
  });

  test('permits processes and threads, but no namespaces unless the examiner has its own', () => {
    const clone = (flags: number) => without(numberFor('clone'), [flags]);
    expect([clone(0x3d0f00), clone(0x1200011), clone(0x10000011)]).toEqual(['allow', 'allow', EPERM]);
    expect([without(numberFor('clone3')), withNamespaces(numberFor('clone3'))]).toEqual([ENOSYS, 'allow']);
  });
});

test('the worker that the filter protects is this process', () => {
  const { pid, group } = protectThisProcess();
  expect(pid).toBe(process.pid);
  expect(process.kill(-group, 0)).toBe(true);
});
