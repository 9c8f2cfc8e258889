import type { EmbeddedCaptions } from '#evidence/media/captions/caption-track.ts';
import type { CueFile } from '#evidence/media/captions/cue-file.ts';
import { movingVideos } from '#evidence/media/captions/moving-videos.ts';
import type { Probe, ProbeStream } from '#evidence/media/probe/probe-report.ts';
import type { Declared, Finding } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { judgeEmpty, judgeFile } from './judge-file.ts';
import { type Activity, judgePresence } from './judge-presence.ts';
import { judgeReading } from './judge-reading.ts';
import { judgeTiming, type MediaEnd } from './judge-timing.ts';
import { judgeUnread } from './judge-unread.ts';
import type { RuleCode } from './rules.ts';
import { isVideo, tracksOf } from './tracks.ts';

export type CaptionEvidence = {
  cueFile: CueFile | null;
  embeddedCaptions: EmbeddedCaptions | null;
  probe: Probe | null;
  audio: Activity | null;
};

export function checkCaptions(evidence: CaptionEvidence, { media, filename, profile }: Declared): Finding<RuleCode>[] {
  const { cueFile, embeddedCaptions: embedded, probe, audio } = evidence;
  const end = probe && mediaEndOf(probe);
  const formatTime = timeFormatFor(probe);
  const found = [
    ...judgeFile(cueFile, media, filename),
    ...(probe ? judgePresence({ embedded, probe, audio, formatTime }) : []),
    ...(embedded ? judgeUnread(embedded) : []),
    ...tracksOf(cueFile, embedded, filename).flatMap((track) => [
      ...judgeEmpty(track),
      ...judgeTiming(track, track.name === null ? null : end, formatTime),
      ...judgeReading(track, profile, formatTime),
    ]),
  ];
  return makeSubjectsUnique(found);
}

/**
 * Returns when the video and audio streams end, counted from the start of the file, as the times of captions are. The
 * duration of the container would include its captions.
 */
function mediaEndOf(probe: Probe): MediaEnd | null {
  const streams = [...movingVideos(probe), ...probe.streams.filter(({ kind }) => kind === 'audio')];
  const ends = streams.flatMap((stream) => endSecondsOf(stream, probe.startSeconds ?? 0) ?? []);
  return ends.length > 0 ? { endMs: Math.max(...ends) * 1000, kind: isVideo(probe) ? 'video' : 'audio' } : null;
}

/** Matroska has the duration of a stream in a tag, as ffmpeg writes it from the start of the file: `00:00:04.003000000`. */
function endSecondsOf({ startSeconds, durationSeconds, tags }: ProbeStream, fileStartSeconds: number): number | null {
  const tag = tags.find(({ name }) => /^duration(-[a-z]+)?$/i.test(name))?.value ?? '';
  const [whole, hours, minutes, seconds] = /^(\d{1,4}):(\d{2}):(\d{2}(?:\.\d{1,9})?)/.exec(tag) ?? [];
  if (whole !== undefined) return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const delaySeconds = Math.max(0, (startSeconds ?? fileStartSeconds) - fileStartSeconds);
  return durationSeconds === null ? null : delaySeconds + durationSeconds;
}

/** The same words can occur twice in a file, but findings of one rule must have different subjects. */
function makeSubjectsUnique(findings: Finding<RuleCode>[]): Finding<RuleCode>[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const key = `${finding.ruleCode} ${finding.subject}`;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return nth === 1 ? finding : { ...finding, subject: `${finding.subject} (${nth})` };
  });
}
