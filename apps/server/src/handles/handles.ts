import type { Redis } from 'ioredis';
import type { Blobs } from './blobs.ts';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Realtime } from './realtime.ts';
import type { Workflows } from './workflows.ts';

/** The outside world. Rooms get it as an argument and reach nothing beside it. */
export type Handles = {
  db: Db;
  redis: Redis;
  blobs: Blobs;
  workflows: Workflows;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  realtime: Realtime;
};
