/** Generated audio: interleaved samples, where full scale is ±1. */
export type Signal = { sampleRate: number; channels: number; samples: Float32Array };

/** A tone with a peak level in dBFS per channel, `null` for silence. The phase continues from one part to the next. */
export type ToneSection = { seconds: number; levelsDb: readonly (number | null)[] };

const sampleRate = 48_000;
const toneHertz = 1000;

export const stereo = (seconds: number, levelDb: number | null): ToneSection => ({
  seconds,
  levelsDb: [levelDb, levelDb],
});

export function tones(parts: readonly ToneSection[]): Signal {
  const channels = parts[0]?.levelsDb.length ?? 2;
  const lengths = parts.map(({ seconds }) => Math.round(seconds * sampleRate));
  const samples = new Float32Array(lengths.reduce((sum, n) => sum + n, 0) * channels);
  let frame = 0;
  for (const [i, { levelsDb }] of parts.entries()) {
    const amplitudes = levelsDb.map((db) => (db === null ? 0 : 10 ** (db / 20)));
    for (const end = frame + (lengths[i] as number); frame < end; frame++) {
      const value = Math.sin((2 * Math.PI * toneHertz * frame) / sampleRate);
      for (let channel = 0; channel < channels; channel++) {
        samples[frame * channels + channel] = (amplitudes[channel] as number) * value;
      }
    }
  }
  return { sampleRate, channels, samples };
}

/** A tone with 10 ms fades at both ends, because an abrupt end overshoots once it is band-limited. */
export function peakTone({
  perCycle,
  amplitude,
  phaseDegrees,
}: {
  perCycle: number;
  amplitude: number;
  phaseDegrees: number;
}): Signal {
  return fadedStereo(
    sampleRate,
    (frame) => amplitude * Math.sin((2 * Math.PI * frame) / perCycle + (phaseDegrees * Math.PI) / 180),
  );
}

/**
 * A peak of exactly full scale between two samples: a sum of many cosines whose crests coincide `quarters` / 4 of
 * the way from one sample to the next.
 */
export function peakBetweenSamples(quarters: number): Signal {
  const [harmonics, crest] = [40, sampleRate / 2 + quarters / 4];
  return fadedStereo(sampleRate, (frame) => {
    let sum = 0;
    for (let k = 1; k <= harmonics; k++) sum += Math.cos((2 * Math.PI * k * 220 * (frame - crest)) / sampleRate);
    return sum / harmonics;
  });
}

function fadedStereo(length: number, valueAt: (frame: number) => number): Signal {
  const fade = sampleRate / 100;
  const samples = new Float32Array(length * 2);
  for (let frame = 0; frame < length; frame++) {
    const gain = Math.min(1, frame / fade, (length - 1 - frame) / fade);
    samples.fill(gain * valueAt(frame), 2 * frame, 2 * frame + 2);
  }
  return { sampleRate, channels: 2, samples };
}

type Noise = {
  seconds: number;
  sampleRate?: number;
  channels?: number;
  seed: number;
  levelDb: number;
  /** Low-pass filter: 0 is white noise; closer to 1 has less treble. */
  smoothing?: number;
  /** The level varies by `modulationDb`, with a period of `modulationSeconds`. */
  modulationDb?: number;
  modulationSeconds?: number;
};

/** Noise that is the same for the same seed. */
export function noise({
  seconds,
  sampleRate: rate = sampleRate,
  channels = 2,
  seed,
  levelDb,
  smoothing = 0,
  modulationDb = 0,
  modulationSeconds = 5,
}: Noise): Signal {
  const samples = new Float32Array(Math.round(seconds * rate) * channels);
  const filtered = new Float64Array(channels);
  let state = seed >>> 0;
  for (let at = 0; at < samples.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const channel = at % channels;
    filtered[channel] = smoothing * (filtered[channel] as number) + (1 - smoothing) * (state / 2 ** 31 - 1);
    const modulation = (modulationDb / 2) * Math.sin((2 * Math.PI * at) / channels / rate / modulationSeconds);
    samples[at] = 10 ** ((levelDb + modulation) / 20) * (filtered[channel] as number);
  }
  return { sampleRate: rate, channels, samples };
}
