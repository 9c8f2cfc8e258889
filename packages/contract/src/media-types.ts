import type { Category } from './limits.ts';

export type MediaType = {
  /** The canonical content type. */
  type: string;
  category: Category;
  extensions: readonly string[];
  /** Other content types in common use for the same format. */
  aliases: readonly string[];
  /** Types as which the content of valid files may be detected; `text` stands for any plain text. */
  recognisedAs: readonly string[];
};

const officeDocument = 'application/vnd.openxmlformats-officedocument';

// ISO containers (mp4, mov, 3gp, m4a) differ by a brand that muxers choose freely, so each type accepts the brands that
// common tools write.
const mediaTypeRows: [string, Category, string[], string[], string[]][] = [
  [
    'video/mp4',
    'video',
    ['mp4', 'm4v'],
    ['video/x-m4v', 'application/mp4'],
    ['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp'],
  ],
  ['video/quicktime', 'video', ['mov', 'qt'], ['video/mov', 'video/x-quicktime'], ['video/quicktime', 'video/mp4']],
  ['video/webm', 'video', ['webm'], [], ['video/webm']],
  ['video/x-matroska', 'video', ['mkv'], ['video/matroska', 'video/mkv'], ['video/matroska', 'video/webm']],
  ['video/x-msvideo', 'video', ['avi'], ['video/avi', 'video/msvideo', 'video/vnd.avi'], ['video/vnd.avi']],
  [
    'video/mpeg',
    'video',
    ['mpg', 'mpeg'],
    ['video/mpg', 'video/x-mpeg', 'video/mp2p', 'video/mp1s'],
    ['video/MP1S', 'video/MP2P', 'video/mpeg'],
  ],
  [
    'video/mp2t',
    'video',
    ['ts', 'mts', 'm2ts'],
    ['video/x-mpegts', 'video/mp2ts', 'video/vnd.dlna.mpeg-tts', 'video/avchd-stream'],
    ['video/mp2t'],
  ],
  ['video/3gpp', 'video', ['3gp'], ['video/3gp', 'video/x-3gpp'], ['video/3gpp', 'video/mp4']],
  ['application/mxf', 'video', ['mxf'], ['video/mxf', 'application/x-mxf'], ['application/mxf']],

  ['audio/mpeg', 'audio', ['mp3'], ['audio/mp3', 'audio/x-mp3', 'audio/x-mpeg', 'audio/mpeg3'], ['audio/mpeg']],
  ['audio/mp4', 'audio', ['m4a'], ['audio/x-m4a', 'audio/m4a'], ['audio/x-m4a', 'audio/mp4', 'video/mp4']],
  ['audio/aac', 'audio', ['aac'], ['audio/x-aac', 'audio/aacp', 'audio/x-hx-aac-adts'], ['audio/aac']],
  ['audio/wav', 'audio', ['wav'], ['audio/x-wav', 'audio/wave', 'audio/vnd.wave', 'audio/x-pn-wav'], ['audio/wav']],
  ['audio/flac', 'audio', ['flac'], ['audio/x-flac'], ['audio/flac']],
  [
    'audio/ogg',
    'audio',
    ['ogg', 'oga', 'opus'],
    ['audio/opus', 'application/ogg', 'audio/x-ogg', 'audio/vorbis'],
    ['audio/ogg', 'audio/ogg; codecs=opus'],
  ],
  ['audio/aiff', 'audio', ['aiff', 'aif'], ['audio/x-aiff'], ['audio/aiff']],

  ['image/jpeg', 'image', ['jpg', 'jpeg'], ['image/jpg', 'image/pjpeg'], ['image/jpeg']],
  ['image/png', 'image', ['png'], ['image/x-png', 'image/apng'], ['image/png', 'image/apng']],
  ['image/gif', 'image', ['gif'], [], ['image/gif']],
  ['image/webp', 'image', ['webp'], [], ['image/webp']],
  ['image/tiff', 'image', ['tiff', 'tif'], ['image/x-tiff'], ['image/tiff']],
  ['image/bmp', 'image', ['bmp'], ['image/x-bmp', 'image/x-ms-bmp'], ['image/bmp']],
  [
    'image/heic',
    'image',
    ['heic', 'heif'],
    ['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  ],
  ['image/avif', 'image', ['avif'], ['image/avif-sequence'], ['image/avif']],

  ['application/pdf', 'document', ['pdf'], ['application/x-pdf'], ['application/pdf']],
  [
    `${officeDocument}.wordprocessingml.document`,
    'document',
    ['docx'],
    [],
    [`${officeDocument}.wordprocessingml.document`],
  ],
  [
    `${officeDocument}.presentationml.presentation`,
    'document',
    ['pptx'],
    [],
    [`${officeDocument}.presentationml.presentation`],
  ],
  [`${officeDocument}.spreadsheetml.sheet`, 'document', ['xlsx'], [], [`${officeDocument}.spreadsheetml.sheet`]],
  ['text/plain', 'document', ['txt'], [], ['text', 'text/vtt']],
  ['text/vtt', 'document', ['vtt'], ['text/plain'], ['text/vtt', 'text']],
  ['application/x-subrip', 'document', ['srt'], ['text/srt', 'application/srt', 'text/x-srt', 'text/plain'], ['text']],
];

/** §8.1: the accepted file types. Deliberately not accepted: svg, html, legacy Office, files with macros, zip. */
export const mediaTypes: readonly MediaType[] = mediaTypeRows.map(
  ([type, category, extensions, aliases, recognisedAs]) => ({
    type,
    category,
    extensions,
    aliases,
    recognisedAs,
  }),
);

const mediaTypeByExtension = new Map(
  mediaTypes.flatMap((media) => media.extensions.map((extension) => [extension, media])),
);
const contentTypeNames = new Set(mediaTypes.flatMap((media) => [media.type, ...media.aliases]));

export function mediaTypeOfFilename(filename: string): MediaType | undefined {
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? undefined : mediaTypeByExtension.get(filename.slice(dot + 1).toLowerCase());
}

/** Far longer than any accepted type, so the rest of a longer text is ignored. */
const contentTypeCharactersMax = 256;

/** `Video/MP4; codecs=avc1` → `video/mp4` */
export function bareContentType(contentType: string): string {
  const [bareType] = contentType.slice(0, contentTypeCharactersMax).split(';', 1) as [string];
  return bareType.trim().toLowerCase();
}

export function isAllowedContentType(bareType: string): boolean {
  return contentTypeNames.has(bareType);
}

export function hasContentType(media: MediaType, bareType: string): boolean {
  return media.type === bareType || media.aliases.includes(bareType);
}
