import { mostSevereFirst } from '@assay/report/severity.ts';
import type { AssetResult, Issue, Operations } from '@assay/sdk';
import { type Session, take } from './session.ts';

/** The current result of an asset, and its full issues that match the query. */
export async function readAsset(
  { assay, signal }: Session,
  submissionId: string,
  assetId: string,
  query: Operations['listIssues']['query'] = {},
): Promise<{ result: AssetResult; issues: Issue[] }> {
  const result = await assay.assets.get(submissionId, assetId, { signal });
  if (!result.issueCount) return { result, issues: [] };
  return { result, issues: mostSevereFirst(await take(assay.issues.list(submissionId, assetId, query, { signal }))) };
}
