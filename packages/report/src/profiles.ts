import { formatRevision } from './format/format.ts';
import type { Report, ReportAsset } from './report.ts';

/** The profiles that the checks applied, or will apply, without duplicates, such as `ebu-r128, revision 2`. */
export function profilesOf({ submission, assets }: Pick<Report, 'submission' | 'assets'>): string[] {
  const applied = assets.flatMap(({ result }) => result.checks.map(formatProfile));
  if (applied.length > 0) return [...new Set(applied)];
  return submission ? [formatRevision(submission.profile)] : [];
}

type AppliedProfile = Pick<ReportAsset['result']['checks'][number], 'profile' | 'profileRevision'>;

export function formatProfile({ profile, profileRevision }: AppliedProfile): string {
  return formatRevision({ name: profile, revision: profileRevision });
}
