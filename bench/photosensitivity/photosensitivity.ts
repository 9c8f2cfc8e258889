import { describeMissingCorpus } from '@assay/testing/media/corpora.ts';
import { corpusName, isCorpusHere, readCorpus } from '#verify/media/flash-corpus/corpus.ts';
import { disputeOf, isSafeByText } from '#verify/media/flash-corpus/disputes.ts';
import { analyseClip, failuresOf } from '#verify/media/flash-corpus/judge-clip.ts';
import { createRenderer } from '#verify/media/flash-corpus/render.ts';
import { abortOnSignal, publish } from '../measure/conclude.ts';
import { isSafeToFilter, readFfmpegVersion } from './photosensitivity-filter.ts';
import { formatAccuracy, type Verdict } from './photosensitivity-report.ts';

const progressEvery = 25;

/** Measures how many labelled clips the check judges correctly, compared with EA IRIS and ffmpeg's filter. */
export async function benchPhotosensitivity(args: string[]): Promise<boolean> {
  if (!isCorpusHere) {
    console.error(describeMissingCorpus(corpusName));
    return false;
  }
  const signal = abortOnSignal();
  const clips = readCorpus();
  const renderer = createRenderer();
  const verdicts: Verdict[] = [];
  const cpu = { millis: 0, frames: 0 };
  for (const clip of clips) {
    signal.throwIfAborted();
    const frames = renderer.render(clip);
    const runs = timed(() => analyseClip(clip, frames));
    cpu.frames += frames.length;
    const failures = failuresOf(clip, runs);
    verdicts.push({
      clip,
      dispute: disputeOf(clip),
      isSafeByText: isSafeByText(clip),
      isSafeToUs: failures.length === 0,
      isSafeToFilter: await isSafeToFilter(clip, frames, signal),
      seen: failures[0] ?? runs.find(({ area }) => area === clip.area) ?? null,
    });
    if (verdicts.length % progressEvery === 0) console.error(`${verdicts.length} of ${clips.length} clips`);
  }
  const text = formatAccuracy(verdicts, {
    command: ['pnpm bench photosensitivity', ...args].join(' '),
    cpu,
    versions: { ffmpeg: await readFfmpegVersion() },
  });
  publish(text, args, 'photosensitivity/photosensitivity.md');
  return verdicts.every((verdict) => verdict.isSafeToUs === verdict.isSafeByText);

  function timed<T>(run: () => T): T {
    const before = process.cpuUsage();
    const outcome = run();
    const { user, system } = process.cpuUsage(before);
    cpu.millis += (user + system) / 1000;
    return outcome;
  }
}
