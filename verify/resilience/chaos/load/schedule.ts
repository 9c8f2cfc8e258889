import type { Storage } from '@assay/stack/instance.ts';
import type { Random } from '@assay/testing/run/random.ts';

/** Two APIs and two workers, so that one takes over from the other. */
const targets = ['api-1', 'api-2', 'worker-1', 'worker-2', 'temporal', 'postgres', 'redis'] as const;
const storageTargets = { azure: 'azurite', s3: 'versitygw' } as const;
export type Target = (typeof targets)[number] | (typeof storageTargets)[Storage];

/** Everything that may be killed with this storage. */
export const targetsWith = (storage: Storage): Target[] => [...targets, storageTargets[storage]];

export type Strike =
  /** The targets that are killed together, and how long each is down before it is restarted. */
  | { kind: 'kill'; targets: Target[]; downMillis: number }
  /**
   * Pauses the target and its child processes (SIGSTOP), then resumes them; other processes may consider it dead
   * meanwhile.
   */
  | { kind: 'pause'; target: Target; millis: number }
  /** Sets the clock of the target back, and later forward to the right time. */
  | { kind: 'clock jump'; target: Target; millis: number }
  /** Fills the disk with the scratch files of the API and the workers. */
  | { kind: 'full disk'; millis: number }
  /** Temporal loses every open run. */
  | { kind: 'lost runs' }
  /** Submits a file that kills every worker that examines it. */
  | { kind: 'deadly file' };

export type Fault = Strike & {
  /** Time since the previous fault, or since the service has recovered from it. */
  gapMillis: number;
  isPatient: boolean;
};

export type FaultPlan = {
  /** Number of kills for each of API, worker, Temporal, PostgreSQL and Redis. */
  killsOfEach: number;
  /**
   * Azurite is stopped with SIGTERM: if killed, it would lose writes acknowledged in the last 5 s, unlike real storage.
   */
  storageKills: number;
  /** Number of pauses, in turn of a worker, an API, Temporal, PostgreSQL and Redis. */
  pauses: number;
  clockJumps: number;
  fullDisks: number;
  lostRuns: number;
  deadlyFiles: number;
  gapMillis: [min: number, max: number];
  downMillis: [min: number, max: number];
  /** Duration of pauses, full disks and wrong clocks; some are longer than the heartbeat timeout. */
  lastMillis: [min: number, max: number];
  /** How long a strike waits at most for the service to recover from the previous one. */
  patienceMillis: number;
};

/** The share of strikes that wait until the service has recovered from the previous one. */
const patientShare = 0.75;

/** If there are two processes of a kind, strikes alternate between them. */
const processKinds: Target[][] = [['worker-1', 'worker-2'], ['api-1', 'api-2'], ['temporal'], ['postgres'], ['redis']];
const processesOfService: Target[] = ['worker-1', 'api-1', 'worker-2', 'api-2'];

/** Plans all faults in random order at random times, including one kill of everything at the same time. */
export function planFaults(plan: FaultPlan, storage: Storage, random: Random): Fault[] {
  const times = <T>(count: number, make: (turn: number) => T) => Array.from({ length: count }, (_, turn) => make(turn));
  const inTurn = (count: number) =>
    times(count, (turn) => {
      const kind = processKinds[turn % processKinds.length] as Target[];
      return kind[Math.floor(turn / processKinds.length) % kind.length] as Target;
    });
  const kill = (...struck: Target[]): Strike => ({
    kind: 'kill',
    targets: struck,
    downMillis: random.between(...plan.downMillis),
  });
  const millis = () => random.between(...plan.lastMillis);
  const strikes: Strike[] = [
    ...inTurn(plan.killsOfEach * processKinds.length).map((target) => kill(target)),
    ...times(plan.storageKills, () => kill(storageTargets[storage])),
    kill(...targetsWith(storage)),
    ...inTurn(plan.pauses).map((target): Strike => ({ kind: 'pause', target, millis: millis() })),
    ...times(plan.clockJumps, (turn): Strike => {
      const target = processesOfService[turn % processesOfService.length] as Target;
      return { kind: 'clock jump', target, millis: millis() };
    }),
    ...times(plan.fullDisks, (): Strike => ({ kind: 'full disk', millis: millis() })),
    ...times(plan.lostRuns, (): Strike => ({ kind: 'lost runs' })),
    ...times(plan.deadlyFiles, (): Strike => ({ kind: 'deadly file' })),
  ];
  return random.shuffle(strikes).map((strike) => ({
    ...strike,
    gapMillis: random.between(...plan.gapMillis),
    isPatient: random.fraction() < patientShare,
  }));
}

/** A run of consecutive strikes; number 1 is the first. */
export type Part = { number: number; count: number };

/** All parts together are the whole schedule, each strike once. */
export function partOf(faults: Fault[], { number, count }: Part): Fault[] {
  const beginOf = (one: number) => Math.floor(((one - 1) * faults.length) / count);
  return faults.slice(beginOf(number), beginOf(number + 1));
}

export const signalOf = (target: Target): NodeJS.Signals => (target === 'azurite' ? 'SIGTERM' : 'SIGKILL');
