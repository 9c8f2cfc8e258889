import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import type { ReserveMemory } from '@assay/jail/source/memory.ts';
import type { Examination } from '../run.ts';
import { type ExaminationWatch, type Examiner, type ExaminerLimits, type Priority, startExaminer } from './examiner.ts';
import { examinerProgram } from './examiner-program.ts';
import type { ExaminationRequest } from './messages.ts';
import type { ToolMemory } from './tool-memory.ts';

export type Examiners = {
  /** Examines one asset in a separate process, which is reused only for assets of the same owner. */
  examine(owner: string, request: ExaminationRequest, watch: ExaminationWatch): Promise<Examination>;
  close(): Promise<void>;
};

/** Limits how long anything that an asset leaves behind in its process can persist. */
const assetsPerProcessMax = 20;

/**
 * From the first asset on, keeps `spareCount` fresh processes ready and up to twice as many used ones, at least one,
 * because starting a process takes longer than examining a small asset.
 */
export function openExaminers(limits: ExaminerLimits, spareCount: number, memory: ToolMemory): Examiners {
  const fresh = new Set<Examiner>();
  const used = new Map<Examiner, string>();
  /** How many images and documents of each owner are being examined. Audio and video do not count. */
  const shortByOwner = new Map<string, number>();
  const program = examinerProgram();
  let isClosed = false;

  const start = (): Examiner => {
    const examiner = startExaminer(limits, program);
    examiner.ended.catch(() => {
      fresh.delete(examiner);
      used.delete(examiner);
    });
    return examiner;
  };
  const acquire = (owner: string, priority: Priority): Examiner => {
    const own = [...used].find(([idle, user]) => user === owner && idle.priority() === priority)?.[0];
    const examiner = own ?? [...fresh][0] ?? start();
    used.delete(examiner);
    fresh.delete(examiner);
    return examiner;
  };
  const release = (examiner: Examiner, owner: string) => {
    const isReusable = examiner.examinedCount() < assetsPerProcessMax && examiner.priority() !== 'lowest';
    if (isReusable) used.set(examiner, owner);
    else void examiner.kill();
    const surplus = used.size > Math.max(1, 2 * spareCount) || isClosed ? pickSurplus(used) : undefined;
    if (surplus) {
      used.delete(surplus);
      void surplus.kill();
    }
    while (!isClosed && fresh.size < spareCount) fresh.add(start());
  };
  const examineWith = async (
    priority: Priority,
    owner: string,
    request: ExaminationRequest,
    watch: ExaminationWatch,
  ) => {
    const examiner = acquire(owner, priority);
    const reserveMemory: ReserveMemory = (need, signal) => memory.reserve(owner, need, signal);
    const examination = await examiner.examine(request, { ...watch, reserveMemory }, priority);
    release(examiner, owner);
    return examination;
  };

  return {
    async examine(owner, request, watch) {
      if (isDecodedInFull(request)) return examineWith('low', owner, request, watch);
      const running = (shortByOwner.get(owner) ?? 0) + 1;
      shortByOwner.set(owner, running);
      try {
        // Only one at a time has usual priority, so that an owner with many assets does not slow down other owners.
        return await examineWith(running > 1 ? 'low' : 'usual', owner, request, watch);
      } finally {
        const left = (shortByOwner.get(owner) as number) - 1;
        if (left > 0) shortByOwner.set(owner, left);
        else shortByOwner.delete(owner);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...fresh, ...used.keys()].map((examiner) => examiner.kill()));
    },
  };
}

/** Audio and video are decoded in full, which takes long, so they always have low priority. */
function isDecodedInFull({ filename }: ExaminationRequest): boolean {
  const category = mediaTypeOfFilename(filename)?.category;
  return category === 'audio' || category === 'video';
}

/** Returns the oldest idle process of the owner with the most idle ones, so that owners do not evict each other's. */
function pickSurplus(used: ReadonlyMap<Examiner, string>): Examiner | undefined {
  const counts = Map.groupBy(used, ([, owner]) => owner);
  const most = [...counts.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  return most[0]?.[0];
}
