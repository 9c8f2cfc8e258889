import { sortBySeverity } from '@assay/report/severity.ts';
import type { AssetResult, Issue, Operations } from '@assay/sdk';
import { type Session, takeItems } from './session.ts';

/** Reads the current result of an asset, and the full issues that match the query. */
export async function readAsset(
  { assay, signal }: Session,
  submissionId: string,
  assetId: string,
  query: Operations['listIssues']['query'] = {},
): Promise<{ result: AssetResult; issues: Issue[] }> {
  const result = await assay.assets.get(submissionId, assetId, { signal });
  if (!result.issueCount) return { result, issues: [] };
  return {
    result,
    issues: sortBySeverity(await takeItems(assay.issues.list(submissionId, assetId, query, { signal }))),
  };
}
