import type { Issue } from '@assay/sdk';

type Standard = NonNullable<Issue['standard']>;

/** What to say beside a clause, because its source may say something else; null if it was read. */
export function formatUnverified({ isVerified }: Pick<Standard, 'isVerified'>): string | null {
  // Services of previous versions do not say.
  return isVerified ? null : 'not read in the original';
}

/** `EBU R 103 (version 3.0, 2020), Annex 1 (not read in the original)` */
export function formatStandard(standard: Standard): string {
  const unverified = formatUnverified(standard);
  return `${standard.name}, ${standard.clause}${unverified ? ` (${unverified})` : ''}`;
}
