import type { Redis } from 'ioredis';
import type { Blobs } from './blobs/blobs.ts';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import type { Workflows } from './engine/workflows.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Realtime } from './realtime.ts';

/** Clients of the outside world. Modules receive them as an argument and use nothing else. */
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
