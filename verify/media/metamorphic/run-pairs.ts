import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpegVersion } from '@assay/testing/media/made-by-ffmpeg.ts';
import { cached } from '@assay/testing/run/cached.ts';
import { type Comparison, compareExamined } from './compare.ts';
import type { Content } from './contents.ts';
import { type Examined, examineClip } from './examine-clip.ts';
import type { Clip } from './pairs.ts';
import { storeClip } from './store.ts';
import { lossyTimeMs } from './tolerances.ts';
import { plainStorage, type Storage, type Way } from './ways.ts';

export type PairResult = Comparison & {
  name: string;
  way: Way;
  content: Content;
  plain: Examined;
};

/** What a cached file depends on, besides its description. */
const madeBy = ['store.ts', 'edit-list.ts', 'encodings.ts'].map((name) =>
  readFileSync(join(import.meta.dirname, name), 'utf8'),
);

/** Stores and examines a clip in the plain way and in others. Files in `folder` are removed, others stay cached. */
export async function runClip({ content, profile, stored }: Clip, folder: string | null): Promise<PairResult[]> {
  const examine = async (storage: Storage): Promise<Examined> => {
    const path = folder ? join(folder, `clip.${storage.extension}`) : await cachedClip(content, storage);
    if (folder) await storeClip(content, storage, path);
    try {
      return await examineClip(path, profile);
    } finally {
      if (folder) await rm(path);
    }
  };
  const plain = await examine(plainStorage);
  const results: PairResult[] = [];
  for (const { way, storage } of stored) {
    const name = `${content.kind}, ${content.rate} fps, ${profile}: ${way.name} (${storage.extension}, ${storage.video})`;
    const comparison = await examine(storage).then(
      (examined) => compareExamined(plain, examined, way, timesApartMs(way, content)),
      (failure): Comparison => ({ differences: [String(failure)], incomplete: [] }),
    );
    results.push({ ...comparison, name, way, content, plain });
  }
  return results;
}

/** How far times may differ: by a frame where frames differ, and as far as lossy audio is padded. */
function timesApartMs({ movesTimes, isLossy }: Way, { rate }: Content): number {
  return Math.max(movesTimes ? 1000 / Math.min(25, rate) : 0, isLossy ? lossyTimeMs : 0);
}

function cachedClip(content: Content, storage: Storage): Promise<string> {
  const determinedBy = { ffmpegVersion, content, storage, madeBy };
  return cached('samples/metamorphic', `.${storage.extension}`, determinedBy, (path) =>
    storeClip(content, storage, path),
  );
}
