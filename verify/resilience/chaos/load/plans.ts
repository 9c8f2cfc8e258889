import type { Random } from '@assay/testing/run/random.ts';
import { makeDeadlyFile, type RealFile } from './files.ts';
import type { Plan } from './session.ts';

export type Planner = {
  sandbox(): Plan;
  live(): Plan;
  /** A submission of one deadly file, which kills every worker that examines it. */
  deadly(): Plan;
  /** One asset without a delay or further actions, for measuring the rate. */
  plain(): Plan;
};

/** The mix of real submissions. */
export type LiveKind = {
  /** Share of plain text notes, which are cheapest to examine; the other files are of any kind. */
  noteShare: number;
  cancelledShare: number;
};

/** Draws each caller's actions from the seed alone; callers are numbered by arrival. */
export function createPlanner(
  random: Random,
  files: RealFile[],
  simulationPaths: string[],
  { noteShare, cancelledShare }: LiveKind,
): Planner {
  let clientCount = 0;
  const isChosen = (share: number) => random.fraction() < share;
  const pickFile = () => (isChosen(noteShare) ? (files[0] as RealFile) : random.pick(files));
  const plain = (): Plan => ({
    client: ++clientCount,
    mode: 'sandbox',
    files: [],
    blobPaths: [random.pick(simulationPaths)],
    delaySeconds: 0,
    isRetried: false,
    isDeleted: false,
    lingerMillis: random.between(500, 8000),
  });
  return {
    plain,
    deadly() {
      const files = [{ file: makeDeadlyFile(), isPresigned: true }];
      return { ...plain(), mode: 'live', blobPaths: [], files, isDeadly: true };
    },
    sandbox() {
      const isCancelled = isChosen(0.08);
      return {
        ...plain(),
        blobPaths: random.shuffle(simulationPaths).slice(0, random.pick([1, 1, 1, 2, 3])),
        // A submission that is to be cancelled must last long enough.
        delaySeconds: isCancelled ? random.between(3, 8) : random.pick([0, 0, 0, 1, 2]),
        ...(isCancelled && { cancelAfterMillis: random.between(0, 3000) }),
        isRetried: isChosen(0.5),
        isDeleted: isChosen(0.06),
      };
    },
    live() {
      const isCancelled = isChosen(cancelledShare);
      const fileCount = random.pick([1, 1, 2]);
      return {
        ...plain(),
        mode: 'live',
        blobPaths: [],
        files: Array.from({ length: fileCount }, () => ({ file: pickFile(), isPresigned: isChosen(0.5) })),
        ...(isCancelled && { cancelAfterMillis: random.between(0, 60) }),
        isRetried: isChosen(0.7),
        isDeleted: isChosen(0.15),
      };
    },
  };
}
