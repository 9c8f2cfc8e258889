import { type AssetResult, type Issue, NotFoundError, type Submission } from '@assay/sdk';
import type { Report, ReportAsset } from './report/report.ts';
import type { Session } from './session.ts';

type Read = { result: AssetResult; issues: Issue[] };

/** Loads the measurements and stills for a report. */
export async function gatherReport(session: Session, submission: Submission, read: Read[]): Promise<Report> {
  const assets: ReportAsset[] = [];
  // One asset at a time, to leave most of the workspace's rate limit to others.
  for (const { result, issues } of read) {
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
  return { submission, assets, generatedAt: new Date().toISOString(), baseUrl: session.settings.baseUrl };
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
