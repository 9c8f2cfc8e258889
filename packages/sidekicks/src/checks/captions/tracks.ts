import type { CaptionTrack, EmbeddedCaptions } from '#evidence/media/captions/caption-track.ts';
import type { CueFile } from '#evidence/media/captions/cue-file.ts';
import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';

/** Captions that could be read, from a caption file or a video. */
export type Track = {
  /** The name in findings: `null` for a caption file, else `track 3 (eng)`. */
  name: string | null;
  /** In file order. */
  cues: readonly Cue[];
};

export function tracksOf(cueFile: CueFile | null, embedded: EmbeddedCaptions | null): Track[] {
  const file = cueFile ? [{ name: null, cues: cueFile.cues }] : [];
  return [...file, ...(embedded?.tracks ?? []).flatMap((track) => readableTrack(track))];
}

export function trackNameOf({ streamIndex, language }: Pick<CaptionTrack, 'streamIndex' | 'language'>): string {
  return `track ${streamIndex}${language ? ` (${language.replace(/[^\p{L}\p{N}-]/gu, '').slice(0, 20)})` : ''}`;
}

function readableTrack(track: CaptionTrack): Track[] {
  return track.cues ? [{ name: trackNameOf(track), cues: track.cues }] : [];
}

/** Whether a file has video. Cover art, which is a video stream in audio files, does not count. */
export function isVideo({ streams }: Probe): boolean {
  return streams.some(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture);
}

/** Cues with a duration, in the order in which they are shown. */
export function shownCues({ cues }: Track): Cue[] {
  return cues.filter(({ startMs, endMs }) => endMs > startMs).toSorted((a, b) => a.startMs - b.startMs);
}
