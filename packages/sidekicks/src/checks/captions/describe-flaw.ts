import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import { mediaBounds } from '#evidence/media/bounds.ts';
import { type FlawKind, flawKinds } from '#evidence/media/captions/flaws.ts';
import { formatBytes, formatInteger } from '#sidekick/format-values.ts';

type FlawDescription = {
  flaw: string;
  remedy: string;
  /** What could not be examined, if captions were lost. Text without a time is no caption. */
  lost?: { label: string; reason: NotExaminedReason };
};

const descriptions: Readonly<Record<FlawKind, FlawDescription>> = {
  notUnicode: { flaw: 'Text is neither UTF-8 nor UTF-16', remedy: 'Save the file as UTF-8.' },
  notUtf8: { flaw: 'Text is UTF-16, but WebVTT requires UTF-8', remedy: 'Save the file as UTF-8.' },
  tooLarge: {
    flaw: `File exceeds ${formatBytes(mediaBounds.captionFileBytes.max)}; the rest was not read`,
    remedy: 'Split the file.',
    lost: { label: mediaBounds.captionFileBytes.label, reason: 'limit_reached' },
  },
  tooManyCues: {
    flaw: `File exceeds ${formatInteger(mediaBounds.captions.max)} captions; the rest was not read`,
    remedy: 'Split the file.',
    lost: { label: mediaBounds.captions.label, reason: 'limit_reached' },
  },
  badTime: {
    flaw: 'Invalid timestamp',
    remedy: 'Correct the timestamp.',
    lost: { label: 'captions with an invalid timestamp', reason: 'damaged' },
  },
  textWithoutTime: { flaw: 'Text without a timestamp', remedy: 'Add the timestamp or remove the text.' },
  longText: {
    flaw: 'Caption is too long; its end was not read',
    remedy: 'Split the caption.',
    lost: { label: mediaBounds.captionCharacters.label, reason: 'limit_reached' },
  },
  numberAlone: { flaw: 'Number without a caption', remedy: 'Remove the number.' },
  noNumber: { flaw: 'Caption without a number', remedy: 'Renumber the captions.' },
  wrongNumber: { flaw: 'Caption number out of sequence', remedy: 'Renumber the captions.' },
  noEmptyLine: { flaw: 'No empty line before a caption', remedy: 'Insert an empty line.' },
  commentAtCue: { flaw: 'Comment runs into a caption', remedy: 'Insert an empty line after the comment.' },
  unusualTime: {
    flaw: 'Timestamp in a non-standard form',
    remedy: 'Write timestamps as 00:00:00.000 (WebVTT) or 00:00:00,000 (SubRip).',
  },
  unknownSetting: { flaw: 'Unknown WebVTT cue setting', remedy: 'Remove or correct the setting.' },
};

const descriptionByFlaw = new Map(
  (Object.keys(flawKinds) as FlawKind[]).map((kind) => [flawKinds[kind].what as string, descriptions[kind]]),
);

/** `what` identifies a flaw across versions and never changes; the returned texts are shown to users. */
export function describeFlaw(what: string): FlawDescription {
  const description = descriptionByFlaw.get(what);
  if (!description) throw new Error(`no description of the flaw: ${what}`);
  return description;
}
