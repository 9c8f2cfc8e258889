import { type ClientStory, type Finding, isOver, type RunRecord, readsOf } from './run-record.ts';

export const settleMillisMax = 60_000;

// Of one that was asked to be deleted and got no answer nobody can say whether it is still there.
const isKept = (story: ClientStory) => story.created !== undefined && !story.wasDeleteAsked;

/** Every acknowledged submission that was not deleted is there at the end, with all its assets and their files. */
export function checkReadable({ stories, rowsOfClient }: RunRecord): Finding {
  const kept = stories.filter(isKept);
  const violations = kept.flatMap((story) => {
    const { client, asked, created } = story;
    const complaints: string[] = [];
    const last = asked.findLast((one) => one.op === 'read');
    if (last?.status !== 200)
      complaints.push(`client ${client}: its last read was answered ${last?.status ?? 'never'}`);
    const expected = (created?.assetIds ?? []).map((_, place) => place).join();
    for (const { seen, atMillis } of readsOf(story)) {
      const places = seen.assets.map(({ place }) => place).join();
      if (places !== expected) complaints.push(`client ${client}: at ${atMillis} ms it has the assets ${places}`);
    }
    const row = rowsOfClient.get(client)?.find(({ submissionId }) => submissionId === created?.submissionId);
    if (!row) complaints.push(`client ${client}: ${created?.submissionId} is not in the database`);
    for (const { asset, hasBlob } of row?.assets ?? [])
      if (!hasBlob) complaints.push(`client ${client}: the file of asset ${asset} is gone`);
    return complaints;
  });
  return { checked: kept.length, violations };
}

/** However often a client had to ask, there is one submission under its key, and it is the acknowledged one. */
export function checkKeys({ stories, rowsOfClient }: RunRecord): Finding {
  const asking = stories.filter(({ asked }) => asked.some(({ op }) => op === 'create'));
  const violations = asking.flatMap(({ client, asked }) => {
    const acknowledged = asked.flatMap((one) => (one.op === 'create' && one.submissionId) || []);
    const stored = (rowsOfClient.get(client) ?? []).map(({ submissionId }) => submissionId);
    const all = new Set([...acknowledged, ...stored]);
    return all.size > 1 ? [`client ${client}: its one key made ${[...all].join(' and ')}`] : [];
  });
  return { checked: asking.length, violations };
}

/** Everything that was ever accepted, also where nobody heard of it, is over soon after the last fault. */
export function checkSettled({ end, stories, events, lastFaultMillis }: RunRecord): Finding {
  const deadline = lastFaultMillis + settleMillisMax;
  const late = end.submissions.flatMap(({ submissionId, client, status, endedAtMillis, assets }) => {
    const who = `client ${client}: ${submissionId}`;
    const open = assets.filter((asset) => !isOver(asset.status));
    if (!isOver(status) || endedAtMillis === null) return [`${who} is ${status} at the end`];
    if (open.length > 0) return [`${who} is ${status}, but its asset ${open[0]?.asset} is ${open[0]?.status}`];
    return endedAtMillis > deadline
      ? [`${who} was over only ${((endedAtMillis - lastFaultMillis) / 1000).toFixed(1)} s after the last fault`]
      : [];
  });
  const unseen = stories.filter(isKept).flatMap((story) => {
    const last = readsOf(story).at(-1)?.seen.status ?? 'never seen';
    return isOver(last) ? [] : [`client ${story.client}: its submission is ${last} at the end`];
  });
  const waiting = end.runsWaiting > 0 ? [`${end.runsWaiting} runs still wait to be started`] : [];
  // One who never got through has seen the service away for longer than it may be.
  const givenUp = events.flatMap((event) =>
    event.op === 'give up' ? [`client ${event.client}: no ${event.what}`] : [],
  );
  return { checked: end.submissions.length, violations: [...late, ...unseen, ...waiting, ...givenUp] };
}

/** What a client was told is deleted is never seen again. */
export function checkDeleted({ stories, end }: RunRecord): Finding {
  const stored = new Set(end.submissions.map(({ submissionId }) => submissionId));
  const deleted = stories.filter(({ deletedAt }) => deletedAt !== undefined);
  const violations = deleted.flatMap(({ client, asked, deletedAt = 0, created }) => {
    const later = asked.slice(deletedAt + 1).filter(({ op }) => op === 'read');
    const seen = later.filter(({ status }) => status >= 200 && status < 300);
    const isStored = created !== undefined && stored.has(created.submissionId);
    return [
      ...seen.map(({ atMillis }) => `client ${client}: read at ${atMillis} ms what had been deleted`),
      ...(later.at(-1)?.status === 404 ? [] : [`client ${client}: nobody looked whether it stays deleted`]),
      ...(isStored ? [`client ${client}: ${created.submissionId} was deleted and is in the database`] : []),
    ];
  });
  return { checked: deleted.length, violations };
}
