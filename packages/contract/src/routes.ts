import { accountRoutes } from './routes/account.ts';
import { keyRoutes } from './routes/keys.ts';
import { profileRoutes } from './routes/profiles.ts';
import { realtimeRoutes } from './routes/realtime.ts';
import { resultRoutes } from './routes/results.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { sidekickRoutes } from './routes/sidekicks.ts';
import { submissionRoutes } from './routes/submissions.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** All endpoints. Validation, serialisation, handler types, OpenAPI and tests are derived from this list. */
export const routes = {
  ...uploadRoutes,
  ...submissionRoutes,
  ...resultRoutes,
  ...realtimeRoutes,
  ...sidekickRoutes,
  ...profileRoutes,
  ...webhookRoutes,
  ...sandboxRoutes,
  ...accountRoutes,
  ...keyRoutes,
};

export type Routes = typeof routes;
export type RouteName = keyof Routes;
export const routeNames = Object.keys(routes) as RouteName[];
