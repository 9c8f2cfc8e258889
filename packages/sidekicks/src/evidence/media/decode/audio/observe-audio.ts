import type { AudioFormat, ObserverDefinition } from '../signal/observer.ts';
import { createRanges, createSeries, type Range, type Series } from '../signal/series.ts';
import { type Clipping, createClippingWatch } from './clipping.ts';
import { createStereoWatch, type Stereo } from './stereo.ts';

export type ChannelRecord = {
  /** Sample peak; `null` for digital silence. */
  peakDb: number | null;
  /** How long the channel is above the silence threshold, in steps of 0.1 s. */
  audibleSeconds: number;
};

/** Measurements of the audio, without a verdict. */
export type AudioRecord = {
  sampleRate: number;
  layout: string | null;
  durationSeconds: number;
  channels: ChannelRecord[];
  /** Ranges in which no channel is above −60 dBFS, exact to the sample. */
  silence: Range[];
  /** How long any channel is above the silence threshold, in steps of 0.1 s. */
  audibleSeconds: number;
  clipping: Clipping;
  /** Of the first two channels; `null` unless there are only these, or they are mono tracks that may be left and right. */
  stereo: Stereo | null;
  /** Ranges that are loud enough to be speech, including pauses shorter than a second. */
  active: Range[];
  /** RMS level of the loudest channel in steps of 0.1 s, dBFS, at least −90. */
  level: Series;
};

export const silenceDb = -60;
export const silenceSecondsMin = 0.1;
const activeDb = -45;
const activeGapSeconds = 1;
const floorDb = -90;
const stepsPerSecond = 10;

const silenceAmplitude = 10 ** (silenceDb / 20);

export const observeAudio: ObserverDefinition<AudioRecord> = {
  taps: ['samples'],
  open: ({ audio }) => (audio ? createAudioObserver(audio) : null),
};

function createAudioObserver({ sampleRate, channels, layout, isAssumed }: AudioFormat) {
  const stepFrames = Math.max(1, Math.round(sampleRate / stepsPerSecond));
  const silence = createRanges({ secondsMin: silenceSecondsMin });
  const active = createRanges({ secondsMin: 0, gapSeconds: activeGapSeconds });
  const level = createSeries({ stepSeconds: stepFrames / sampleRate, pool: 'max' });
  const clipping = createClippingWatch(sampleRate, channels);
  const stereo = channels === 2 || isAssumed ? createStereoWatch(stepFrames / sampleRate) : null;

  const peaks = new Float32Array(channels);
  const audibleSteps = new Uint32Array(channels);
  const stepPeaks = new Float32Array(channels);
  const stepEnergies = new Float64Array(channels);
  let anySteps = 0;
  let frame = 0;
  let stepStart = 0;
  let silentSince = 0;
  let isSilent = true;

  function closeStep(): void {
    const frames = frame - stepStart;
    if (frames === 0) return;
    const [start, end] = [stepStart / sampleRate, frame / sampleRate];
    const db = 10 * Math.log10(Math.max(...stepEnergies) / frames);
    level.add(start, Math.max(floorDb, db));
    if (db > activeDb) active.add(start, end);
    if (stepPeaks.some((peak) => peak >= silenceAmplitude)) anySteps++;
    for (let channel = 0; channel < channels; channel++) {
      const peak = stepPeaks[channel] as number;
      if (peak >= silenceAmplitude) audibleSteps[channel] = (audibleSteps[channel] as number) + 1;
      if (peak > (peaks[channel] as number)) peaks[channel] = peak;
    }
    stereo?.closeStep(start, end, frames);
    stepPeaks.fill(0);
    stepEnergies.fill(0);
    stepStart = frame;
  }

  return {
    samples(samples: Float32Array): void {
      for (let at = 0; at + channels <= samples.length; at += channels) {
        let highest = 0;
        for (let channel = 0; channel < channels; channel++) {
          const value = samples[at + channel] as number;
          const amplitude = Math.abs(value);
          if (amplitude > highest) highest = amplitude;
          if (amplitude > (stepPeaks[channel] as number)) stepPeaks[channel] = amplitude;
          stepEnergies[channel] = (stepEnergies[channel] as number) + value * value;
          clipping.take(channel, frame, amplitude);
        }
        stereo?.take(samples[at] as number, samples[at + 1] as number);
        if (highest < silenceAmplitude) {
          if (!isSilent) silentSince = frame;
          isSilent = true;
        } else if (isSilent) {
          if (frame > silentSince) silence.add(silentSince / sampleRate, frame / sampleRate);
          isSilent = false;
        }
        frame++;
        if (frame - stepStart === stepFrames) closeStep();
      }
    },

    end(): AudioRecord {
      closeStep();
      if (isSilent && frame > silentSince) silence.add(silentSince / sampleRate, frame / sampleRate);
      const stepSeconds = stepFrames / sampleRate;
      return {
        sampleRate,
        layout,
        durationSeconds: frame / sampleRate,
        channels: Array.from(peaks, (peak, channel) => ({
          peakDb: peak > 0 ? 20 * Math.log10(peak) : null,
          audibleSeconds: (audibleSteps[channel] as number) * stepSeconds,
        })),
        silence: silence.end().ranges,
        audibleSeconds: anySteps * stepSeconds,
        clipping: clipping.end(frame),
        stereo: stereo?.end() ?? null,
        active: active.end().ranges,
        level: level.end(),
      };
    },
  };
}
