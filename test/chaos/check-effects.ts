import type { Answered } from './history.ts';
import { type Finding, isDeath, nameOf, type RunRecord, readsOf } from './run-record.ts';

/** One credit per completed live asset and attempt; none for a failure, none for a rehearsal. */
export function checkCredits({ stories, end }: RunRecord): Finding {
  const due = new Set<string>();
  const noteIfDue = (mode: string, asset: string, attempt: number, isComplete: boolean) => {
    if (mode === 'live' && isComplete) due.add(`asset ${asset}, attempt ${attempt}`);
  };
  for (const { mode, assets } of end.submissions) {
    for (const { asset, attempt, status } of assets) noteIfDue(mode, asset, attempt, status === 'complete');
  }
  // Those that were deleted since are known by their clients alone.
  for (const story of stories) {
    for (const asset of readsOf(story).flatMap(({ seen }) => seen.assets))
      noteIfDue(story.mode, nameOf(story, asset), asset.attempt, asset.status === 'complete');
  }
  const charged = new Map<string, number>();
  for (const { asset, attempt, credits } of end.credits) {
    const name = `asset ${asset}, attempt ${attempt}`;
    charged.set(name, (charged.get(name) ?? 0) + credits);
  }
  const sum = [...charged.values()].reduce((total, credits) => total + credits, 0);
  const violations = [
    ...[...due].filter((name) => !charged.has(name)).map((name) => `${name} is complete and was not charged`),
    ...[...charged.keys()].filter((name) => !due.has(name)).map((name) => `${name} was charged for nothing`),
    ...[...charged].flatMap(([name, credits]) => (credits === 1 ? [] : [`${name} was charged ${credits} credits`])),
    ...(sum === end.creditsUsed ? [] : [`the ledger holds ${sum} credits, the service says ${end.creditsUsed}`]),
  ];
  return { checked: due.size, violations };
}

/** In the middle of a fault too, an answer is one of the contract's and none that blames the caller. */
export function checkAnswers({ stories }: RunRecord): Finding {
  let checked = 0;
  const violations = stories.flatMap(({ client, asked }) =>
    asked.flatMap((one, i) => {
      if (one.status === 0) return [];
      checked++;
      const what = `client ${client} at ${one.atMillis} ms: ${one.op} was answered ${one.status} ${one.code ?? ''}`;
      if (one.breach) return [`${what}: ${one.breach}`];
      return one.status >= 400 && one.status < 500 && !isExpected(one, asked.slice(0, i)) ? [what] : [];
    }),
  );
  return { checked, violations };
}

function isExpected({ op, status, code }: Answered, before: Answered[]): boolean {
  if (status === 429 || code === 'idempotency_in_flight') return true;
  const wasDeleteAsked = before.some((one) => one.op === 'delete');
  if (op === 'read' || op === 'delete') return code === 'submission_not_found' && wasDeleteAsked;
  return op === 'cancel' && code === 'submission_settled';
}

/** No decoder outlives the process that started it. */
export function checkProcesses({ end }: RunRecord): Finding {
  return { checked: end.processesEnded, violations: end.orphanProcesses.map((one) => `left running: ${one}`) };
}

/** Every upload and every examination spools its file; none of them stays. */
export function checkScratch({ stories, end }: RunRecord): Finding {
  const spooled = stories.flatMap(({ asked }) => asked.filter(({ op, status }) => op === 'upload' && status === 201));
  return { checked: spooled.length, violations: end.scratchFiles.map((one) => `left in the scratch folder: ${one}`) };
}

/** Storage holds nothing that the database does not know of. */
export function checkBlobs({ end }: RunRecord): Finding {
  return { checked: end.storedBlobs, violations: end.orphanBlobs.map((one) => `blob ${one} belongs to nobody`) };
}

/** API and workers outlive every fault of a part: only what kills them ends them, and deadly files are counted apart. */
export function checkEndurance({ events }: RunRecord): Finding {
  const lives = events.filter((event) => event.op === 'up' && isService(event.target));
  const violations = events.flatMap((event) =>
    event.op === 'ended by itself' && isService(event.target) && !isDeath(event)
      ? [`${event.target} ended by itself at ${event.atMillis} ms: ${event.how}`]
      : [],
  );
  return { checked: lives.length, violations };
}

const isService = (target: string) => /^(api|worker)/.test(target);

/** Whatever was struck down came back. */
export function checkRecovery({ events }: RunRecord): Finding {
  const kills = events.flatMap((event, i) => (event.op === 'kill' ? { ...event, i } : []));
  const violations = kills.flatMap(({ target, atMillis, i }) =>
    events.slice(i).some((event) => event.op === 'up' && event.target === target)
      ? []
      : [`${target}, killed at ${atMillis} ms, did not come back`],
  );
  return { checked: kills.length, violations };
}
