import type { Standard } from '@assay/contract/schemas/issue.ts';
import { expect, test } from 'vitest';
import { presentIssue } from './present.ts';
import type { IssueRow } from './store.ts';

const clause = { name: 'EBU R 128 (version 4.0, 2020)', clause: 'Recommendations d, e and i' };

/** The standard of an issue as it is shown, from the one that is stored. */
function shown(standard: IssueRow['standard']): Standard | null {
  const time = new Date('2026-01-05T09:30:00Z');
  const row = { standard, precedents: [], evidence: [], createdAt: time, updatedAt: time, statusChangedAt: null };
  return presentIssue(row as unknown as IssueRow, { submissionId: 's', assetId: 'a' }, '').standard;
}

test('an issue that was stored before isVerified existed says null, not that its source was or was not read', () => {
  expect(shown(clause)).toEqual({ ...clause, isVerified: null });
  expect(shown({ ...clause, isVerified: false })).toEqual({ ...clause, isVerified: false });
  expect(shown(null)).toBeNull();
});
