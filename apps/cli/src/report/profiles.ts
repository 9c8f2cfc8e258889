import type { Report, ReportAsset } from './report.ts';

/** `ebu-r128, revision 2`, each once: the profiles that the checks applied, or those that will be applied. */
export function profilesOf({ submission, assets }: Pick<Report, 'submission' | 'assets'>): string[] {
  const applied = assets.flatMap(({ result }) => result.checks.map(formatProfile));
  if (applied.length > 0) return [...new Set(applied)];
  return submission ? [formatPinned(submission.profile)] : [];
}

type Applied = Pick<ReportAsset['result']['checks'][number], 'profile' | 'profileRevision'>;

export function formatProfile({ profile, profileRevision }: Applied): string {
  return formatPinned({ name: profile, revision: profileRevision });
}

function formatPinned({ name, revision }: { name: string; revision: number }): string {
  return `${name}, revision ${revision}`;
}
