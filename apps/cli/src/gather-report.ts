import type { RejectedFile, Report, ReportAsset } from '@assay/report/report.ts';
import { type AssetResult, type Issue, NotFoundError, type Submission } from '@assay/sdk';
import type { CheckedFile } from './output/checked.ts';
import type { Session } from './session.ts';

/** Loads the measurements and stills of these files, and returns all data of a report. */
export async function gatherReport(
  session: Session,
  submission: Submission | null,
  checked: CheckedFile[],
  serviceVersion: string | null,
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
      stills: Object.fromEntries(await Promise.all(issues.map((issue) => stillsOf(session, result, issue)))),
    });
  }
  return {
    submission,
    assets,
    rejected: checked.flatMap(rejectedFilesOf),
    generatedAt: new Date().toISOString(),
    baseUrl: session.settings.baseUrl,
    serviceVersion,
  };
}

function rejectedFilesOf({ file, refusal }: CheckedFile): RejectedFile[] {
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
