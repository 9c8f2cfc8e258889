import type { Examination } from '../run.ts';
import { type Examiner, type ExaminerLimits, isLongWork, startExaminer, type Watch } from './examiner.ts';
import type { ExaminationRequest } from './messages.ts';

export type Examiners = {
  /**
   * Examines one asset in a process apart. Assets of one owner may follow each other in a process; those of different
   * owners never do.
   */
  examine(owner: string, request: ExaminationRequest, watch: Watch): Promise<Examination>;
  close(): Promise<void>;
};

/** Whatever an asset leaves behind in its process is gone after so many. */
const assetsPerProcessMax = 20;

/**
 * From the first asset on, keeps so many fresh processes ready, and up to twice as many used ones: a process takes longer
 * to start than many an asset to examine.
 */
export function openExaminers(limits: ExaminerLimits, spareCount: number): Examiners {
  const fresh = new Set<Examiner>();
  const used = new Map<Examiner, string>();
  let isClosed = false;

  const start = (): Examiner => {
    const examiner = startExaminer(limits);
    examiner.ended.catch(() => {
      fresh.delete(examiner);
      used.delete(examiner);
    });
    return examiner;
  };
  const take = (owner: string, isLong: boolean): Examiner => {
    const own = [...used].find(([idle, user]) => user === owner && idle.hasGivenWay() === isLong)?.[0];
    const examiner = own ?? [...fresh][0] ?? start();
    used.delete(examiner);
    fresh.delete(examiner);
    return examiner;
  };
  const giveBack = (examiner: Examiner, owner: string) => {
    if (examiner.examinedCount() < assetsPerProcessMax) used.set(examiner, owner);
    else void examiner.kill();
    const surplus = used.size > 2 * spareCount || isClosed ? oldestOfMost(used) : undefined;
    if (surplus) {
      used.delete(surplus);
      void surplus.kill();
    }
    while (!isClosed && fresh.size < spareCount) fresh.add(start());
  };

  return {
    async examine(owner, request, watch) {
      const examiner = take(owner, isLongWork(request));
      const examination = await examiner.examine(request, watch);
      giveBack(examiner, owner);
      return examination;
    },
    async close() {
      isClosed = true;
      await Promise.all([...fresh, ...used.keys()].map((examiner) => examiner.kill()));
    },
  };
}

/** Who has the most idle processes gives one up: many assets of one owner take nothing from the others. */
function oldestOfMost(used: ReadonlyMap<Examiner, string>): Examiner | undefined {
  const counts = Map.groupBy(used, ([, owner]) => owner);
  const most = [...counts.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  return most[0]?.[0];
}
