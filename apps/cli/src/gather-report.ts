import { basename } from 'node:path';
import type { RejectedFile, Report, ReportAsset } from '@assay/report/report.ts';
import { type AppliedGate, effectOf } from '@assay/report/verdict/judgement.ts';
import { type AssetResult, type Issue, NotFoundError, type Submission } from '@assay/sdk';
import type { CheckedFile } from './output/checked.ts';
import type { Session } from './session.ts';

/** Of further waivers, the report does not say who decided: each takes a request. */
const waiversWithActorMax = 100;

/** Loads the measurements, stills and waivers of these files, and returns all data of a report. */
export async function gatherReport(
  session: Session,
  submission: Submission | null,
  checked: CheckedFile[],
  serviceVersion: string | null,
  gate: AppliedGate | null,
): Promise<Report> {
  const assets: ReportAsset[] = [];
  // One asset at a time, to leave most of the workspace’s rate limit to other programs.
  for (const { result, issues } of checked) {
    if (!result) continue;
    const hasMeasurements = result.status === 'complete' && result.issueCount !== null;
    assets.push({
      result,
      issues,
      measurements: hasMeasurements
        ? await session.assay.assets.measurements(result.submissionId, result.assetId, { signal: session.signal })
        : undefined,
      poster: result.media?.poster ? await posterOf(session, result) : undefined,
      decisions: gate ? await decisionsOf(session, result, issues, gate) : {},
      stills: Object.fromEntries(await Promise.all(issues.map((issue) => stillsOf(session, result, issue)))),
    });
  }
  return {
    submission,
    // A gate of the profile needs no mention of its own.
    failOn: gate?.profile === null ? gate.failOn : undefined,
    assets,
    rejected: checked.flatMap(rejectedFilesOf),
    generatedAt: new Date().toISOString(),
    baseUrl: session.settings.baseUrl,
    serviceVersion,
  };
}

function rejectedFilesOf({ file, refusal, failure }: CheckedFile): RejectedFile[] {
  const error = refusal ?? failure;
  if (!error) return [];
  const { message, next, code, status } = error;
  const stage = failure ? 'unfinished' : status === undefined ? 'before_upload' : 'by_service';
  // Whoever receives the report is not told where the sender keeps files.
  const filename = basename(file);
  return [{ filename, reason: message.replaceAll(file, filename), next, code, stage }];
}

/** The decisions on the waived issues: who made them, and on which version. */
async function decisionsOf(
  { assay, signal }: Session,
  { submissionId, assetId, checks }: AssetResult,
  issues: Issue[],
  gate: AppliedGate,
): Promise<ReportAsset['decisions']> {
  const waived = issues.filter((issue) => effectOf(issue, checks, gate) === 'waived');
  const decisions: ReportAsset['decisions'] = {};
  for (const { id } of waived.slice(0, waiversWithActorMax)) {
    decisions[id] = (await assay.issues.get(submissionId, assetId, id, { signal })).decisions;
  }
  return decisions;
}

async function posterOf({ assay, signal }: Session, { submissionId, assetId }: AssetResult) {
  return await assay.assets.poster(submissionId, assetId, { signal }).catch(nothingIfNotFound);
}

/** A missing still must not prevent the report. */
function nothingIfNotFound(error: unknown): Uint8Array {
  if (error instanceof NotFoundError) return new Uint8Array();
  throw error;
}

async function stillsOf({ assay, signal }: Session, { submissionId, assetId }: AssetResult, { id, evidence }: Issue) {
  const stills = evidence.map((_, i) =>
    assay.issues.evidence(submissionId, assetId, id, i + 1, { signal }).catch(nothingIfNotFound),
  );
  return [id, await Promise.all(stills)] as const;
}
