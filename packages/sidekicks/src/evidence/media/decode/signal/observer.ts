/** The format of a video or audio file, known before it is decoded. */
export type MediaFormat = {
  durationSeconds: number | null;
  video: VideoFormat | null;
  audio: AudioFormat | null;
};

export type VideoFormat = {
  /** The size of the frame as displayed, after rotation. */
  width: number;
  height: number;
  frameRate: number | null;
  /** Whether the file declares full range: black and white are the first and last code instead of 16 and 235. */
  isFullRange: boolean;
  matrix: 'bt601' | 'bt709' | 'bt2020';
  transfer: 'bt1886' | 'srgb' | 'pq' | 'hlg';
  /** BT.601 has different primaries for 525 and for 625 lines. */
  primaries: 'bt601-525' | 'bt601-625' | 'bt709' | 'bt2020';
  /** The width of a displayed pixel by its height: 4/3 for HDV. */
  pixelAspect: number;
  /** The declared field order. */
  fieldOrder: 'progressive' | 'tff' | 'bff' | null;
  isRgb: boolean;
  /** Whether frames have an alpha channel: what is behind them shows through. */
  hasAlpha: boolean;
  /** Bit depth of the full frames that are analysed: 10 with PQ and HLG if the video has more than 8 bits. */
  bits: 8 | 10;
  /** Whether the video is 4:2:0 with this bit depth, so that its frames need no conversion. */
  isPlain: boolean;
  /** The size of `SmallFrame`. */
  small: { width: number; height: number };
};

export type AudioFormat = {
  sampleRate: number;
  channels: number;
  layout: string | null;
  /** Whether these are mono tracks that are only assumed to be one mix. */
  isAssumed?: true;
};

/** A frame scaled down by averaging. Valid only during the call: the next frame reuses its memory. */
export type SmallFrame = {
  index: number;
  seconds: number;
  /** Packed 8-bit R'G'B', full range, with the transfer function of the video; rows from the top, without padding. */
  rgb: Uint8Array;
};

/** 160 × 90 pixels of a frame in its own size, so that their levels are exact. Valid only during the call. */
export type LevelSample = {
  index: number;
  seconds: number;
  /** Planes Y, Cb, Cr of 14,400 codes each; 8 bits, in the range of the file. */
  codes: Uint8Array;
  /** The same planes; each value is the sum of the codes of the pixel and its eight neighbours in the frame. */
  sums: Uint16Array;
};
export const levelSampleSize = { width: 160, height: 90 } as const;
/** A pixel together with its neighbours. */
export const neighbourCount = 9;

/** The name under which ffmpeg's idet prints its verdict on a frame. */
export const fieldVerdictKey = 'lavfi.idet.single.current_frame';
/** The field order that idet detected in a frame, in a strip at the centre. */
export type FieldVerdict = {
  index: number;
  seconds: number;
  verdict: 'tff' | 'bff' | 'progressive' | 'undetermined';
  /** Whether it is the first frame after a change of the format of the frames. */
  isRestart?: boolean;
};

/** A reading of ffmpeg's ebur128, which prints ten per second. −Infinity is digital silence. */
export type LoudnessReading = {
  seconds: number;
  momentaryLufs: number;
  shortTermLufs: number;
  integratedLufs: number;
  rangeLu: number;
  /** The highest true peak of each channel so far, dBTP. */
  truePeaksDb: number[];
};

/** Receives the decoder's output in order. An observer must keep little of it, because videos can be long. */
export type Observer<Result> = {
  frame?(frame: SmallFrame): void;
  levels?(sample: LevelSample): void;
  field?(field: FieldVerdict): void;
  loudness?(reading: LoudnessReading): void;
  /** Interleaved samples of all channels, never a partial frame; ±1 is full scale. Valid only during the call. */
  samples?(samples: Float32Array): void;
  end(): Result;
};

/** The outputs of the decoder for observers. The clock has the timestamps of small frames and level samples. */
export type WatchedTap = 'clock' | 'smallFrames' | 'levels' | 'fields' | 'loudness' | 'samples';
/**
 * All outputs: those for observers, and the full frames with their timestamps for the thread that searches for flashes.
 */
export type Tap = WatchedTap | 'frames' | 'frameClock';

/** A kind of evidence that is gathered from decoded data. */
export type ObserverDefinition<Result> = {
  taps: readonly WatchedTap[];
  /** `null` if the file has no stream to observe. The result must be plain data that can be passed between threads. */
  open(format: MediaFormat): Observer<Result> | null;
};
