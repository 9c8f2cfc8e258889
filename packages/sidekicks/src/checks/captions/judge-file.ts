import type { MediaType } from '@assay/contract/media-types.ts';
import type { CueFile } from '#evidence/media/captions/cue-file.ts';
import type { Flaw } from '#evidence/media/captions/flaws.ts';
import { formatCount, toMeasurement } from '#sidekick/format-values.ts';
import { certainFinding, notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { listFirst, toPlainText } from '#sidekick/words.ts';
import { describeFlaw } from './describe-flaw.ts';
import type { RuleCode } from './rules.ts';
import type { Track } from './tracks.ts';

type CaptionFormat = CueFile['format'];

const formatNames: Readonly<Record<CaptionFormat, string>> = { vtt: 'WebVTT', srt: 'SubRip' };
const formatHeads: Readonly<Record<CaptionFormat, string>> = { vtt: 'WEBVTT', srt: 'a number and a time' };
/** Maps the declared media type of a caption file to the format that its content should have. */
const declaredFormats: Readonly<Record<string, CaptionFormat>> = { 'text/vtt': 'vtt', 'application/x-subrip': 'srt' };

export function isCaptionType({ type }: MediaType): boolean {
  return Object.hasOwn(declaredFormats, type);
}

/** Reports content that does not match the file extension, flaws in the syntax, and captions that they hide. */
export function judgeFile(cueFile: CueFile | null, { type }: MediaType, filename: string): Finding<RuleCode>[] {
  const declared = declaredFormats[type];
  const misnamed = declared && declared !== cueFile?.format ? [misnamedFinding(declared, cueFile?.format ?? null)] : [];
  const flaws = groupByKind(cueFile?.flaws ?? []);
  return [
    ...misnamed,
    ...flaws.map(flawFinding),
    ...(declared && !cueFile ? [unreadFileFinding(declared, filename)] : []),
    ...flaws.flatMap((some) => lostFinding(some, cueFile?.cues.length ?? 0, filename)),
  ];
}

/** Reports a file or track without captions. */
export function judgeEmpty({ name, cues }: Track): Finding<RuleCode>[] {
  if (cues.length > 0) return [];
  return [
    certainFinding('CAPT-EMPTY', {
      subject: `no captions: ${name ?? 'file'}`,
      summary: name
        ? `No captions in ${name}. Add the captions or remove the track.`
        : 'No captions in the file. Deliver the captions or leave the file out.',
      severityReasoning: 'No caption with a valid timestamp',
      measured: 0,
      limit: 1,
      unit: 'captions',
    }),
  ];
}

function misnamedFinding(declared: CaptionFormat, actual: CaptionFormat | null): Finding<RuleCode> {
  const name = formatNames[declared];
  return certainFinding('CAPT-MALFORMED', {
    subject: `not ${name}`,
    summary: actual
      ? `The file is named .${declared}, but its content is ${formatNames[actual]}. Rename it to .${actual}, or convert it to ${name}.`
      : `The file is named .${declared}, but it does not start with ${formatHeads[declared]}. Export it again as ${name}.`,
    severityReasoning: `The content is ${actual ? formatNames[actual] : `not ${name}`}; the declared type is ${name}`,
  });
}

function groupByKind(flaws: readonly Flaw[]): Flaw[][] {
  return [...Map.groupBy(flaws, ({ what }) => what).values()];
}

function flawFinding(flaws: Flaw[]): Finding<RuleCode> {
  const { what = '', isLost = false } = flaws[0] ?? {};
  const { flaw, remedy } = describeFlaw(what);
  const lines = listFirst(flaws.map(({ line }) => String(line)));
  return certainFinding(isLost ? 'CAPT-MALFORMED' : 'CAPT-IRREGULAR', {
    subject: what,
    summary: `${flaw} (${flaws.length === 1 ? 'line' : 'lines'} ${lines}). ${remedy}`,
    severityReasoning: `Found in ${formatCount(flaws.length, 'place')}`,
    measured: flaws.length,
    limit: 0,
    unit: 'places',
  });
}

function unreadFileFinding(declared: CaptionFormat, filename: string): Finding<RuleCode> {
  const name = formatNames[declared];
  return notVerifiedFinding(
    'CAPT-UNREADABLE',
    { kind: 'caption_track', label: toPlainText(filename), reason: 'unsupported', share: 1 },
    {
      subject: 'unread captions: file',
      summary: `The file is named .${declared}, but no captions could be read from it. Export it again as ${name}.`,
      severityReasoning: `No format that can be read was recognised; the declared type is ${name}`,
    },
  );
}

/** Captions that a flaw of the file kept from being examined. */
function lostFinding(flaws: readonly Flaw[], cueCount: number, filename: string): Finding<RuleCode>[] {
  const { what = '' } = flaws[0] ?? {};
  const { flaw, remedy, lost } = describeFlaw(what);
  if (!lost) return [];
  const lines = listFirst(flaws.map(({ line }) => String(line)));
  // Each invalid timestamp is one caption. How much is beyond a limit is not known.
  const share = lost.reason === 'damaged' ? toMeasurement(flaws.length / (flaws.length + cueCount)) : null;
  return [
    notVerifiedFinding(
      'CAPT-UNREADABLE',
      { kind: 'caption_track', label: `${lost.label}, ${toPlainText(filename)}`, reason: lost.reason, share },
      {
        subject: `unread captions: ${what}`,
        summary: `Not examined: ${lost.label} (${flaws.length === 1 ? 'line' : 'lines'} ${lines}). ${remedy}`,
        severityReasoning: `${flaw} in ${formatCount(flaws.length, 'place')}`,
        measured: flaws.length,
        limit: 0,
        unit: 'places',
      },
    ),
  ];
}
