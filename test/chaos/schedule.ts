import type { Random } from './random.ts';

/** Whatever may be killed. Two workers, so that one takes over what the other held. */
export const targets = ['api', 'worker-1', 'worker-2', 'temporal', 'postgres', 'redis', 'azurite'] as const;
export type Target = (typeof targets)[number];

/** What is struck together, and how long each is left lying before it is started again. */
export type Fault = {
  targets: Target[];
  downMillis: number;
  /** Since the fault before, or since the service has recovered from it. */
  gapMillis: number;
  isPatient: boolean;
};

export type FaultPlan = {
  /** Of each of API, worker, Temporal, PostgreSQL and Redis. */
  killsOfEach: number;
  /** Azurite is asked to stop: killed, it forgets what it acknowledged in the last 5 s, which no real storage does. */
  azuriteStops: number;
  gapMillis: [min: number, max: number];
  downMillis: [min: number, max: number];
  /** How long a strike waits at most for the service to recover from the one before. */
  patienceMillis: number;
};

/** The others strike while the service still lies from the fault before. */
const patientShare = 0.75;

/** Each fault at a random moment in a random order, and once everything at the same time. */
export function planFaults(plan: FaultPlan, random: Random): Fault[] {
  const workers = Array.from({ length: plan.killsOfEach }, (_, i): Target => (i % 2 === 0 ? 'worker-1' : 'worker-2'));
  const kills = (['api', 'temporal', 'postgres', 'redis'] as const).flatMap((target) =>
    Array.from({ length: plan.killsOfEach }, (): Target => target),
  );
  const stops = Array.from({ length: plan.azuriteStops }, (): Target => 'azurite');
  const strikes = [...kills, ...workers, ...stops].map((target): Target[] => [target]);
  return random.shuffle([...strikes, [...targets]]).map((struck) => ({
    targets: struck,
    downMillis: random.between(...plan.downMillis),
    gapMillis: random.between(...plan.gapMillis),
    isPatient: random.fraction() < patientShare,
  }));
}

export const signalOf = (target: Target): NodeJS.Signals => (target === 'azurite' ? 'SIGTERM' : 'SIGKILL');
