/** What is known of a film or sound before its first frame. */
export type Film = {
  durationSeconds: number | null;
  picture: PictureFormat | null;
  sound: SoundFormat | null;
};

export type PictureFormat = {
  /** Of the decoded picture as it is shown: turned upright. */
  width: number;
  height: number;
  frameRate: number | null;
  /** Whether black and white lie at the ends of the scale, as the file says, and not at 16 and 235. */
  isFullRange: boolean;
  matrix: 'bt601' | 'bt709' | 'bt2020';
  transfer: 'bt1886' | 'srgb' | 'pq' | 'hlg';
  /** Order of the fields, as the file says. */
  fieldOrder: 'progressive' | 'tff' | 'bff' | null;
  isRgb: boolean;
  /** Whether it is 4:2:0 of 8 bits, and so goes as it is to those who look at every pixel. */
  isPlain: boolean;
  /** Every picture shrunk to this size by averaging, for those that look at each. */
  small: { width: number; height: number };
};

export type SoundFormat = { sampleRate: number; channels: number; layout: string | null };

/** Its bytes are good only during the call: the next picture lies in the same place. */
export type SmallPicture = {
  index: number;
  seconds: number;
  /** R'G'B' of 8 bits each, full range, still under the film's transfer curve; rows from the top, without gaps. */
  rgb: Uint8Array;
};

/** 160 × 90 single pixels of a picture, not averaged, so that they have its levels. Good only during the call. */
export type LevelSample = {
  index: number;
  seconds: number;
  /** Planes Y, Cb, Cr of 14,400 bytes each; 8 bits, in the range that the file has them in. */
  yuv: Uint8Array;
};
export const levelSampleSize = { width: 160, height: 90 } as const;

/** What ffmpeg's idet says of one picture, seen with its neighbours in a strip of the middle. */
export type FieldVerdict = { index: number; seconds: number; verdict: 'tff' | 'bff' | 'progressive' | 'undetermined' };

/** What ffmpeg's ebur128 says, ten times a second. −Infinity is digital silence. */
export type LoudnessReading = {
  seconds: number;
  momentaryLufs: number;
  shortTermLufs: number;
  integratedLufs: number;
  rangeLu: number;
  /** The highest true peak so far of each channel, dBTP. */
  truePeaksDb: number[];
};

/** Looks at what one decoding of the file lets out, in its order, and keeps little of it: films are long. */
export type Observer<Seen> = {
  picture?(picture: SmallPicture): void;
  levels?(sample: LevelSample): void;
  field?(field: FieldVerdict): void;
  loudness?(reading: LoudnessReading): void;
  /** Interleaved, whole frames of all channels, ±1 is full scale; good only during the call. */
  samples?(samples: Float32Array): void;
  end(): Seen;
};

/** What the one decoding can let out; the clock is for those who hand on its pictures. */
export type WatchedTap = 'clock' | 'picture' | 'levels' | 'fields' | 'loudness' | 'samples';
/** Beside them whole pictures, and the time of each, for the thread that looks for flashes. */
export type Tap = WatchedTap | 'frames' | 'frameClock';

/** A kind of evidence that is gathered by watching: opened only where the film has what it watches, else `null`. */
export type Observation<Seen> = {
  taps: readonly WatchedTap[];
  /** Gives data alone, which can be handed from one thread to another. */
  open(film: Film): Observer<Seen> | null;
};
