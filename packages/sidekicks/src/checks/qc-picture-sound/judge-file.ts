import type { Decoding } from '../../evidence/pass/decoding.ts';
import type { Probe } from '../../evidence/probe-report.ts';
import type { Profile } from '../../profile.ts';
import { certain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { clock } from '../../words.ts';
import { placeOf, type RuleCode, rounded } from './rules.ts';

const messageCharactersMax = 120;

/** Whether all of the file can be played, and picture and sound belong together. */
export function judgeFile(decoding: Decoding, probe: Probe | null, limits: Profile['sound']): Finding<RuleCode>[] {
  return [...judgeWhole(decoding, probe), ...judgeEnds(decoding, limits)];
}

function judgeWhole(decoding: Decoding, probe: Probe | null): Finding<RuleCode>[] {
  const { isCutShort, errorCount, messages } = decoding;
  const endSeconds = Math.max(decoding.pictureEndSeconds ?? 0, decoding.soundEndSeconds ?? 0);
  const claimed = probe?.durationSeconds ?? null;
  const said = messages[0] ? `: ${messages[0].slice(0, messageCharactersMax)}` : '';
  if (isCutShort) {
    const instead = claimed !== null && claimed > endSeconds ? ` instead of ${clock(claimed)}` : '';
    return [
      certain('QC-TRUNCATED', {
        subject: 'cut short',
        summary: `It can be played only to ${clock(endSeconds)}${instead}: the file is not whole. Deliver it again.`,
        severityReasoning: `Decoding ended at ${endSeconds.toFixed(2)} s of ${claimed?.toFixed(2) ?? 'an unknown number of'} s, with ${errorCount} errors${said}`,
        measured: rounded(endSeconds),
        ...(claimed !== null && { limit: rounded(claimed) }),
        unit: 's',
        locations:
          claimed !== null && claimed > endSeconds ? [placeOf({ startSeconds: endSeconds, endSeconds: claimed })] : [],
      }),
    ];
  }
  if (errorCount === 0) return [];
  return [
    certain('QC-TRUNCATED', {
      subject: 'damaged',
      summary: `It is damaged: the decoder stumbled ${errorCount === 1 ? 'once' : `${errorCount.toLocaleString('en-GB')} times`}. Deliver it again.`,
      severityReasoning: `${errorCount} errors of the decoder${said}`,
      measured: errorCount,
      limit: 0,
      unit: 'errors',
      confidence: 0.9,
    }),
  ];
}

function judgeEnds(
  { pictureEndSeconds, soundEndSeconds, isCutShort }: Decoding,
  limits: Profile['sound'],
): Finding<RuleCode>[] {
  if (pictureEndSeconds === null || soundEndSeconds === null || isCutShort) return [];
  const apart = Math.abs(pictureEndSeconds - soundEndSeconds);
  if (apart <= limits.endsApartSecondsMax + 0.001) return [];
  const [first, last] = pictureEndSeconds < soundEndSeconds ? ['picture', 'sound'] : ['sound', 'picture'];
  const range = {
    startSeconds: Math.min(pictureEndSeconds, soundEndSeconds),
    endSeconds: Math.max(pictureEndSeconds, soundEndSeconds),
  };
  return [
    certain('QC-AV-LENGTH', {
      subject: 'length of picture and sound',
      summary: `The ${first} ends at ${clock(range.startSeconds)}, ${apart.toFixed(1)} s before the ${last}.`,
      severityReasoning: `Picture ends at ${pictureEndSeconds.toFixed(2)} s, sound at ${soundEndSeconds.toFixed(2)} s; limit ${limits.endsApartSecondsMax} s apart`,
      measured: rounded(apart),
      limit: limits.endsApartSecondsMax,
      unit: 's',
      locations: [placeOf(range)],
    }),
  ];
}
