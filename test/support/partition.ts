import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const checkout = join(import.meta.dirname, '..', '..');

/** Ids that no account has: Debian leaves them to whoever needs one for a while. */
const idsFree = [61184, 65520] as const;

export type Partition = {
  /** The command, run by a user that can be cut off and is nobody else. */
  wrap(command: string[]): string[];
  /** From now on nothing that this user sends reaches that port of loopback; it is dropped, and nobody is told. */
  cut(port: number): void;
  heal(): void;
  close(): void;
};

/** Why no partition can be made here; undefined when one can. */
export function whyNoPartition(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root to cut a connection';
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
  // The user may not be let into the checkout, so it is shown at a place of its own, to this command alone.
  const shown = mkdtempSync(join(tmpdir(), 'assay-checkout-'));
  chmodSync(shown, 0o755);

  const close = () => {
    process.off('exit', close);
    runNft('delete', 'table', ...table);
    rmdirSync(shown); // never what is in it: that would be the checkout
  };
  process.on('exit', close);
  return {
    wrap: (command) => [
      ...['unshare', '--mount', 'sh', '-c'],
      `mount --bind "$0" "$1" && shift && exec setpriv --reuid=${id} --regid=${id} --clear-groups -- "$@"`,
      ...[checkout, shown],
      ...command.map((word) => (word.startsWith(`${checkout}/`) ? shown + word.slice(checkout.length) : word)),
    ],
    cut(port) {
      const rule = `meta skuid ${id} ip daddr 127.0.0.1 tcp dport ${port} drop`;
      runNft('add', 'rule', ...table, 'sent', rule);
    },
    heal: () => void runNft('flush', 'chain', ...table, 'sent'),
    close,
  };
}

/** Tables of processes that were killed before they could tidy up. They cut nobody off, but are nobody's either. */
function removeStale(): void {
  for (const [, name = '', pid] of runNft('list', 'tables').matchAll(/ inet (assay_test_(\d+)_\w+)/g)) {
    if (!existsSync(`/proc/${pid}`)) runNft('delete', 'table', 'inet', name);
  }
}

function runNft(...args: string[]): string {
  return execFileSync('nft', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
