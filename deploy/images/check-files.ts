import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { Assay, type Issue } from '@assay/sdk';
import { openFile } from '@assay/sdk/node';
import { corpusFolder } from '@assay/testing/media/corpora.ts';
import { sampleNames, samplePath } from '@assay/testing/media/samples.ts';

/** Leaves out long videos, which would only take more time. */
const sizeBytesMax = 2_500_000;

/** Lists real files of every kind: one per format made by ffmpeg, and those of the corpora that exist here. */
export function listFiles(): string[] {
  const folders = ['real', 'c2pa'].map(corpusFolder).filter((folder) => existsSync(folder));
  const ofCorpora = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => mediaTypeOfFilename(name))
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).size < sizeBytesMax),
  );
  return [...ofCorpora, ...sampleNames.map(samplePath)];
}

/** Everything that was reported for each file, without ids and times. */
export type Results = Record<string, string>;

/** Submits all files at once and waits for the results. `onSubmitted` runs while they are examined. */
export async function checkFiles(
  settings: { apiKey: string; baseUrl: string },
  files: string[],
  onSubmitted: () => Promise<void> = async () => {},
): Promise<Results> {
  const assay = new Assay(settings);
  const assets: { blobPath: string }[] = [];
  for (const file of files) {
    const { blobPath } = await assay.uploads.upload(await openFile(file));
    assets.push({ blobPath });
  }
  const { submissionId } = await assay.submissions.create({ assets });
  await sleep(2000);
  await onSubmitted();
  const submission = await assay.submissions.wait(submissionId, { waitMs: 30 * 60_000 });
  const results: Results = {};
  for (const [i, { assetId, status }] of submission.assets.entries()) {
    const issues: Issue[] = [];
    if (status === 'complete') for await (const issue of assay.issues.list(submissionId, assetId)) issues.push(issue);
    results[basename(files[i] as string)] = JSON.stringify([status, issues.map(describeIssue).sort()]);
  }
  return results;
}

function describeIssue({
  ruleCode,
  severity,
  status,
  summary,
  severityReasoning,
  measured,
  limit,
  locations,
}: Issue): string {
  return JSON.stringify([ruleCode, severity, status, summary, severityReasoning, measured, limit, locations]);
}
