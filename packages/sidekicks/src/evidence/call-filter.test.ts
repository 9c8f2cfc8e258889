import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callFilters } from './call-filter.ts';
import { type Architecture, allowedCalls, judgedCalls, numberOf, refusedCalls } from './system-calls.ts';

const architectures: Architecture[] = ['x64', 'arm64'];
const marks = { x64: 0xc000003e, arm64: 0xc00000b7 };
const every = { ...allowedCalls, ...refusedCalls, ...judgedCalls };

/** The kernel's headers, where a machine has them. */
const headers: Record<Architecture, string> = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
};

function numbersIn(header: string): Map<string, number> {
  const text = readFileSync(header, 'latin1');
  const found = new Map(
    [...text.matchAll(/^#define __NR_?(\w+)\s+(\d+)/gm)].map((match) => [match[1] ?? '', Number(match[2])]),
  );
  // `__NR_lseek __NR3264_lseek`: one name for both widths.
  for (const [, name = '', other = ''] of text.matchAll(/^#define __NR_(\w+)\s+__NR(3264_\w+)/gm)) {
    const number = found.get(other);
    if (number !== undefined && !found.has(name)) found.set(name, number);
  }
  return found;
}

/** What the kernel would answer: the few instructions that there are, one after the other. */
function judge(filter: Buffer, mark: number, number: number, args: number[] = []): 'kill' | 'allow' | number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(mark, 4);
  for (const [i, arg] of args.entries()) data.writeBigUInt64LE(BigInt(arg), 16 + 8 * i);
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, operand] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const jump = (holds: boolean) => 8 * filter.readUInt8(at + (holds ? 2 : 3));
    if (code === 0x20) loaded = data.readUInt32LE(operand);
    else if (code === 0x15) at += jump(loaded === operand);
    else if (code === 0x45) at += jump((loaded & operand) !== 0);
    else if (code !== 0x06) throw new Error(`unknown instruction ${code}`);
    else return operand === 0x8000_0000 ? 'kill' : operand === 0x7fff_0000 ? 'allow' : operand & 0xffff;
  }
  throw new Error('runs over its end');
}

describe.each(architectures)('the filter of %s', (architecture) => {
  const filter = callFilters[architecture];
  const ask = (number: number, args?: number[]) => judge(filter, marks[architecture], number, args);
  const numberFor = (name: keyof typeof judgedCalls) => numberOf(judgedCalls[name], architecture) ?? -1;

  const reason = existsSync(headers[architecture]) ? '' : ` (skipped: there is no ${headers[architecture]})`;
  test.skipIf(reason)(`has the numbers of the kernel’s headers${reason}`, () => {
    const numbers = numbersIn(headers[architecture]);
    const table = Object.entries(every).map(([name, pair]) => [name, numberOf(pair, architecture)]);
    expect(table).toEqual(table.map(([name]) => [name, numbers.get(String(name)) ?? null]));
  });

  test('lets through what is named, fails what is refused, and ends a process for all else', () => {
    const numbersOf = (calls: typeof allowedCalls) => Object.values(calls).map((pair) => numberOf(pair, architecture));
    const [allowed, refused] = [numbersOf(allowedCalls), numbersOf(refusedCalls)];
    const judged = Object.keys(judgedCalls).map((name) => numberFor(name as keyof typeof judgedCalls));
    for (let number = 0; number < 1024; number++) {
      if (judged.includes(number)) continue;
      expect([number, ask(number)]).toEqual([
        number,
        allowed.includes(number) ? 'allow' : refused.includes(number) ? 38 : 'kill',
      ]);
    }
  });

  test('ends a process that calls by the numbers of another architecture', () => {
    const read = numberOf(allowedCalls.read ?? [0, 0], architecture) ?? -1;
    expect(ask(read)).toBe('allow');
    for (const mark of [0x4000_0003, 0x4000_0028, marks[architecture === 'x64' ? 'arm64' : 'x64']]) {
      expect(judge(filter, mark, read)).toBe('kill');
    }
    expect(ask(0x4000_0000 + read)).toBe('kill'); // the x32 numbers of x86-64
  });

  test('lets a thread be made, and neither a process nor a namespace', () => {
    const thread = 0x3d0f00; // what glibc asks for
    expect(ask(numberFor('clone'), [thread])).toBe('allow');
    expect(ask(numberFor('clone'), [0x1200011])).toBe('kill'); // what glibc asks for to fork
    expect(ask(numberFor('clone'), [0x4111])).toBe('kill'); // and to vfork
    for (const namespace of [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(ask(numberFor('clone'), [thread | namespace])).toBe('kill');
      expect(ask(numberFor('clone'), [namespace])).toBe('kill');
    }
  });

  test('lets nothing be typed into a terminal', () => {
    const [tcgets, tiocsti, tioclinux] = [0x5401, 0x5412, 0x541c];
    expect([tcgets, tiocsti, tioclinux].map((request) => ask(numberFor('ioctl'), [1, request]))).toEqual([
      'allow',
      25,
      25,
    ]);
  });

  test('lets nobody be untied from the life of its parent', () => {
    const [setPdeathsig, sigkill] = [1, 9];
    expect(ask(numberFor('prctl'), [setPdeathsig, sigkill])).toBe('allow');
    expect(ask(numberFor('prctl'), [setPdeathsig, 0])).toBe(22);
    expect(ask(numberFor('prctl'), [15])).toBe('allow'); // its own name
    expect(ask(numberFor('prctl'), [8])).toBe(22); // what it keeps of its rights
  });
});
