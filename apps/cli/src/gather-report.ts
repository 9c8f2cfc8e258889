import type { RejectedFile, Report, ReportAsset } from '@assay/report/report.ts';
import { type AssetResult, type Issue, NotFoundError, type Submission } from '@assay/sdk';
import type { Checked } from './output/checked.ts';
import type { Session } from './session.ts';

/** Loads the measurements and stills for a report on these files. */
export async function gatherReport(
  session: Session,
  submission: Submission | null,
  checked: Checked[],
  serviceVersion: string | null,
): Promise<Report> {
  const assets: ReportAsset[] = [];
  // One asset at a time, to leave most of the workspace's rate limit to others.
  for (const { result, issues } of checked) {
    if (!result) continue;
    const hasMeasurements = result.status === 'complete' && result.issueCount !== null;
    assets.push({
      result,
      issues,
      measurements: hasMeasurements
        ? await session.assay.assets.measurements(result.submissionId, result.assetId, { signal: session.signal })
        : undefined,
      stills: Object.fromEntries(await Promise.all(issues.map((issue) => stillsOf(session, result, issue)))),
    });
  }
  return {
    submission,
    assets,
    rejected: checked.flatMap(rejectedOf),
    generatedAt: new Date().toISOString(),
    baseUrl: session.settings.baseUrl,
    serviceVersion,
  };
}

function rejectedOf({ file, refusal }: Checked): RejectedFile[] {
  if (!refusal) return [];
  const { message, next, code, status } = refusal;
  return [{ filename: file, reason: message, next, code, isBeforeUpload: status === undefined }];
}

async function stillsOf({ assay, signal }: Session, { submissionId, assetId }: AssetResult, { id, evidence }: Issue) {
  const stills = evidence.map((_, i) =>
    assay.issues.evidence(submissionId, assetId, id, i + 1, { signal }).catch((error: unknown) => {
      // A missing still must not prevent the report.
      if (error instanceof NotFoundError) return new Uint8Array();
      throw error;
    }),
  );
  return [id, await Promise.all(stills)] as const;
}
