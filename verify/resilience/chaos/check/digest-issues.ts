import { createHash } from 'node:crypto';
import type { Issue } from '@assay/contract/schemas/issue.ts';

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Digests of an asset's issues: of all fields, and of the fields that must be equal for every asset with the same
 * bytes.
 */
export function digestIssues({ issues }: { issues: Issue[] }) {
  const findings = issues.map(({ id: _, createdAt, updatedAt, evidence, ...said }) => ({
    ...said,
    evidence: evidence.map(({ url, ...shown }) => shown), // a URL contains ids
  }));
  return {
    issuesSha256: sha256(issues),
    findingsSha256: sha256(findings),
    ruleCodes: issues.map(({ ruleCode }) => ruleCode),
  };
}
