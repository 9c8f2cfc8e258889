import type { Storage } from '@assay/stack/instance.ts';
import type { Variant } from './run.ts';

// What is not settled after the last fault must finish within 60 s, with one worker that is just starting.
const usual = {
  live: { perSecond: 2, unsettledMax: 6, noteShare: 0, cancelledShare: 0.15 },
  sandbox: { perSecond: 3, unsettledMax: 16 },
  eventsMin: 0,
};
const full: Variant = {
  name: 'full',
  faults: {
    killsOfEach: 10,
    storageKills: 3,
    pauses: 10,
    clockJumps: 4,
    fullDisks: 3,
    lostRuns: 3,
    deadlyFiles: 3,
    lastMillis: [3000, 15_000],
    gapMillis: [1000, 12_000],
    downMillis: [200, 4000],
    patienceMillis: 45_000,
  },
  ...usual,
  partCount: 4,
};
const quick: Variant = {
  name: 'quick',
  faults: {
    killsOfEach: 1,
    storageKills: 0,
    pauses: 1,
    clockJumps: 1,
    fullDisks: 1,
    lostRuns: 1,
    deadlyFiles: 1,
    lastMillis: [3000, 6000],
    gapMillis: [1000, 6000],
    downMillis: [200, 3000],
    patienceMillis: 15_000,
  },
  ...usual,
  partCount: 1,
};
/** More real files, most of them the cheapest kind, and few simulated runs, because only real files send events. */
const webhooks: Variant = {
  name: 'webhooks',
  faults: {
    killsOfEach: 5,
    storageKills: 0,
    pauses: 0,
    clockJumps: 0,
    fullDisks: 0,
    lostRuns: 0,
    deadlyFiles: 0,
    lastMillis: [0, 0],
    gapMillis: [2000, 10_000],
    downMillis: [200, 2000],
    patienceMillis: 10_000,
  },
  live: { perSecond: 3, unsettledMax: 30, noteShare: 0.85, cancelledShare: 0.4 },
  sandbox: { perSecond: 1, unsettledMax: 10 },
  eventsMin: 1000,
  partCount: 1,
};

const variants = { full, quick, webhooks };

/** versitygw must not lose what it acknowledged, so it is killed like the other parts. */
export function variantOf(name: keyof typeof variants, storage: Storage): Variant {
  const variant = variants[name];
  if (storage === 'azure') return variant;
  return { ...variant, faults: { ...variant.faults, storageKills: variant.faults.killsOfEach } };
}
