import { Assay, type Event, type Submission, unwrap } from '@assay/sdk';

// Checked by the compiler and never run: it must reject the line after each `@ts-expect-error`.

export async function rejectedByTheCompiler(assay: Assay, event: Event, submission: Submission) {
  const body = { assets: [{ blobPath: 'x' }] };

  // @ts-expect-error: a property that a submission does not have
  submission.id;
  // @ts-expect-error: a status that does not exist
  submission.status === 'done';
  // @ts-expect-error: without blobPath
  await assay.submissions.create({ assets: [{}] });
  // @ts-expect-error: without assets
  await assay.submissions.create({});
  // @ts-expect-error: an asset has no filename
  await assay.submissions.create({ assets: [{ blobPath: 'x', filename: 'a.mp4' }] });
  // @ts-expect-error: the delay must be a number
  await assay.submissions.create(body, { simulationDelaySeconds: '5' });
  // @ts-expect-error: an option that does not exist
  await assay.submissions.create(body, { simulationDelay: 5 });
  // @ts-expect-error: an option that does not exist
  await assay.submissions.wait('id', { interval: 5 });
  // @ts-expect-error: a cancellation takes no Idempotency-Key
  await assay.submissions.cancel('id', { idempotencyKey: 'x' });
  // @ts-expect-error: a status that does not exist
  await assay.submissions.list({ status: 'done' });
  // @ts-expect-error: a severity that does not exist
  await assay.issues.list('s', 'a', { severity: 'HIGH' });
  // @ts-expect-error: the second severity does not exist
  await assay.issues.list('s', 'a', { severity: ['MAJOR', 'HIGH'] });
  // @ts-expect-error: a filter that does not exist
  await assay.issues.list('s', 'a', { rule: 'x' });
  // @ts-expect-error: a decision that does not exist
  await assay.issues.decide('s', 'a', 'i', { status: 'CLOSED' });
  // @ts-expect-error: the position of a still must be a number
  await assay.issues.evidence('s', 'a', 'i', '1');
  // @ts-expect-error: an event type that does not exist
  await assay.webhooks.create({ url: 'https://here.example', eventTypes: ['asset.created'] });
  // @ts-expect-error: without event types
  await assay.webhooks.create({ url: 'https://here.example' });
  // @ts-expect-error: an event type that does not exist
  await assay.sandbox.fire({ eventType: 'asset.created', submissionId: 'x' });
  // @ts-expect-error: without a name
  await assay.profiles.create({});
  // @ts-expect-error: a limit that does not exist
  await assay.profiles.create({ name: 'x', limits: { loudness: { targt: -16 } } });
  // @ts-expect-error: a severity that does not exist
  await assay.profiles.update('x', { failOn: 'HIGH' });
  // @ts-expect-error: a file must be a Blob
  await assay.uploads.upload('video.mp4');
  // @ts-expect-error: an option that does not exist
  await assay.uploads.upload(new Blob([]), { chunkSize: 5 });
  // @ts-expect-error: without a content type
  await assay.uploads.createUrl({ filename: 'a.mp4' });
  // @ts-expect-error: an option of the client that does not exist
  new Assay({ key: 'x' });
  // @ts-expect-error: without a secret
  await unwrap('{}', {});

  switch (event.type) {
    case 'asset.processing.completed':
      // @ts-expect-error: only a failed event has an error message
      event.data.error_message;
      return event.data.severity_counts;
    case 'asset.processing.failed':
      return event.data.error_type;
    case 'asset.verdict.changed':
      return event.data.previous_verdict;
    case 'submission.processing.finished':
      // @ts-expect-error: an event about a submission names no asset
      event.data.asset_id;
      return event.data.verdict;
    // @ts-expect-error: an event type that does not exist
    case 'asset.created':
      return event;
    default:
      return event satisfies never;
  }
}

export async function acceptedByTheCompiler(assay: Assay): Promise<string[]> {
  const page = await assay.submissions.list({ status: ['complete', 'failed'] });
  const ids: string[] = page.submissions.map(({ submissionId }) => submissionId);
  for await (const issue of assay.issues.list('s', 'a', { severity: 'CRITICAL' })) {
    const severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO' = issue.severity;
    ids.push(severity);
  }
  const still: Uint8Array = await assay.issues.evidence('s', 'a', 'i', 1);
  const nothing: undefined = await assay.webhooks.delete('x');
  return [...ids, String(still.length), String(nothing)];
}
