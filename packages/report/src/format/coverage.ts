import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { Check } from '@assay/sdk';
import { formatNumber } from './format.ts';

type Coverage = NonNullable<Check['coverage']>;

/** Further examined things are only counted. What was not examined is always listed in full. */
const examinedShownMax = 6;

const reasons: Record<NotExaminedReason, string> = {
  damaged: 'damaged or incomplete',
  encrypted: 'encrypted',
  unsupported: 'this version cannot read it',
  limit_reached: 'a limit on size, number or time was reached',
  not_measurable: 'no measurable value',
};

/** `video track 1, 1,500 frames; audio track 1 (eng), 60 s`; null if it was not recorded. */
export function formatExamined(coverage: Coverage | null | undefined): string | null {
  if (!coverage || coverage.examined.length === 0) return null;
  const words = coverage.examined.map(({ label, quantity, unit }) =>
    quantity === null ? label : `${label}, ${[formatNumber(quantity, 1), unit].filter(Boolean).join(' ')}`,
  );
  const rest = words.length - examinedShownMax;
  return [...words.slice(0, examinedShownMax), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** `frames that cannot be decoded, 37.0 %: damaged or incomplete`; null if there is nothing of the kind. */
export function formatNotExamined(coverage: Coverage | null | undefined): string | null {
  if (!coverage || coverage.notExamined.length === 0) return null;
  return coverage.notExamined.map(formatNotExaminedPart).join('; ');
}

export function formatNotExaminedPart({ label, share, reason }: Coverage['notExamined'][number]): string {
  return `${label}${share === null ? '' : `, ${formatPart(share)}`}: ${reasonOf(reason)}`;
}

/** `nothing to check: the profile sets no expectations`. Services of the previous version do not say why. */
export function formatNotApplicable(check: Pick<Check, 'reason'>): string {
  const why = whyNotApplicable(check);
  if (check.reason === 'nothing_in_profile') return `nothing to check: ${why}`;
  return why ? `not applicable: ${why}` : 'not applicable to this file';
}

export function whyNotApplicable({ reason }: Pick<Check, 'reason'>): string | null {
  if (reason === 'nothing_in_profile') return 'the profile sets no expectations';
  return reason === 'nothing_in_file' ? 'the file has nothing of the kind' : null;
}

/** A newer service may have further reasons. */
function reasonOf(reason: string): string {
  return reasons[reason as NotExaminedReason] ?? reason.replaceAll('_', ' ');
}

/** A part that is not zero is never shown as 0.0 %. */
function formatPart(share: number): string {
  const percent = 100 * share;
  return percent > 0 && percent < 0.05 ? 'less than 0.1 %' : `${formatNumber(percent, 1, 1)} %`;
}
