import type { AssetResult, Issue, Operations } from '@assay/sdk';
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

/** What `--json` prints of it: each issue once and in full, so not also in short within the result. */
export function toJson({ file, result, issues, refusal }: Checked) {
  return { file, result: result && withoutIssues(result), issues, ...(refusal && { error: refusal }) };
}

function withoutIssues({ issues: _, ...rest }: AssetResult) {
  return rest;
}

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
