import type { AssetResult, Issue, Operations, Sidekick } from '@assay/sdk';
import type { Described } from './failure.ts';
import { worstFirst } from './report/severity.ts';
import { type Session, take } from './session.ts';

/** What came of one file: a result, unless the service did not accept it. */
export type Checked = {
  file: string;
  result: AssetResult | null;
  /** Worst first. */
  issues: Issue[];
  refusal: Described | null;
};

/** An asset as it is now, with its issues in full, or those that the query asks for. */
export async function readAsset(
  { assay, signal }: Session,
  submissionId: string,
  assetId: string,
  query: Operations['listIssues']['query'] = {},
): Promise<{ result: AssetResult; issues: Issue[] }> {
  const result = await assay.assets.get(submissionId, assetId, { signal });
  if (!result.issueCount) return { result, issues: [] };
  return { result, issues: worstFirst(await take(assay.issues.list(submissionId, assetId, query, { signal }))) };
}

export async function readSidekicks({ assay, signal }: Session): Promise<Sidekick[]> {
  return take(assay.sidekicks.list({ signal }));
}
