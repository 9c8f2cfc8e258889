import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedSync } from '@assay/testing/run/cached.ts';
import { createLoudnessReader } from '#evidence/media/decode/audio/loudness-lines.ts';
import { type Loudness, observeLoudness } from '#evidence/media/decode/audio/observe-loudness.ts';
import type { LoudnessReading } from '#evidence/media/decode/signal/observer.ts';
import type { Signal } from './signals.ts';

/** Measures a signal with ffmpeg's meter, and with the parser and observer that are used for files. */
export async function measure(signal: Signal): Promise<{ loudness: Loudness; readings: LoudnessReading[] }> {
  const { sampleRate, channels } = signal;
  const observer = observeLoudness.open({
    durationSeconds: null,
    video: null,
    audio: { sampleRate, channels, layout: null },
  });
  if (!observer) throw new Error('no loudness observer was opened');
  const readings: LoudnessReading[] = [];
  const reader = createLoudnessReader((reading) => {
    readings.push(reading);
    observer.loudness?.(reading);
  });
  const filter = 'ebur128=peak=true:metadata=1,ametadata=mode=print:file=-';
  const args = ['-v', 'error', '-f', 'f32le', '-ar', `${sampleRate}`, '-ac', `${channels}`, '-i', 'pipe:0'];
  const text = await runMeter('ffmpeg', [...args, '-af', filter, '-f', 'null', '/dev/null'], signal);
  // Splits the samples into chunks of odd size, as a pipe does.
  for (let at = 0; at < text.length; at += 1013) reader.take(text.slice(at, at + 1013));
  return { loudness: observer.end(), readings };
}

/** Measures the integrated loudness of the same samples with libebur128. */
export async function measureWithLibebur128(signal: Signal): Promise<number> {
  return Number(await runMeter(compileLibebur128Meter(), [`${signal.channels}`, `${signal.sampleRate}`], signal));
}

/** The compiled meter links libebur128 dynamically, so it can be cached whatever the version of the library. */
function compileLibebur128Meter(): string {
  const source = join(import.meta.dirname, 'peer.c');
  return cachedSync('loudness-peer', '', readFileSync(source), (program) =>
    execFileSync('gcc', ['-O2', '-o', program, source, '-lebur128', '-lm'], { timeout: 60_000 }),
  );
}

async function runMeter(
  program: string,
  args: readonly string[],
  { samples }: Pick<Signal, 'samples'>,
): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], timeout: 60_000 });
  child.stdin.end(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return Buffer.concat(pieces).toString();
}
