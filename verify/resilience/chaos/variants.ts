import type { Storage } from '@assay/stack/instance.ts';
import type { Variant } from './run.ts';

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
  // Low limits, because submissions that are unsettled when the last fault ends must settle within 60 s, part of which
  // one of the two workers needs to start.
  live: { perSecond: 2, unsettledMax: 6, noteShare: 0, cancelledShare: 0.15 },
  sandbox: { perSecond: 3, unsettledMax: 16 },
  eventsMin: 0,
  partCount: 4,
};
/**
 * Compared with `full`: more real files, most of them plain text notes, and fewer simulated runs, because only real
 * files cause events.
 */
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

const variants = { full, webhooks };

/**
 * Returns a variant adapted to the storage: versitygw is killed as often as the other parts, because it must not lose
 * acknowledged writes.
 */
export function variantOf(name: keyof typeof variants, storage: Storage): Variant {
  const variant = variants[name];
  if (storage === 'azure') return variant;
  return { ...variant, faults: { ...variant.faults, storageKills: variant.faults.killsOfEach } };
}
