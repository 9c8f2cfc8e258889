import type { Examination } from '../run.ts';
import { type Examiner, type ExaminerLimits, startExaminer, type Watch } from './examiner.ts';
import type { ExaminationRequest } from './messages.ts';

export type Examiners = {
  /** Examines one asset in a process of its own, which ends with it. */
  examine(request: ExaminationRequest, watch: Watch): Promise<Examination>;
  close(): Promise<void>;
};

/** From the first asset on, keeps so many processes ready: one takes longer to start than many an asset to examine. */
export function openExaminers(limits: ExaminerLimits, spareCount: number): Examiners {
  const spares = new Set<Examiner>();
  let isClosed = false;

  const addSpares = () => {
    while (!isClosed && spares.size < spareCount) {
      const spare = startExaminer(limits);
      spares.add(spare);
      spare.ended.catch(() => spares.delete(spare)); // the next asset starts another
    }
  };
  const take = (): Examiner => {
    const [spare] = spares;
    if (!spare) return startExaminer(limits);
    spares.delete(spare);
    return spare;
  };

  return {
    async examine(request, watch) {
      const examiner = take();
      addSpares();
      return examiner.examine(request, watch);
    },
    async close() {
      isClosed = true;
      await Promise.all([...spares].map((spare) => spare.kill()));
    },
  };
}
