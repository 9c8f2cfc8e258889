import { formatRevision } from './format/format.ts';
import type { Report, ReportAsset } from './report.ts';

/** `ebu-r128, revision 2`, each once: the profiles that the checks applied, or those that will be applied. */
export function profilesOf({ submission, assets }: Pick<Report, 'submission' | 'assets'>): string[] {
  const applied = assets.flatMap(({ result }) => result.checks.map(formatProfile));
  if (applied.length > 0) return [...new Set(applied)];
  return submission ? [formatRevision(submission.profile)] : [];
}

type Applied = Pick<ReportAsset['result']['checks'][number], 'profile' | 'profileRevision'>;

export function formatProfile({ profile, profileRevision }: Applied): string {
  return formatRevision({ name: profile, revision: profileRevision });
}
