import { accountRoutes } from './routes/account.ts';
import { resultRoutes } from './routes/results.ts';
import { sidekickRoutes } from './routes/sidekicks.ts';
import { submissionRoutes } from './routes/submissions.ts';
import { uploadRoutes } from './routes/uploads.ts';

/** The one list of endpoints: validation, serialising, handler types, the document and the tests come from it. */
export const routes = { ...uploadRoutes, ...submissionRoutes, ...resultRoutes, ...sidekickRoutes, ...accountRoutes };

export type Routes = typeof routes;
export type RouteName = keyof Routes;
export const routeNames = Object.keys(routes) as RouteName[];
