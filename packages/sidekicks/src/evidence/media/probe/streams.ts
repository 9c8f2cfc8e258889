import type { NotExamined } from '@assay/contract/schemas/coverage.ts';
import type { Probe, ProbeStream } from './probe-report.ts';
import { audioProgrammes, layoutChannelsMax } from './programmes.ts';
import { isDecodable, trackName } from './track.ts';

/**
 * `main` is what the checks examine; an `extra` stream is of the same kind, beside it. Cover art and chapter thumbnails
 * are still images.
 */
export type StreamRole = 'main' | 'extra' | 'cover_art' | 'chapter_thumbnails';
export type MediaStream = { stream: ProbeStream; role: StreamRole; name: string };

export type MainStreams = {
  /** The stream that all checks examine as the video; null without one. */
  video: ProbeStream | null;
  /** Every stream of the kind, in the order of the file. */
  videos: MediaStream[];
  audios: MediaStream[];
  captions: MediaStream[];
};

/**
 * Which streams of a file are its video, audio and captions: the one place that decides it. The main stream is the first
 * that can be decoded. A chapter track is only the main video if there is no other, because players show its frames
 * beside the video; but some ignore that it is a chapter track, so more than one frame is video all the same.
 */
export function mainStreams({ streams }: Pick<Probe, 'streams'>): MainStreams {
  const moving = streams.filter((stream) => stream.kind === 'video' && stillRoleOf(stream) === null);
  const ordinary = moving.filter(({ isChapterTrack }) => !isChapterTrack);
  const video = [...ordinary, ...moving].find(isDecodable) ?? ordinary[0] ?? moving[0] ?? null;
  const audios = streams.filter(({ kind }) => kind === 'audio');
  const captions = streams.filter(({ kind }) => kind === 'subtitle');
  return {
    video,
    videos: streams
      .filter(({ kind }) => kind === 'video')
      .map((stream) => ({
        stream,
        role: stillRoleOf(stream) ?? roleBeside(video, stream),
        name: moving.includes(stream) ? trackName('video', moving.indexOf(stream) + 1, stream) : 'still image',
      })),
    audios: listed('audio', audios, audios.find(isDecodable) ?? audios[0]),
    captions: listed('caption', captions, captions[0]),
  };
}

/** The video streams that no check examines. */
export function videoNotExamined(probe: Pick<Probe, 'streams'>): NotExamined[] {
  return mainStreams(probe)
    .videos.filter(({ role }) => role === 'extra')
    .map(({ stream, name }) => ({
      kind: 'video_stream',
      label: name,
      reason: isDecodable(stream) ? 'limit_reached' : 'unsupported',
      share: null,
    }));
}

/** The audio that is not examined if the first programmes, this many, were. */
export function audioNotExamined(probe: Pick<Probe, 'streams'>, examinedCount: number): NotExamined[] {
  const { programmes, beyondLimit, unknown } = audioProgrammes(probe);
  const part = (label: string, reason: NotExamined['reason']): NotExamined => ({
    kind: 'audio_stream',
    label,
    reason,
    share: null,
  });
  return [
    ...programmes.slice(examinedCount).map(({ name }) => part(name, 'unsupported')),
    ...beyondLimit.map(({ name }) => part(name, 'limit_reached')),
    ...unknown.map((name) => part(name, 'unsupported')),
  ];
}

/** Whether the channels are parts of a sound field, which no meter weights, rather than loudspeakers. */
export const isAmbisonic = (layout: string | null) => layout?.startsWith('ambisonic') ?? false;

/** The channels whose loudness is not measured, because no layout has weights for them. */
export function channelsNotMeasured(probe: Pick<Probe, 'streams'>, measuredCount: number): NotExamined[] {
  const part = (label: string): NotExamined => ({ kind: 'audio_stream', label, reason: 'unsupported', share: null });
  return audioProgrammes(probe)
    .programmes.slice(0, measuredCount)
    .flatMap(({ name, channels, layout }) => {
      if (isAmbisonic(layout)) return part(`Ambisonics of ${name}`);
      return channels > layoutChannelsMax ? part(`channels 3 to ${channels} of ${name}`) : [];
    });
}

function listed(word: string, streams: ProbeStream[], main: ProbeStream | undefined): MediaStream[] {
  return streams.map((stream, i) => ({
    stream,
    role: roleBeside(main ?? null, stream),
    name: trackName(word, i + 1, stream),
  }));
}

function roleBeside(main: ProbeStream | null, stream: ProbeStream): StreamRole {
  return stream === main ? 'main' : 'extra';
}

/** The role of a video stream with a single frame that is not the video; null for all others. */
function stillRoleOf({ isAttachedPicture, isChapterTrack, frameCount }: ProbeStream): StreamRole | null {
  if (isChapterTrack) return frameCount === 1 ? 'chapter_thumbnails' : null;
  return isAttachedPicture && (frameCount ?? 1) <= 1 ? 'cover_art' : null;
}
