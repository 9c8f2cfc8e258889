import type { Probe, ProbeStream, ProbeTag } from '../probe/probe-report.ts';
import type { CaptionTrack } from './caption-track.ts';

const bitmapCodecs = new Set(['dvb_subtitle', 'dvd_subtitle', 'hdmv_pgs_subtitle', 'xsub', 'dvb_teletext']);
/** What ffmpeg calls the data stream of an MXF file that holds lines of the blanking interval (SMPTE ST 436). */
const ancillaryTypes = new Set(['vbi_smpte_436M', 'vbi_vanc_smpte_436M']);
/** Titles of tracks that translate only signs, or only speech in another language. */
const partialTitle = /\b(?:forced|signs|foreign (?:\p{L}+ )?only)\b/iu;

/** The caption tracks that the container declares, not read yet. */
export function listDeclaredTracks({ streams }: Probe): CaptionTrack[] {
  return streams.flatMap((stream) => {
    if (stream.kind === 'subtitle') return subtitleTrack(stream);
    return ancillaryTypes.has(tagOf(stream, 'data_type')) ? ancillaryTrack(stream) : [];
  });
}

function subtitleTrack(stream: ProbeStream): CaptionTrack {
  const { index, codec } = stream;
  const isBitmap = bitmapCodecs.has(codec);
  return {
    streamIndex: index,
    codec,
    language: namedLanguage(stream.language),
    kind: isBitmap ? 'bitmap' : codec === 'eia_608' ? '608' : 'text',
    isForced: stream.isForced || partialTitle.test(tagOf(stream, 'title')),
    cues: null,
    unread: [isBitmap && codec !== 'dvb_teletext' ? 'images' : 'format'],
  };
}

function ancillaryTrack({ index, language }: ProbeStream): CaptionTrack {
  const codec = 'smpte_436m';
  return {
    ...{ streamIndex: index, codec, language: namedLanguage(language), kind: '608' },
    ...{ isForced: false, cues: null, unread: ['ancillaryData'] },
  };
}

/** `und` stands for an undetermined language. */
export function namedLanguage(language: string | null | undefined): string | null {
  return language && language.trim() !== '' && language.toLowerCase() !== 'und' ? language : null;
}

function tagOf({ tags }: { tags: readonly ProbeTag[] }, wanted: string): string {
  return tags.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}
