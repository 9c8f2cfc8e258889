import type { AssetSeen, Read } from './history.ts';
import { assetNameOf, type ClientRecord, type Finding, isFinished, type RunRecord, readsOf } from './run-record.ts';

type Shown = Read & { seen: NonNullable<Read['seen']> };

const rankOf: Record<string, number> = { submitted: 0, processing: 1, complete: 2, failed: 2 };

/** An attempt ends once: every client sees the same outcome. */
export function checkOutcomes({ clientRecords, end }: RunRecord): Finding {
  const outcomes = new Map<string, Set<string>>();
  const note = (attempt: string, outcome: string) =>
    outcomes.set(attempt, (outcomes.get(attempt) ?? new Set()).add(outcome));
  for (const record of clientRecords) {
    for (const { seen } of readsOf(record)) {
      for (const asset of seen.assets)
        if (asset.outcome) note(`asset ${assetNameOf(record, asset)}, attempt ${asset.attempt}`, asset.outcome);
    }
  }
  for (const { assets } of end.submissions) {
    for (const { asset, attempt, status, errorType } of assets) {
      const name = `asset ${asset}, attempt ${attempt}`;
      if (!isFinished(status)) continue;
      const known = [...(outcomes.get(name) ?? [])];
      // The database is read only for the outcome; the number of issues comes from the clients.
      const agrees = known.some((one) => (errorType ? one === `failed, ${errorType}` : one.startsWith('complete')));
      if (!agrees) note(name, errorType ? `failed, ${errorType}` : status);
    }
  }
  const violations = [...outcomes].flatMap(([attempt, seen]) =>
    seen.size > 1 ? [`${attempt} ended as ${[...seen].join(' and as ')}`] : [],
  );
  return { checked: outcomes.size, violations };
}

/** Within an attempt: submitted, processing, then complete or failed. A new attempt starts only after a retry was requested. */
export function checkOrder({ clientRecords }: RunRecord): Finding {
  return checkConsecutiveReads(clientRecords, (record, before, after) => {
    const complaints: string[] = [];
    let hasNewAttempt = false;
    for (const asset of after.seen.assets) {
      const earlier = findSameAsset(before, asset);
      if (!earlier) continue;
      const step = `asset ${assetNameOf(record, asset)} at ${after.atMillis} ms:`;
      hasNewAttempt ||= asset.attempt > earlier.attempt;
      if (asset.attempt < earlier.attempt) complaints.push(`${step} attempt ${earlier.attempt} → ${asset.attempt}`);
      if (asset.attempt - 1 > countRetries(record, asset))
        complaints.push(`${step} attempt ${asset.attempt}, not requested`);
      if (asset.attempt === earlier.attempt && isStepBack(earlier.status, asset.status))
        complaints.push(`${step} ${earlier.status} → ${asset.status}`);
    }
    if (!hasNewAttempt && isStepBack(before.seen.status, after.seen.status))
      complaints.push(`client ${record.client} at ${after.atMillis} ms: ${before.seen.status} → ${after.seen.status}`);
    return complaints;
  });
}

/** Progress never decreases within an attempt, and only a complete asset shows 100 %. */
export function checkProgress({ clientRecords }: RunRecord): Finding {
  return checkConsecutiveReads(clientRecords, (record, before, after) => {
    const complaints: string[] = [];
    let hasNewAttempt = false;
    for (const asset of after.seen.assets) {
      const earlier = findSameAsset(before, asset);
      const step = `asset ${assetNameOf(record, asset)} at ${after.atMillis} ms:`;
      if (asset.progressPercent === 100 && asset.status !== 'complete')
        complaints.push(`${step} 100 %, ${asset.status}`);
      if (!earlier) continue;
      hasNewAttempt ||= asset.attempt > earlier.attempt;
      if (asset.attempt === earlier.attempt && asset.progressPercent < earlier.progressPercent)
        complaints.push(`${step} ${earlier.progressPercent} % → ${asset.progressPercent} %`);
    }
    if (!hasNewAttempt && after.seen.progressPercent < before.seen.progressPercent)
      complaints.push(
        `client ${record.client} at ${after.atMillis} ms: ${before.seen.progressPercent} % → ${after.seen.progressPercent} %`,
      );
    return complaints;
  });
}

/** After an acknowledged retry, the next read shows a new attempt. */
export function checkRetries({ clientRecords }: RunRecord): Finding {
  let checked = 0;
  const violations = clientRecords.flatMap((record) =>
    record.asked.flatMap((retry, i) => {
      if (retry.op !== 'retry' || retry.status !== 202) return [];
      checked++;
      const attemptIn = (reads: typeof record.asked) =>
        reads.flatMap((one) => (one.op === 'read' && one.seen?.assets[retry.place]?.attempt) || []);
      const before = attemptIn(record.asked.slice(0, i)).at(-1) ?? 1;
      const after = attemptIn(record.asked.slice(i + 1))[0];
      return after !== undefined && after <= before
        ? [`asset ${record.client}/${retry.place}: attempt ${after} after its retry was accepted`]
        : [];
    }),
  );
  return { checked, violations };
}

/** An acknowledged cancellation ends the submission at once; only a retry starts it again. */
export function checkCancellations({ clientRecords }: RunRecord): Finding {
  let checked = 0;
  const violations = clientRecords.flatMap((record) => {
    let isCancelled = false;
    return record.asked.flatMap((one) => {
      if (one.op === 'cancel' && one.status === 202) {
        checked++;
        isCancelled = true;
      }
      if (one.op === 'retry') isCancelled = false;
      if (!isCancelled || one.op !== 'read' || !one.seen || isFinished(one.seen.status)) return [];
      return [`client ${record.client} at ${one.atMillis} ms: ${one.seen.status}, after it was cancelled`];
    });
  });
  return { checked, violations };
}

/** Valid files fail only if their caller cancelled them, never because of an injected fault. */
export function checkFailures({ clientRecords }: RunRecord): Finding {
  let checked = 0;
  const violations = clientRecords.flatMap((record) => {
    if (record.isDeadly) return [];
    const ends = new Set(
      readsOf(record).flatMap(({ seen }) =>
        seen.assets.flatMap((asset) => (asset.outcome ? `asset ${assetNameOf(record, asset)}: ${asset.outcome}` : [])),
      ),
    );
    checked += ends.size;
    const wasCancelled = record.asked.some(({ op }) => op === 'cancel');
    return [...ends].filter((end) => end.includes('failed') && !(wasCancelled && end.endsWith('cancelled')));
  });
  return { checked, violations };
}

function checkConsecutiveReads(
  clientRecords: ClientRecord[],
  compare: (record: ClientRecord, before: Shown, after: Shown) => string[],
): Finding {
  let checked = 0;
  const violations = clientRecords.flatMap((record) => {
    const reads = readsOf(record);
    checked += reads.length;
    return reads.flatMap((after, i) => compare(record, reads[i - 1] ?? after, after));
  });
  return { checked, violations };
}

const findSameAsset = ({ seen }: Shown, { place }: AssetSeen) => seen.assets.find((asset) => asset.place === place);
const isStepBack = (before: string, after: string) =>
  (rankOf[after] ?? -1) < (rankOf[before] ?? -1) || (isFinished(before) && isFinished(after) && before !== after);

// Counts retries without an acknowledgement too, because they may have been accepted.
function countRetries({ asked }: ClientRecord, { place }: AssetSeen): number {
  const retries = asked.filter((one) => one.op === 'retry' && one.place === place);
  return retries.filter(({ status }) => status === 202 || status === 0 || status >= 500).length;
}
