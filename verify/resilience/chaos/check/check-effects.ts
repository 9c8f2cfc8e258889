import type { ClientRequest } from './history.ts';
import { assetNameOf, type Finding, isWorkerDeath, type RunRecord, readsOf } from './run-record.ts';

/** One credit per completed live asset and attempt; none for a failure or a simulated run. */
export function checkCredits({ clientRecords, end }: RunRecord): Finding {
  const due = new Set<string>();
  const noteIfDue = (mode: string, asset: string, attempt: number, isComplete: boolean) => {
    if (mode === 'live' && isComplete) due.add(`asset ${asset}, attempt ${attempt}`);
  };
  for (const { mode, assets } of end.submissions) {
    for (const { asset, attempt, status } of assets) noteIfDue(mode, asset, attempt, status === 'complete');
  }
  // Assets deleted since are known only to the clients.
  for (const record of clientRecords) {
    for (const asset of readsOf(record).flatMap(({ seen }) => seen.assets))
      noteIfDue(record.mode, assetNameOf(record, asset), asset.attempt, asset.status === 'complete');
  }
  const charged = new Map<string, number>();
  for (const { asset, attempt, credits } of end.credits) {
    const name = `asset ${asset}, attempt ${attempt}`;
    charged.set(name, (charged.get(name) ?? 0) + credits);
  }
  const sum = [...charged.values()].reduce((total, credits) => total + credits, 0);
  const violations = [
    ...[...due].filter((name) => !charged.has(name)).map((name) => `${name} is complete but was not charged`),
    ...[...charged.keys()].filter((name) => !due.has(name)).map((name) => `${name} was charged but is not complete`),
    ...[...charged].flatMap(([name, credits]) => (credits === 1 ? [] : [`${name} was charged ${credits} credits`])),
    ...(sum === end.creditsUsed ? [] : [`the ledger has ${sum} credits, the service reports ${end.creditsUsed}`]),
  ];
  return { checked: due.size, violations };
}

/** Even during a fault, every response follows the contract and none blames the caller. */
export function checkResponses({ clientRecords }: RunRecord): Finding {
  let checked = 0;
  const violations = clientRecords.flatMap(({ client, asked }) =>
    asked.flatMap((one, i) => {
      if (one.status === 0) return [];
      checked++;
      const what = `client ${client} at ${one.atMillis} ms: ${one.op} was answered with ${one.status} ${one.code ?? ''}`;
      if (one.breach) return [`${what}: ${one.breach}`];
      return one.status >= 400 && one.status < 500 && !isExpected(one, asked.slice(0, i)) ? [what] : [];
    }),
  );
  return { checked, violations };
}

function isExpected({ op, status, code }: ClientRequest, before: ClientRequest[]): boolean {
  if (status === 429 || code === 'idempotency_in_flight') return true;
  const wasDeleteAsked = before.some((one) => one.op === 'delete');
  if (op === 'read' || op === 'delete') return code === 'submission_not_found' && wasDeleteAsked;
  return op === 'cancel' && code === 'submission_settled';
}

/** No decoder outlives the process that started it. */
export function checkProcesses({ end }: RunRecord): Finding {
  return { checked: end.processesEnded, violations: end.orphanProcesses.map((one) => `left running: ${one}`) };
}

/** Every upload and every examination writes its file to the scratch folder; none of these files remains. */
export function checkScratch({ clientRecords, end }: RunRecord): Finding {
  const uploads = clientRecords.flatMap(({ asked }) =>
    asked.filter(({ op, status }) => op === 'upload' && status === 201),
  );
  return { checked: uploads.length, violations: end.scratchFiles.map((one) => `left in the scratch folder: ${one}`) };
}

/** Storage contains no object that the database does not know. */
export function checkBlobs({ end }: RunRecord): Finding {
  return { checked: end.storedBlobs, violations: end.orphanBlobs.map((one) => `blob ${one} is orphaned`) };
}

/**
 * The API and the workers survive every fault of the parts that they use: they end only when killed. Workers killed by
 * deadly files are counted separately.
 */
export function checkUnexpectedExits({ events }: RunRecord): Finding {
  const lives = events.filter((event) => event.op === 'up' && isService(event.target));
  const violations = events.flatMap((event) =>
    event.op === 'ended by itself' && isService(event.target) && !isWorkerDeath(event)
      ? [`${event.target} exited by itself at ${event.atMillis} ms: ${event.how}`]
      : [],
  );
  return { checked: lives.length, violations };
}

const isService = (target: string) => /^(api|worker)/.test(target);

/** Every killed process comes back. */
export function checkRecovery({ events }: RunRecord): Finding {
  const kills = events.flatMap((event, i) => (event.op === 'kill' ? { ...event, i } : []));
  const violations = kills.flatMap(({ target, atMillis, i }) =>
    events.slice(i).some((event) => event.op === 'up' && event.target === target)
      ? []
      : [`${target}, killed at ${atMillis} ms, did not come back`],
  );
  return { checked: kills.length, violations };
}
