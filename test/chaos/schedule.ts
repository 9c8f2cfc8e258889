import type { Random } from './random.ts';

/** Whatever may be killed. Two of API and worker, so that one takes over what the other held. */
export const targets = ['api-1', 'api-2', 'worker-1', 'worker-2', 'temporal', 'postgres', 'redis', 'azurite'] as const;
export type Target = (typeof targets)[number];

export type Strike =
  /** What is killed together, and how long each is down before it is started again. */
  | { kind: 'kill'; targets: Target[]; downMillis: number }
  /** It is stopped (SIGSTOP) with all that it has started, and then goes on: others may have taken it for dead. */
  | { kind: 'pause'; target: Target; millis: number }
  /** Its clock falls behind, and later jumps ahead to the right time. */
  | { kind: 'clock jump'; target: Target; millis: number }
  /** The disk on which API and workers keep their scratch files. */
  | { kind: 'full disk'; millis: number }
  /** Temporal forgets every run that is under way. */
  | { kind: 'lost runs' }
  /** A file that kills each worker which takes it. */
  | { kind: 'deadly file' };

export type Fault = Strike & {
  /** Since the fault before, or since the service has recovered from it. */
  gapMillis: number;
  isPatient: boolean;
};

export type FaultPlan = {
  /** Of each of API, worker, Temporal, PostgreSQL and Redis. */
  killsOfEach: number;
  /** Azurite is asked to stop: killed, it forgets what it acknowledged in the last 5 s, which no real storage does. */
  azuriteStops: number;
  /** Of worker, API, Temporal, PostgreSQL and Redis in turn. */
  pauses: number;
  clockJumps: number;
  fullDisks: number;
  lostRuns: number;
  deadlyFiles: number;
  gapMillis: [min: number, max: number];
  downMillis: [min: number, max: number];
  /** How long what is stopped, full or wrong stays so: also longer than a heartbeat may be missed. */
  lastMillis: [min: number, max: number];
  /** How long a strike waits at most for the service to recover from the one before. */
  patienceMillis: number;
};

/** The others strike while the service has not recovered from the fault before. */
const patientShare = 0.75;

/** Of a kind with two processes one after the other is struck. */
const kinds: Target[][] = [['worker-1', 'worker-2'], ['api-1', 'api-2'], ['temporal'], ['postgres'], ['redis']];
const service: Target[] = ['worker-1', 'api-1', 'worker-2', 'api-2'];

/** Each fault at a random moment in a random order, and once everything at the same time. */
export function planFaults(plan: FaultPlan, random: Random): Fault[] {
  const times = <T>(count: number, make: (turn: number) => T) => Array.from({ length: count }, (_, turn) => make(turn));
  const inTurn = (count: number) =>
    times(count, (turn) => {
      const kind = kinds[turn % kinds.length] as Target[];
      return kind[Math.floor(turn / kinds.length) % kind.length] as Target;
    });
  const kill = (...struck: Target[]): Strike => ({
    kind: 'kill',
    targets: struck,
    downMillis: random.between(...plan.downMillis),
  });
  const millis = () => random.between(...plan.lastMillis);
  const strikes: Strike[] = [
    ...inTurn(plan.killsOfEach * kinds.length).map((target) => kill(target)),
    ...times(plan.azuriteStops, () => kill('azurite')),
    kill(...targets),
    ...inTurn(plan.pauses).map((target): Strike => ({ kind: 'pause', target, millis: millis() })),
    ...times(plan.clockJumps, (turn): Strike => {
      const target = service[turn % service.length] as Target;
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

export const signalOf = (target: Target): NodeJS.Signals => (target === 'azurite' ? 'SIGTERM' : 'SIGKILL');
