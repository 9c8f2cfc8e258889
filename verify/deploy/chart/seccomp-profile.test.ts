import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readChartFile } from './chart-files.ts';

type Rule = { names: string[]; action: string; errnoRet?: number; args?: unknown[] };
type Profile = { defaultErrnoRet: number; syscalls: Rule[] };

const profile: Profile = JSON.parse(readChartFile('files/bubblewrap.json'));

// The kernel header with the system call numbers of this architecture, and its AUDIT_ARCH_* value.
const [header, architecture] =
  process.arch === 'arm64'
    ? ['/usr/include/asm-generic/unistd.h', 0xc000_00b7]
    : ['/usr/include/x86_64-linux-gnu/asm/unistd_64.h', 0xc000_003e];
const numbers = new Map(
  [...readFileSync(header, 'utf8').matchAll(/#define __NR(?:3264)?_(\w+)\s+(\d+)/g)].map(([, name, number]) => [
    name as string,
    Number(number),
  ]),
);

// What jail.ts requests from the kernel through bubblewrap.
const bubblewrap = '/usr/bin/bwrap';
const jailCommand = [bubblewrap, '--unshare-all', '--unshare-user', '--disable-userns', '--ro-bind', '/usr', '/usr'];
const symlinkOptions = ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'];
const mountOptions = ['--proc', '/proc', '--tmpfs', '/tmp', '--remount-ro', '/'];
const trueInJail = [...jailCommand, ...symlinkOptions, ...mountOptions, '/usr/bin/true'];
const tryCall = (name: string) => ['perl', '-e', `exit(syscall(${numbers.get(name)}, 0, 0, 0, 0, 0) < 0 ? 0 + $! : 0)`];

describe('the seccomp profile for bubblewrap', () => {
  test('lets bubblewrap create a jail', () => {
    expect(runUnder(profile, trueInJail)).toMatchObject({ status: 0, stderr: '' });
  });

  test.each(['mount', 'unshare', 'pivot_root'])('must allow %s for bubblewrap to create a jail', (name) => {
    const without = profile.syscalls.map((rule) => ({
      ...rule,
      names: rule.names.filter((other) => other !== name),
    }));
    const calls =
      name === 'unshare' ? without.map((rule) => ({ ...rule, names: rule.names.filter(isNoClone) })) : without;
    expect(runUnder({ ...profile, syscalls: calls }, trueInJail).status).not.toBe(0);
  });

  test.each(['setns', 'keyctl', 'bpf', 'init_module', 'open_by_handle_at', 'ptrace', 'io_uring_setup'])(
    'refuses %s',
    (name) => {
      expect(runUnder(profile, tryCall(name)).status).toBe(1); // EPERM
    },
  );

  test('names each system call once, including those that only one architecture has', () => {
    const names = profile.syscalls.filter(({ args }) => !args).flatMap((rule) => rule.names);
    expect(names.length).toBe(new Set(names).size);
    const generic = readFileSync('/usr/include/asm-generic/unistd.h', 'utf8');
    for (const name of ['clone', 'openat', 'mount', 'renameat']) expect(generic).toContain(`_${name} `);
    for (const name of ['clone', 'openat', 'open', 'mount', 'renameat', 'fork']) expect(names).toContain(name);
  });
});

function isNoClone(name: string): boolean {
  return !['clone', 'clone3'].includes(name);
}

/** Runs a command in a user namespace under the rules of the profile that have no conditions on arguments. */
function runUnder({ defaultErrnoRet, syscalls }: Profile, command: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-seccomp-'));
  const file = join(folder, 'filter');
  writeFileSync(file, assemble(syscalls, defaultErrnoRet));
  const fd = openSync(file, 'r');
  try {
    const around = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--unshare-user', '--seccomp', '3'];
    return spawnSync(bubblewrap, [...around, ...command], { stdio: ['ignore', 'pipe', 'pipe', fd], encoding: 'utf8' });
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

/** Assembles the rules as classic BPF: a comparison and a return for each system call. */
function assemble(rules: Rule[], elseErrno: number): Buffer {
  const errno = (number = 0) => 0x0005_0000 | number;
  const instructions = [
    [0x20, 0, 0, 4], // load the architecture
    [0x15, 1, 0, architecture],
    [0x06, 0, 0, 0x8000_0000], // kill
    [0x20, 0, 0, 0], // load the system call number
  ];
  for (const { names, action, errnoRet, args } of rules) {
    for (const name of args ? [] : names) {
      const number = numbers.get(name);
      if (number === undefined) continue; // a system call of the other architecture
      instructions.push(
        [0x15, 0, 1, number],
        [0x06, 0, 0, action === 'SCMP_ACT_ALLOW' ? 0x7fff_0000 : errno(errnoRet)],
      );
    }
  }
  instructions.push([0x06, 0, 0, errno(elseErrno)]);
  return Buffer.concat(
    instructions.map(([code = 0, jumpIfTrue = 0, jumpIfFalse = 0, operand = 0]) => {
      const bytes = Buffer.from([code, 0, jumpIfTrue, jumpIfFalse, 0, 0, 0, 0]);
      bytes.writeUInt32LE(operand, 4);
      return bytes;
    }),
  );
}
