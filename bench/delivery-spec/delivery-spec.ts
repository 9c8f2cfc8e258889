import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { specFiles } from '@assay/sidekicks/checks/delivery-spec/samples/all-files.ts';
import { examineSpecFile, makeSpecFile } from '@assay/sidekicks/checks/delivery-spec/samples/examine-spec-file.ts';
import type { Recipe } from '@assay/sidekicks/checks/delivery-spec/samples/recipe.ts';
import { abortOnSignal, publish } from '../measure/conclude.ts';
import { readFfmpegVersion } from '../photosensitivity/photosensitivity-filter.ts';
import { formatDeliverySpec, type SpecVerdict } from './delivery-spec-report.ts';
import { formatPolicy, readOutcomes } from './mediaconch-policy.ts';

const progressEvery = 25;
const concurrency = 2;
const mediaconch = '/usr/bin/mediaconch';
const run = promisify(execFile);

/** Checks whether each generated file gets exactly the expected issue, and how MediaConch judges it. */
export async function benchDeliverySpec(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const hasPeer = existsSync(mediaconch);
  if (!hasPeer) console.error('MediaConch is not installed (apt-get install mediaconch): the comparison is skipped.');
  const folder = mkdtempSync(join(tmpdir(), 'assay-spec-'));
  const verdicts: SpecVerdict[] = [];
  try {
    const left = specFiles.entries();
    const work = async () => {
      for (const [i, recipe] of left) {
        signal.throwIfAborted();
        const found = await examineSpecFile(recipe);
        const peer = hasPeer ? await askMediaConch(recipe, join(folder, `${i}.xml`)) : null;
        verdicts.push({ recipe, found: found.map(({ ruleCode }) => ruleCode), peer });
        if (verdicts.length % progressEvery === 0) console.error(`${verdicts.length} of ${specFiles.length} files`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    rmSync(folder, { recursive: true });
  }
  verdicts.sort((a, b) => specFiles.indexOf(a.recipe) - specFiles.indexOf(b.recipe));
  const text = formatDeliverySpec(verdicts, {
    command: ['pnpm bench delivery-spec', ...args].join(' '),
    versions: { ffmpeg: await readFfmpegVersion(), ...(hasPeer && { MediaConch: await readVersion() }) },
  });
  publish(text, args, 'delivery-spec/delivery-spec.md');
  return verdicts.every(({ recipe, found }) => found.join() === (recipe.wrong ?? ''));
}

async function askMediaConch(recipe: Recipe, policy: string): Promise<Map<keyof DeliverySpecLimits, boolean>> {
  writeFileSync(policy, formatPolicy(recipe.spec));
  const { stdout } = await run(mediaconch, ['-p', policy, '-fx', await makeSpecFile(recipe)]);
  return readOutcomes(stdout);
}

async function readVersion(): Promise<string> {
  return (await run(mediaconch, ['--Version'])).stdout.trim().split(' ').at(-1) ?? 'unknown';
}
