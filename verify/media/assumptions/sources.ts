/** Black and white for two frames each: at 24 frames a second, 12 changes a second. The frames are of a lavfi source. */
export const strobe = (size = '64x48', seconds = 2, rate = 24) =>
  `color=black:s=${size}:r=${rate}:d=${seconds},drawbox=color=white:t=fill:enable='lt(mod(n\\,4)\\,2)'`;

/** A grey picture without a fault. */
export const still = (size = '64x48', seconds = 2, rate = 24) => `color=gray:s=${size}:r=${rate}:d=${seconds}`;

/** A tone of 997 Hz whose loudness in two channels is this many LUFS, as amplitude. */
const amplitude = (decibels: number) => (10 ** (decibels / 20)).toFixed(6);

/** A tone in each channel with a peak of this many dBFS; null is silence. Two channels of −23 dBFS are −23 LUFS. */
export const tone = (levels: readonly (number | null)[], seconds = 3, rate = 48_000) => {
  const channels = levels.map((level) => (level === null ? '0' : `${amplitude(level)}*sin(2*PI*997*t)`));
  return `aevalsrc=${channels.join('|')}:s=${rate}:d=${seconds}`;
};

export const loud = [-7, -7];
export const quiet = [-40, -40];

export const lavfi = (...sources: string[]) => sources.map((source) => `-f lavfi -i ${source}`).join(' ');

/** Fast, and without frames that depend on later ones. */
export const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';
export const lossless = '-c:v ffv1';

/** UTF-16 with a byte order mark. */
export const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
