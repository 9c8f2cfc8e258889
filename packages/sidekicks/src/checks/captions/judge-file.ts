import type { MediaType } from '@assay/contract/media-types.ts';
import type { CueFile } from '../../evidence/captions/cue-file.ts';
import type { Flaw } from '../../evidence/captions/flaws.ts';
import { certain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { count } from '../../words.ts';
import type { RuleCode } from './rules.ts';
import type { Track } from './tracks.ts';
import { listLines } from './words.ts';

/** What a file of captions is declared as → the format that its bytes should have, and what they lack otherwise. */
const formats: Readonly<Record<string, { format: CueFile['format']; name: string; lacks: string }>> = {
  'text/vtt': { format: 'vtt', name: 'WebVTT', lacks: 'its first line is not WEBVTT' },
  'application/x-subrip': { format: 'srt', name: 'SubRip', lacks: 'it does not begin with a number and a time' },
};

/** Is it what it is named, and can players read all of it? */
export function judgeFile(cueFile: CueFile | null, { type }: MediaType): Finding<RuleCode>[] {
  const meant = formats[type];
  const misnamed = meant && meant.format !== cueFile?.format ? [misname(meant.name, meant.lacks, cueFile)] : [];
  return [...misnamed, ...byKind(cueFile?.flaws ?? []).map(findingOf)];
}

/** Are there any captions in what should have some? */
export function judgeEmpty({ name, cues }: Track): Finding<RuleCode>[] {
  if (cues.length > 0) return [];
  const subject = name ?? 'file';
  return [
    certain('CAPT-EMPTY', {
      subject: `no captions: ${subject}`,
      summary: `There is not one caption in ${name ?? 'the file'}. Deliver the captions, or leave ${name ? 'the track' : 'it'} out.`,
      severityReasoning: 'No caption with a time that can be read',
      measured: 0,
      limit: 1,
      unit: 'captions',
    }),
  ];
}

function misname(name: string, lacks: string, cueFile: CueFile | null): Finding<RuleCode> {
  const is = cueFile ? ` It is ${cueFile.format === 'vtt' ? 'WebVTT' : 'SubRip'} by its content.` : '';
  return certain('CAPT-MALFORMED', {
    subject: `not ${name}`,
    summary: `The file is named as ${name}, but ${lacks}.${is} Players that go by the name will not read it.`,
    severityReasoning: `By its bytes it is not ${name}`,
  });
}

function byKind(flaws: readonly Flaw[]): Flaw[][] {
  return [...Map.groupBy(flaws, ({ what }) => what).values()];
}

function findingOf(flaws: Flaw[]): Finding<RuleCode> {
  const { what = '', isLost = false } = flaws[0] ?? {};
  return certain(isLost ? 'CAPT-MALFORMED' : 'CAPT-IRREGULAR', {
    subject: what,
    summary: `The file has ${what} (${listLines(flaws.map(({ line }) => line))}).`,
    severityReasoning: `Found in ${count(flaws.length, 'place')}`,
    measured: flaws.length,
    limit: 0,
    unit: 'places',
  });
}
