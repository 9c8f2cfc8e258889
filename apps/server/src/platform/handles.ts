import type { Redis } from 'ioredis';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Db } from './postgres/db.ts';
import type { Realtime } from './redis/realtime.ts';
import type { Blobs } from './storage/blobs.ts';
import type { Workflows } from './temporal/workflows.ts';

/** Connections to everything outside the process. Modules get them as an argument and reach nothing else. */
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
