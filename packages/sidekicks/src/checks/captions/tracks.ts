import type { CaptionTrack, EmbeddedCaptions } from '../../evidence/captions/caption-track.ts';
import type { CueFile } from '../../evidence/captions/cue-file.ts';
import type { Cue } from '../../evidence/captions/parse-cues.ts';

/** Captions that could be read, wherever they come from. */
export type Track = {
  /** What it is called in a finding: nothing for a file that is the captions, else `track 3 (eng)`. */
  name: string | null;
  /** As they stand in the file. */
  cues: readonly Cue[];
};

export function tracksOf(cueFile: CueFile | null, embedded: EmbeddedCaptions | null): Track[] {
  const file = cueFile ? [{ name: null, cues: cueFile.cues }] : [];
  return [...file, ...(embedded?.tracks ?? []).flatMap((track) => readOf(track))];
}

export function nameOf({ streamIndex, language }: Pick<CaptionTrack, 'streamIndex' | 'language'>): string {
  return `track ${streamIndex}${language ? ` (${language.replace(/[^\p{L}\p{N}-]/gu, '').slice(0, 20)})` : ''}`;
}

function readOf(track: CaptionTrack): Track[] {
  return track.cues ? [{ name: nameOf(track), cues: track.cues }] : [];
}

/** Cues that are shown at all, in the order in which they are. */
export function shownCues({ cues }: Track): Cue[] {
  return cues.filter(({ startMs, endMs }) => endMs > startMs).toSorted((a, b) => a.startMs - b.startMs);
}
