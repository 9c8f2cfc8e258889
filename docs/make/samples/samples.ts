import type { Routes } from '@assay/contract/routes.ts';
import { accountSamples } from './account.ts';
import { keySamples } from './keys.ts';
import { profileSamples } from './profiles.ts';
import { realtimeSamples } from './realtime.ts';
import { resultSamples } from './results.ts';
import type { SamplesOf } from './sample.ts';
import { sandboxSamples } from './sandbox.ts';
import { sidekickSamples } from './sidekicks.ts';
import { submissionSamples } from './submissions.ts';
import { uploadSamples } from './uploads.ts';
import { webhookSamples } from './webhooks.ts';

export const samples: SamplesOf<Routes> = {
  ...uploadSamples,
  ...submissionSamples,
  ...resultSamples,
  ...realtimeSamples,
  ...sidekickSamples,
  ...profileSamples,
  ...webhookSamples,
  ...sandboxSamples,
  ...accountSamples,
  ...keySamples,
};
