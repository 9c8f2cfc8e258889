import { type AssetResult, type Issue, NotFoundError, type Submission } from '@assay/sdk';
import type { Report, ReportAsset } from './report/report.ts';
import type { Session } from './session.ts';

type Read = { result: AssetResult; issues: Issue[] };

/** Reads what a report of a submission needs beyond what is known already: curves and stills. */
export async function gatherReport(session: Session, submission: Submission, read: Read[]): Promise<Report> {
  const assets: ReportAsset[] = [];
  // One after the other: a report is worth waiting for, and the limits of the workspace are for everyone.
  for (const { result, issues } of read) {
    const isThere = result.status === 'complete' && result.issueCount !== null;
    assets.push({
      result,
      issues,
      measurements: isThere
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
      // A report without one of its pictures is still a report.
      if (error instanceof NotFoundError) return new Uint8Array();
      throw error;
    }),
  );
  return [id, await Promise.all(stills)] as const;
}
