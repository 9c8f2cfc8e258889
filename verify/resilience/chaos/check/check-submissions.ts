import { type ClientRecord, type Finding, isFinished, type RunRecord, readsOf } from './run-record.ts';

export const settleMillisMax = 60_000;

// Without a response to the deletion, it is unknown whether the submission still exists.
const isKept = (record: ClientRecord) => record.created !== undefined && !record.wasDeleteAsked;

/** Every acknowledged submission that was not deleted exists at the end, with all its assets and their files. */
export function checkReadable({ clientRecords, rowsOfClient }: RunRecord): Finding {
  const kept = clientRecords.filter(isKept);
  const violations = kept.flatMap((record) => {
    const { client, asked, created } = record;
    const complaints: string[] = [];
    const last = asked.findLast((one) => one.op === 'read');
    if (last?.status !== 200)
      complaints.push(`client ${client}: its last read was answered with ${last?.status ?? 'nothing'}`);
    const expected = (created?.assetIds ?? []).map((_, place) => place).join();
    for (const { seen, atMillis } of readsOf(record)) {
      const places = seen.assets.map(({ place }) => place).join();
      if (places !== expected) complaints.push(`client ${client}: at ${atMillis} ms it has the assets ${places}`);
    }
    const row = rowsOfClient.get(client)?.find(({ submissionId }) => submissionId === created?.submissionId);
    if (!row) complaints.push(`client ${client}: ${created?.submissionId} is not in the database`);
    for (const { asset, hasBlob } of row?.assets ?? [])
      if (!hasBlob) complaints.push(`client ${client}: the file of asset ${asset} is missing`);
    return complaints;
  });
  return { checked: kept.length, violations };
}

/** However often a client repeated its request, only the acknowledged submission exists for its Idempotency-Key. */
export function checkKeys({ clientRecords, rowsOfClient }: RunRecord): Finding {
  const submitters = clientRecords.filter(({ asked }) => asked.some(({ op }) => op === 'create'));
  const violations = submitters.flatMap(({ client, asked }) => {
    const acknowledged = asked.flatMap((one) => (one.op === 'create' && one.submissionId) || []);
    const stored = (rowsOfClient.get(client) ?? []).map(({ submissionId }) => submissionId);
    const all = new Set([...acknowledged, ...stored]);
    return all.size > 1 ? [`client ${client}: its one key made ${[...all].join(' and ')}`] : [];
  });
  return { checked: submitters.length, violations };
}

/** Every accepted submission, acknowledged or not, is finished soon after the last fault. */
export function checkSettled({ end, clientRecords, events, lastFaultMillis }: RunRecord): Finding {
  const deadline = lastFaultMillis + settleMillisMax;
  const late = end.submissions.flatMap(({ submissionId, client, status, endedAtMillis, assets }) => {
    const what = `client ${client}: ${submissionId}`;
    const open = assets.filter((asset) => !isFinished(asset.status));
    if (!isFinished(status) || endedAtMillis === null) return [`${what} is ${status} at the end`];
    if (open.length > 0) return [`${what} is ${status}, but its asset ${open[0]?.asset} is ${open[0]?.status}`];
    return endedAtMillis > deadline
      ? [`${what} was finished only ${((endedAtMillis - lastFaultMillis) / 1000).toFixed(1)} s after the last fault`]
      : [];
  });
  const unseen = clientRecords.filter(isKept).flatMap((record) => {
    const last = readsOf(record).at(-1)?.seen.status ?? 'never seen';
    return isFinished(last) ? [] : [`client ${record.client}: its submission is ${last} at the end`];
  });
  const waiting = end.runsWaiting > 0 ? [`${end.runsWaiting} runs are still not started`] : [];
  // A client that never got a response shows that the service was down longer than allowed.
  const givenUp = events.flatMap((event) =>
    event.op === 'give up' ? [`client ${event.client}: no ${event.what}`] : [],
  );
  return { checked: end.submissions.length, violations: [...late, ...unseen, ...waiting, ...givenUp] };
}

/** A submission whose deletion was acknowledged is never seen again. */
export function checkDeleted({ clientRecords, end }: RunRecord): Finding {
  const stored = new Set(end.submissions.map(({ submissionId }) => submissionId));
  const deleted = clientRecords.filter(({ deletedAt }) => deletedAt !== undefined);
  const violations = deleted.flatMap(({ client, asked, deletedAt = 0, created }) => {
    const later = asked.slice(deletedAt + 1).filter(({ op }) => op === 'read');
    const seen = later.filter(({ status }) => status >= 200 && status < 300);
    const isStored = created !== undefined && stored.has(created.submissionId);
    return [
      ...seen.map(({ atMillis }) => `client ${client}: read a deleted submission at ${atMillis} ms`),
      ...(later.at(-1)?.status === 404 ? [] : [`client ${client}: not read again after its deletion`]),
      ...(isStored ? [`client ${client}: ${created.submissionId} was deleted but is in the database`] : []),
    ];
  });
  return { checked: deleted.length, violations };
}
