import { declarationFor } from '@assay/testing/media/declared-as.ts';
import type { Evidence } from '#evidence/evidence.ts';
import type { CaptionTrack, UnreadCause } from '#evidence/media/captions/caption-track.ts';
import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import type { Probe, ProbeStream } from '#evidence/media/probe/probe-report.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { sidekick } from '../sidekick.ts';

export type Activity = { startSeconds: number; endSeconds: number }[];
type Input = {
  tracks?: CaptionTrack[];
  unsearched?: UnreadCause | null;
  active?: Activity | null;
  streams?: ProbeStream[];
  startSeconds?: number;
  durationSeconds?: number;
};

export const track = (cues: Cue[] | null, more: Partial<CaptionTrack> = {}): CaptionTrack => ({
  ...{ streamIndex: 2, codec: 'mov_text', language: 'eng', kind: 'text', isForced: false, cues },
  unread: cues ? [] : ['format'],
  ...more,
});
export const stream = (index: number, kind: ProbeStream['kind'], more: Partial<ProbeStream> = {}) =>
  ({
    index,
    kind,
    isAttachedPicture: false,
    durationSeconds: 60,
    averageFrameRate: 25,
    tags: [],
    ...more,
  }) as ProbeStream;

/** Returns the findings for a video, or other media, with these captions and this audio. */
export function checkVideo(
  {
    tracks = [],
    unsearched = null,
    active = null,
    streams = [stream(0, 'video'), stream(1, 'audio')],
    startSeconds = 0,
    durationSeconds = 60,
  }: Input,
  declared = declarationFor('a.mp4'),
): Finding[] {
  const evidence = {
    cueFile: null,
    embeddedCaptions: tracks.length > 0 || unsearched ? { tracks, unsearched } : null,
    probe: {
      reader: 'ffprobe 5.1.9',
      startSeconds,
      durationSeconds,
      tags: [],
      streams,
      chapters: [],
    } as unknown as Probe,
    audio: active && { active },
  } as unknown as Evidence;
  return sidekick.check(evidence, declared);
}
