import { le, overwrite, plainCrc32, u8 } from '#verify/security/poison/formats/bytes.ts';
import { type Assumption, made } from './assumption.ts';
import { lavfi, loud, quiet, tone } from './sources.ts';

const check = 'loudness';
const profile = 'ebu-r128';

/** −7 LUFS: too loud, and with a true peak of −7 dBTP not too high. */
const tooLoud = { 'LOUD-INTEGRATED-HIGH': { measured: -7 } };
/** Blocks across the joint have a part of the loudness. With 3 s of audio, short-term loudness is measured as well. */
const joined = { 'LOUD-INTEGRATED-HIGH': { measured: -7, within: 1 }, 'LOUD-SHORT-TERM': {} };

/** A loud tone that is stored in another way. */
const stored = (how: string, filename: string, make: Assumption['make'], issues: Assumption['issues'] = tooLoud) =>
  ({ promise: `measures ${how}`, check, profile, filename, make, issues }) satisfies Assumption;

const loudTone = lavfi(tone(loud, 2));

export const soundFormats: Assumption[] = [
  stored('samples of 8 bits', 'a.wav', () => made('.wav', `${loudTone} -c:a pcm_u8`)),
  stored('samples of 64 bits in floating point', 'a.wav', () => made('.wav', `${loudTone} -c:a pcm_f64le`)),
  stored('samples in floating point in AIFF-C', 'a.aiff', () => made('.aiff', `${loudTone} -c:a pcm_f32be`)),
  stored('8,000 samples a second', 'a.wav', () => made('.wav', `${lavfi(tone(loud, 2, 8000))} -c:a pcm_s16le`)),
  stored('192,000 samples a second', 'a.wav', () => made('.wav', `${lavfi(tone(loud, 2, 192_000))} -c:a pcm_s24le`)),
  stored('a WAV file whose size was never filled in', 'a.wav', async () => withoutSize(await made('.wav', loudTone))),
  stored('FLAC that does not say how many samples it has', 'a.flac', async () => {
    const flac = await made('.flac', loudTone);
    return overwrite(flac, 21, u8((flac[21] as number) & 0xf0, 0, 0, 0, 0));
  }),
  stored(
    'MP3 whose Xing header says that it is shorter',
    'a.mp3',
    async () => {
      const [short, long] = [await made('.mp3', lavfi(tone(quiet, 1))), await made('.mp3', loudTone)];
      return Buffer.concat([short, long]);
    },
    joined,
  ),
  stored(
    'the second of two Ogg files that were joined',
    'a.ogg',
    async () => Buffer.concat([await made('.ogg', lavfi(tone(quiet, 2))), await made('.ogg', loudTone)]),
    joined,
  ),
  stored('audio in which the gain of the Opus header applies', 'a.opus', async () =>
    withOpusGain(await made('.opus', `${lavfi(tone([-17, -17], 2))} -c:a libopus -b:a 256k`), 10),
  ),
  stored('fragmented MP4 whose head declares no duration', 'a.m4a', () =>
    made('.m4a', `${loudTone} -c:a aac -b:a 256k -movflags empty_moov+frag_keyframe -frag_duration 500000 -f mp4`),
  ),
  stored('the audio of a live WebM file that declares no duration', 'a.webm', () =>
    made('.webm', `${loudTone} -c:a libopus -b:a 256k -live 1 -f webm`),
  ),
  stored('audio behind an ID3 tag in AAC', 'a.aac', () =>
    made('.aac', `${loudTone} -c:a aac -b:a 256k -write_id3v2 1 -metadata title=a`),
  ),
  stored('RF64, the WAV of large files', 'a.wav', () => made('.wav', `${loudTone} -rf64 always`)),
  stored('BW64, which is RF64 by another name', 'a.wav', async () =>
    overwrite(await made('.wav', `${loudTone} -rf64 always`), 0, Buffer.from('BW64')),
  ),
];

/** The sizes of the RIFF and its data as programs leave them that write to a pipe. */
function withoutSize(wav: Buffer): Buffer {
  const unknown = le.u32(0xffffffff);
  return overwrite(overwrite(wav, 4, unknown), wav.indexOf('data') + 4, unknown);
}

/** The first page of an Ogg file with an output gain in decibels. */
function withOpusGain(opus: Buffer, decibels: number): Buffer {
  const at = opus.indexOf('OpusHead');
  const page = Buffer.from(opus.subarray(0, opus.indexOf('OggS', 4)));
  page.writeInt16LE(Math.round(decibels * 256), at + 16);
  page.writeUInt32LE(0, 22);
  page.writeUInt32LE(plainCrc32(page, 0), 22);
  return Buffer.concat([page, opus.subarray(page.length)]);
}
