import type { EmbeddedCaptions } from '../../evidence/captions/caption-track.ts';
import type { CueFile } from '../../evidence/captions/cue-file.ts';
import type { Probe, ProbeStream } from '../../evidence/probe-report.ts';
import type { Declared, Finding } from '../../sidekick.ts';
import { judgeEmpty, judgeFile } from './judge-file.ts';
import { type Activity, judgePresence } from './judge-presence.ts';
import { judgeReading } from './judge-reading.ts';
import { judgeTiming } from './judge-timing.ts';
import type { RuleCode } from './rules.ts';
import { tracksOf } from './tracks.ts';

export type CaptionEvidence = {
  cueFile: CueFile | null;
  embeddedCaptions: EmbeddedCaptions | null;
  probe: Probe | null;
  sound: Activity | null;
};

export function checkCaptions(evidence: CaptionEvidence, { media, profile }: Declared): Finding<RuleCode>[] {
  const { cueFile, embeddedCaptions: embedded, probe, sound } = evidence;
  const endMs = probe && filmEndMs(probe);
  const found = [
    ...judgeFile(cueFile, media),
    ...(probe ? judgePresence({ embedded, probe, sound }) : []),
    ...tracksOf(cueFile, embedded).flatMap((track) => [
      ...judgeEmpty(track),
      ...judgeTiming(track, track.name === null ? null : endMs),
      ...judgeReading(track, profile.captions),
    ]),
  ];
  return tellApart(found);
}

/** When picture and sound are over. The container's own duration counts its captions too. */
function filmEndMs({ streams }: Probe): number | null {
  const ends = streams
    .filter(({ kind, isAttachedPicture }) => kind === 'audio' || (kind === 'video' && !isAttachedPicture))
    .flatMap((stream) => secondsOf(stream) ?? []);
  return ends.length > 0 ? Math.max(...ends) * 1000 : null;
}

/** Matroska keeps it in a tag: `00:00:04.003000000`. */
function secondsOf({ durationSeconds, tags }: ProbeStream): number | null {
  const tag = tags.find(({ name }) => /^duration(-[a-z]+)?$/i.test(name))?.value ?? '';
  const [whole, hours, minutes, seconds] = /^(\d{1,4}):(\d{2}):(\d{2}(?:\.\d{1,9})?)/.exec(tag) ?? [];
  return whole === undefined ? durationSeconds : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** The same words may stand in a file twice; two findings of one rule have two subjects. */
function tellApart(findings: Finding<RuleCode>[]): Finding<RuleCode>[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const key = `${finding.ruleCode} ${finding.subject}`;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return nth === 1 ? finding : { ...finding, subject: `${finding.subject} (${nth})` };
  });
}
