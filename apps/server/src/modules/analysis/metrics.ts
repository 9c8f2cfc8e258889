import { declareCounter, declareGauge, declareHistogram } from '#platform/metrics.ts';

export const assetsSettled = declareCounter({
  name: 'assay_assets_settled_total',
  help: 'Finished assets, by outcome: complete, or the errorType of the failure',
  labelNames: ['outcome'],
});

export const runsRestarted = declareCounter({
  name: 'assay_runs_restarted_total',
  help: 'Runs that the engine had lost and that were restarted',
});

export const sidekickDuration = declareHistogram({
  name: 'assay_sidekick_duration_seconds',
  help: 'Time that a sidekick took for an asset, including decoding shared with others',
  labelNames: ['sidekick'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200],
});

export const examinationsHeldBack = declareCounter({
  name: 'assay_examinations_held_back_total',
  help: 'Times that an examination had to wait although a worker was free: for others of its workspace on all workers (workspace_limit) or on this one (worker_share), or for other long files (long_files)',
  labelNames: ['queue', 'reason'],
});

export const toolJailInfo = declareGauge({
  name: 'assay_tool_jail_info',
  help: 'Always 1; the label is the jail of media tools in this worker: bubblewrap, landlock, off or not needed',
  labelNames: ['level'],
});
