import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';

/** A range of user ids without accounts, which Debian reserves for temporary use. */
const idsFree = [61184, 65520] as const;

export type Partition = {
  /** Wraps the command to run as a separate user whose connections can be cut. */
  wrap(command: string[]): string[];
  /** From now on every packet of this user to this loopback port is dropped silently. */
  cut(port: number): void;
  heal(): void;
  close(): void;
};

/** Why a partition cannot be created here; undefined if it can. */
export function whyNoPartition(): string | undefined {
  if (process.getuid?.() !== 0) return 'cutting a connection needs root';
  try {
    runNft('list', 'tables');
  } catch (error) {
    return `nft does not work here: ${(error as Error).message}`;
  }
}

export function openPartition(): Partition {
  const id = randomInt(...idsFree);
  removeStale();
  const table = ['inet', `assay_test_${process.pid}_${randomBytes(4).toString('hex')}`];
  runNft('add', 'table', ...table);
  runNft('add', 'chain', ...table, 'sent', '{ type filter hook output priority 0 ; policy accept ; }');
  // The user may have no access to the folder of the repository, so it is bind-mounted elsewhere, for this command
  // only.
  const mounted = mkdtempSync(join(tmpdir(), 'assay-root-'));
  chmodSync(mounted, 0o755);

  const close = () => {
    process.off('exit', close);
    runNft('delete', 'table', ...table);
    rmdirSync(mounted); // never recursively: that would remove the repository
  };
  process.on('exit', close);
  return {
    wrap: (command) => [
      ...['unshare', '--mount', 'sh', '-c'],
      `mount --bind "$0" "$1" && shift && exec setpriv --reuid=${id} --regid=${id} --clear-groups -- "$@"`,
      ...[root, mounted],
      ...command.map((word) => (word.startsWith(`${root}/`) ? mounted + word.slice(root.length) : word)),
    ],
    cut(port) {
      const rule = `meta skuid ${id} ip daddr 127.0.0.1 tcp dport ${port} drop`;
      runNft('add', 'rule', ...table, 'sent', rule);
    },
    heal: () => void runNft('flush', 'chain', ...table, 'sent'),
    close,
  };
}

/** Removes tables of processes that were killed before they could clean up. */
function removeStale(): void {
  for (const [, name = '', pid] of runNft('list', 'tables').matchAll(/ inet (assay_test_(\d+)_\w+)/g)) {
    if (!existsSync(`/proc/${pid}`)) runNft('delete', 'table', 'inet', name);
  }
}

function runNft(...args: string[]): string {
  return execFileSync('nft', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
