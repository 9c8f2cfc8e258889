import { prefixes } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import { azurite } from '@assay/stack/parts/azurite.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { redis } from '@assay/stack/parts/redis.ts';
import { cpuMicrosOf } from '@assay/testing/measure/cpu-clock.ts';
import { openBenchService } from '../measure/bench-service.ts';
import type { LoadTarget } from '../measure/slices.ts';
import { packageVersion, wrkVersion } from '../measure/versions.ts';

/** The bare server and the API, each in its own process, on the same new database. */
export async function openPipelineTargets() {
  const service = await openBenchService([postgres, redis, azurite]);
  const { stack, workspace, closers } = service;
  try {
    const bare = await service.startBare('pipeline/bare-fastify.ts', { WORKSPACE_ID: workspace.workspaceId });
    const api = await service.start('api');

    const parts = { postgres: stack.clockOf(postgres), redis: stack.clockOf(redis) };
    const apiClocks = { server: () => cpuMicrosOf(api.pid), ...parts };
    const apiUrl = api.url + prefixes[0];
    const { getMe, createUploadUrl } = routes;
    const targets = {
      bare: {
        name: 'bare Fastify, one select',
        request: { method: 'GET', url: `${bare.firstLine}/workspace` },
        clocks: { server: () => cpuMicrosOf(bare.pid), ...parts },
      },
      me: {
        name: 'GET /me',
        request: { method: getMe.method, url: apiUrl + getMe.path, apiKey: workspace.liveKey },
        clocks: apiClocks,
      },
      url: {
        name: 'POST uploads/url',
        request: {
          method: createUploadUrl.method,
          url: apiUrl + createUploadUrl.path,
          apiKey: workspace.liveKey,
          body: createUploadUrl.examples.request,
        },
        clocks: apiClocks,
      },
    } satisfies Record<string, LoadTarget>;
    const versions = {
      Node: process.versions.node,
      Fastify: packageVersion('fastify'),
      pg: packageVersion('pg'),
      PostgreSQL: await stack.versionOf(postgres),
      Redis: await stack.versionOf(redis),
      wrk: wrkVersion(),
    };
    return {
      targets: targets as Record<keyof typeof targets, LoadTarget>,
      versions,
      close: () => closers.disposeAsync(),
    };
  } catch (error) {
    await closers.disposeAsync();
    throw error;
  }
}
