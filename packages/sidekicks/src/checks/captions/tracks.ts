import type { CaptionTrack, EmbeddedCaptions } from '#evidence/media/captions/caption-track.ts';
import type { CueFile } from '#evidence/media/captions/cue-file.ts';
import { movingVideos } from '#evidence/media/captions/moving-videos.ts';
import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { toPlainText } from '#sidekick/words.ts';

/** Captions that could be read, from a caption file or a video. */
export type Track = {
  /** The name in findings: `null` for a caption file, else `track 3 (eng)`. */
  name: string | null;
  /** What it is called where there is no sentence around it: `captions, track 3 (eng)`, or the name of the file. */
  label: string;
  /** In file order. */
  cues: readonly Cue[];
};

export function tracksOf(cueFile: CueFile | null, embedded: EmbeddedCaptions | null, filename: string): Track[] {
  const file = cueFile ? [{ name: null, label: toPlainText(filename), cues: cueFile.cues }] : [];
  return [...file, ...(embedded?.tracks ?? []).flatMap((track) => readableTrack(track))];
}

export function trackNameOf({ streamIndex, language }: Pick<CaptionTrack, 'streamIndex' | 'language'>): string {
  return `track ${streamIndex}${language ? ` (${language.replace(/[^\p{L}\p{N}-]/gu, '').slice(0, 20)})` : ''}`;
}

export function trackLabelOf(track: CaptionTrack): string {
  const name = trackNameOf(track);
  return track.unread.includes('videoFrames')
    ? `CEA-608 or CEA-708 captions in the video, ${name}`
    : `captions, ${name}`;
}

function readableTrack(track: CaptionTrack): Track[] {
  return track.cues ? [{ name: trackNameOf(track), label: trackLabelOf(track), cues: track.cues }] : [];
}

/** Whether a file has video. Cover art, which is a video stream in audio files, does not count. */
export function isVideo(probe: Probe): boolean {
  return movingVideos(probe).length > 0;
}

/** Cues with a duration, in the order in which they are shown. */
export function shownCues({ cues }: Track): Cue[] {
  return cues.filter(({ startMs, endMs }) => endMs > startMs).toSorted((a, b) => a.startMs - b.startMs);
}
