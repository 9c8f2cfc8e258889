import { declareGauge } from '../metrics.ts';

export const clockSkew = declareGauge({
  name: 'assay_clock_skew_seconds',
  help: 'How far the clock of this machine is ahead of the database; beyond one minute nothing is deleted',
});
