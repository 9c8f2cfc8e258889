import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { describeTools } from '@assay/testing/media/describe-tools.ts';
import { openToolRunner } from '@assay/testing/media/tool-runner.ts';
import { describe, expect, test } from 'vitest';
import { bubblewrap, bubblewrapArguments } from './bubblewrap.ts';
import { nobodyId } from './jail.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const secret = randomUUID();

describeTools(
  'bubblewrap',
  (runner) => {
    const attack = runner.readOutput;

    test('can list only the folders that tools need, and can write to none', async () => {
      const list = async (path: string) =>
        (await attack(`opendir(my $d, "${path}"); print join ",", sort readdir $d`)).split(',');
      expect(await list('/')).toEqual(['.', '..', 'bin', 'dev', 'etc', 'in', 'lib', 'lib64', 'proc', 'tmp', 'usr']);
      expect((await list('/etc')).filter((name) => name !== 'fonts')).toEqual([
        '.',
        '..',
        'alternatives',
        'ld.so.cache',
      ]);
      expect(await list('/dev')).toEqual(['.', '..', 'null', 'urandom', 'zero']);
      expect(await list('/tmp')).toEqual(['.', '..']);
      const folders = '/,/dev,/etc,/usr,/usr/bin,/usr/lib,/usr/share,/etc/alternatives,/proc,/proc/sys/kernel,/tmp';
      expect(await attack(`for (split /,/, "${folders}") { print "$_ " if open(my $f, ">", "$_/x") }`)).toBe('');
    });

    test('cannot read the worker’s environment or list any process outside the jail', async () => {
      const script = `print join(",", map { "$_=$ENV{$_}" } sort keys %ENV), " ";
      for (sort { $a <=> $b } grep { m|/\\d+$| } </proc/*>) {
        print "$_:"; open(my $f, "<", "$_/environ") or next; local $/; print <$f> }`;
      const text = await attack(script);
      expect(text).toMatch(/^HOME=\/tmp,LANG=C\.UTF-8,PATH=\/usr\/bin(,\w+=[^,]*)? /);
      expect(text).not.toContain(secret);
      expect(text.match(/\/proc\/\d+:/g)).toHaveLength(2); // the jail's first process and the tool
    });
  },
  (user) => openToolRunner(user, 'bubblewrap', { environment: { ASSAY_CANARY: secret } }),
);

describe('a bubblewrap jail without the seccomp filter', () => {
  const identity = isRoot ? { uid: nobodyId, gid: nobodyId } : {};
  const withoutFilter = bubblewrapArguments('/usr/bin/perl')
    .slice(0, bubblewrapArguments('/usr/bin/perl').indexOf('--'))
    .filter((arg, i, all) => arg !== '--seccomp' && all[i - 1] !== '--seccomp');
  const inJail = (...command: string[]) => run(bubblewrap, [...withoutFilter, ...command], { ...identity, cwd: '/' });
  const connect = `use IO::Socket::INET; for (@ARGV) {
    my $s = IO::Socket::INET->new(PeerAddr => $_, Timeout => 2); print $s ? "connected " : "refused " }`;

  test('has no network, so that a tool cannot connect to a listener on the host', async () => {
    const connections: Socket[] = [];
    const listener = createServer((socket) => connections.push(socket)).listen(0, '0.0.0.0');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    const addresses = ownAddresses().map((address) => `${address}:${port}`);
    expect(addresses.length).toBeGreaterThan(0);

    const { stdout: outside } = await run('/usr/bin/perl', ['-e', connect, ...addresses]);
    expect([outside, connections.length]).toEqual(['connected '.repeat(addresses.length), addresses.length]);
    const { stdout: inside } = await inJail('/usr/bin/perl', '-e', connect, ...addresses);
    expect([inside, connections.length]).toEqual(['refused '.repeat(addresses.length), addresses.length]);
    const { stdout: devices } = await inJail('/usr/bin/perl', '-ne', 'print $1 if /^ *(\\w+):/', '/proc/net/dev');
    expect(devices).toBe('lo');
    for (const socket of connections) socket.destroy();
    listener.close();
  });

  const reason = isRoot ? '' : ' (skipped: only root can count packets)';
  test.skipIf(reason)(`sends no network packets${reason}`, async () => {
    const unusedUser = { uid: 54_322, gid: 54_322, cwd: '/' }; // no other process runs as this user
    const table = `assay_${secret.replaceAll('-', '')}`;
    const nft = async (...command: string[]) => (await run('/usr/sbin/nft', command)).stdout;
    const send = `use IO::Socket::INET; for (@ARGV) {
      my $s = IO::Socket::INET->new(PeerAddr => $_, Proto => "udp"); $s->send("x") if $s }`;
    // The last address is in TEST-NET-1.
    const addresses = [...ownAddresses().map((address) => `${address}:9`), '192.0.2.1:9'];
    await nft('add', 'table', 'inet', table);
    try {
      await nft('add', 'chain', 'inet', table, 'out', '{ type filter hook output priority 0; }');
      await nft('add', 'rule', 'inet', table, 'out', 'meta', 'skuid', `${unusedUser.uid}`, 'counter', 'drop');
      const count = async () => Number(/packets (\d+)/.exec(await nft('list', 'table', 'inet', table))?.[1]);
      await run(bubblewrap, [...withoutFilter, '/usr/bin/perl', '-e', send, ...addresses], unusedUser);
      expect(await count()).toBe(0);
      await run('/usr/bin/perl', ['-e', send, ...addresses], unusedUser);
      expect(await count()).toBeGreaterThanOrEqual(addresses.length - 1); // there may be no route to TEST-NET-1
    } finally {
      await nft('delete', 'table', 'inet', table);
    }
  });

  test('does not permit a tool to create a user namespace', async () => {
    await inJail('/usr/bin/true');
    await expect(inJail('/usr/bin/unshare', '--user', '/usr/bin/true')).rejects.toThrow(/unshare failed/);
  });
});

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
