import type { AssetSeen, Read } from './history.ts';
import { type ClientStory, type Finding, isOver, nameOf, type RunRecord, readsOf } from './run-record.ts';

type Shown = Read & { seen: NonNullable<Read['seen']> };

const rankOf: Record<string, number> = { submitted: 0, processing: 1, complete: 2, failed: 2 };

/** An attempt ends once: whoever looks, and however often, sees the same end. */
export function checkOutcomes({ stories, end }: RunRecord): Finding {
  const outcomes = new Map<string, Set<string>>();
  const note = (attempt: string, outcome: string) =>
    outcomes.set(attempt, (outcomes.get(attempt) ?? new Set()).add(outcome));
  for (const story of stories) {
    for (const { seen } of readsOf(story)) {
      for (const asset of seen.assets)
        if (asset.outcome) note(`asset ${nameOf(story, asset)}, attempt ${asset.attempt}`, asset.outcome);
    }
  }
  for (const { assets } of end.submissions) {
    for (const { asset, attempt, status, errorType } of assets) {
      const name = `asset ${asset}, attempt ${attempt}`;
      if (!isOver(status)) continue;
      const known = [...(outcomes.get(name) ?? [])];
      // The database is asked only for how it ended; how many issues a client saw stands as it is.
      const agrees = known.some((one) => (errorType ? one === `failed, ${errorType}` : one.startsWith('complete')));
      if (!agrees) note(name, errorType ? `failed, ${errorType}` : status);
    }
  }
  const violations = [...outcomes].flatMap(([attempt, seen]) =>
    seen.size > 1 ? [`${attempt} ended as ${[...seen].join(' and as ')}`] : [],
  );
  return { checked: outcomes.size, violations };
}

/** Within an attempt: submitted, processing, then complete or failed. A new attempt begins only where one was asked for. */
export function checkOrder({ stories }: RunRecord): Finding {
  return overReads(stories, (story, before, after) => {
    const complaints: string[] = [];
    let hasNewAttempt = false;
    for (const asset of after.seen.assets) {
      const earlier = find(before, asset);
      if (!earlier) continue;
      const step = `asset ${nameOf(story, asset)} at ${after.atMillis} ms:`;
      hasNewAttempt ||= asset.attempt > earlier.attempt;
      if (asset.attempt < earlier.attempt) complaints.push(`${step} attempt ${earlier.attempt} → ${asset.attempt}`);
      if (asset.attempt - 1 > retriesAsked(story, asset)) complaints.push(`${step} attempt ${asset.attempt}, unasked`);
      if (asset.attempt === earlier.attempt && falls(earlier.status, asset.status))
        complaints.push(`${step} ${earlier.status} → ${asset.status}`);
    }
    if (!hasNewAttempt && falls(before.seen.status, after.seen.status))
      complaints.push(`client ${story.client} at ${after.atMillis} ms: ${before.seen.status} → ${after.seen.status}`);
    return complaints;
  });
}

/** Progress never falls within an attempt, and 100 is for what is complete. */
export function checkProgress({ stories }: RunRecord): Finding {
  return overReads(stories, (story, before, after) => {
    const complaints: string[] = [];
    let hasNewAttempt = false;
    for (const asset of after.seen.assets) {
      const earlier = find(before, asset);
      const step = `asset ${nameOf(story, asset)} at ${after.atMillis} ms:`;
      if (asset.progressPercent === 100 && asset.status !== 'complete')
        complaints.push(`${step} 100 %, ${asset.status}`);
      if (!earlier) continue;
      hasNewAttempt ||= asset.attempt > earlier.attempt;
      if (asset.attempt === earlier.attempt && asset.progressPercent < earlier.progressPercent)
        complaints.push(`${step} ${earlier.progressPercent} % → ${asset.progressPercent} %`);
    }
    if (!hasNewAttempt && after.seen.progressPercent < before.seen.progressPercent)
      complaints.push(
        `client ${story.client} at ${after.atMillis} ms: ${before.seen.progressPercent} % → ${after.seen.progressPercent} %`,
      );
    return complaints;
  });
}

/** An acknowledged retry is a new attempt for whoever looks next. */
export function checkRetries({ stories }: RunRecord): Finding {
  let checked = 0;
  const violations = stories.flatMap((story) =>
    story.asked.flatMap((retry, i) => {
      if (retry.op !== 'retry' || retry.status !== 202) return [];
      checked++;
      const attemptIn = (reads: typeof story.asked) =>
        reads.flatMap((one) => (one.op === 'read' && one.seen?.assets[retry.place]?.attempt) || []);
      const before = attemptIn(story.asked.slice(0, i)).at(-1) ?? 1;
      const after = attemptIn(story.asked.slice(i + 1))[0];
      return after !== undefined && after <= before
        ? [`asset ${story.client}/${retry.place}: attempt ${after} after its retry was accepted`]
        : [];
    }),
  );
  return { checked, violations };
}

/** An acknowledged cancellation is the end, there and then; only a retry begins anew. */
export function checkCancellations({ stories }: RunRecord): Finding {
  let checked = 0;
  const violations = stories.flatMap((story) => {
    let isCancelled = false;
    return story.asked.flatMap((one) => {
      if (one.op === 'cancel' && one.status === 202) {
        checked++;
        isCancelled = true;
      }
      if (one.op === 'retry') isCancelled = false;
      if (!isCancelled || one.op !== 'read' || !one.seen || isOver(one.seen.status)) return [];
      return [`client ${story.client} at ${one.atMillis} ms: ${one.seen.status}, after it was cancelled`];
    });
  });
  return { checked, violations };
}

/** Files without a fault fail only if their caller cancelled them: no fault of a part is held against them. */
export function checkFailures({ stories }: RunRecord): Finding {
  let checked = 0;
  const violations = stories.flatMap((story) => {
    if (story.isDeadly) return [];
    const ends = new Set(
      readsOf(story).flatMap(({ seen }) =>
        seen.assets.flatMap((asset) => (asset.outcome ? `asset ${nameOf(story, asset)}: ${asset.outcome}` : [])),
      ),
    );
    checked += ends.size;
    const wasCancelled = story.asked.some(({ op }) => op === 'cancel');
    return [...ends].filter((end) => end.includes('failed') && !(wasCancelled && end.endsWith('cancelled')));
  });
  return { checked, violations };
}

function overReads(
  stories: ClientStory[],
  compare: (story: ClientStory, before: Shown, after: Shown) => string[],
): Finding {
  let checked = 0;
  const violations = stories.flatMap((story) => {
    const reads = readsOf(story);
    checked += reads.length;
    return reads.flatMap((after, i) => compare(story, reads[i - 1] ?? after, after));
  });
  return { checked, violations };
}

const find = ({ seen }: Shown, { place }: AssetSeen) => seen.assets.find((asset) => asset.place === place);
const falls = (before: string, after: string) =>
  (rankOf[after] ?? -1) < (rankOf[before] ?? -1) || (isOver(before) && isOver(after) && before !== after);

// Also those that nobody acknowledged: they may have been accepted all the same.
function retriesAsked({ asked }: ClientStory, { place }: AssetSeen): number {
  const retries = asked.filter((one) => one.op === 'retry' && one.place === place);
  return retries.filter(({ status }) => status === 202 || status === 0 || status >= 500).length;
}
