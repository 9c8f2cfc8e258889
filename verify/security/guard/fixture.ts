import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administer } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { makeCertificates } from '@assay/testing/faults/certificates.ts';
import { liftedLimits, type TestWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { dropDatabase, makeDatabase } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import type { BesideService } from './beside-service.ts';
import { publicIpv4, publicIpv6, publicNat64, testZone } from './bypasses.ts';
import { forwardConnections } from './forward.ts';
import { openNamespaceProcess } from './namespace-process.ts';
import { openNamespaces } from './namespaces.ts';
import type { World } from './world.ts';

export type GuardFixture = Awaited<ReturnType<typeof openGuardFixture>>;

const apiPort = 8080;
/** Addresses in the operator's networks: one that a test allows, and one that it does not. */
export const [listedAddress, unlistedAddress] = ['10.20.0.5', '10.21.0.5'];
/** Where a network without IPv4 reaches the first of them. */
export const listedNat64 = '64:ff9b::a14:5';
export const publicPlaces = [`${publicIpv4}:443`, `[${publicIpv6}]:443`, `[${publicNat64}]:443`];

/**
 * The service in a network namespace where every address except the receiver's is a canary. Its parts run on the host
 * and are forwarded port by port; there is no other way out.
 */
export async function openGuardFixture() {
  const base = testEnvironment();
  const databaseName = `assay_guard_${process.pid}`;
  // A separate database: otherwise another test's worker would sweep it and send webhooks from the host instead of from
  // the namespace.
  const databaseUrl = await makeDatabase(base.DATABASE_URL as string, databaseName);
  const dir = mkdtempSync(join(tmpdir(), 'assay-guard-'));
  const closing: (() => unknown)[] = [
    () => dropDatabase(base.DATABASE_URL as string, databaseName),
    () => rmSync(dir, { recursive: true }),
  ];
  const close = async () => {
    for (const closeOne of closing.splice(0).reverse()) await closeOne();
  };
  try {
    const addresses = [publicIpv4, publicIpv6, listedAddress, unlistedAddress];
    const certificates = makeCertificates(dir, [`*.${testZone}`], addresses);
    const namespaces = openNamespaces();
    closing.push(namespaces.close);
    const heldActions = new Map<string, () => Promise<void>>();
    const trust = { NODE_EXTRA_CA_CERTS: certificates.caFile };
    const world = await openNamespaceProcess<World>('world.ts', namespaces.wrapIn(namespaces.world), trust, (host) => {
      void heldActions
        .get(host)?.()
        .then(() => world.call('release', host));
    });
    closing.push(world.close);
    const beside = await openNamespaceProcess<BesideService>(
      'beside-service.ts',
      namespaces.wrapIn(namespaces.service),
      trust,
    );
    closing.push(beside.close);
    await world.call('openReceiver', certificates);
    await world.call('receiveAt', publicPlaces);

    const forwarders: Server[] = [];
    closing.push(() => Promise.all(forwarders.map((server) => server.close())));
    const storageUrls = [base.BLOB_URL, base.S3_ENDPOINT].filter((url) => url !== undefined);
    const partUrls = [base.DATABASE_URL, base.REDIS_URL, ...storageUrls, `http://${base.TEMPORAL_ADDRESS}`];
    const ports = partUrls.map((url) => Number(new URL(url as string).port));
    for (const port of ports)
      forwarders.push(await forwardConnections(`${dir}/${port}.sock`, { host: '127.0.0.1', port }));
    await beside.call('forwardPorts', { dir, ports });
    await beside.call('offerPort', { dir, port: apiPort });
    const apiPortProxy = await forwardConnections({ host: '127.0.0.1', port: 0 }, `${dir}/${apiPort}.sock`);
    forwarders.push(apiPortProxy);

    const db = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    closing.push(() => db.end());

    const running: ServerProcess[] = [];
    const stop = () => Promise.all(running.splice(0).map((one) => one.stop('SIGKILL')));
    closing.push(stop);
    const proxy = 'http://10.0.0.1:3128';
    const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
      [name, proxy],
      [name.toUpperCase(), proxy],
    ]);
    const environment = {
      ...testEnvironment({ ...liftedLimits, DATABASE_URL: databaseUrl }),
      ...Object.fromEntries(proxies),
      // The libraries for storage and engine use a proxy from the environment; these connections must not.
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
      NODE_USE_ENV_PROXY: '1',
      ...trust,
      ASSAY_MODE: 'production',
      BLOB_PUBLIC_URL: `https://media.${testZone}`,
      ...(base.S3_ENDPOINT && { S3_PUBLIC_ENDPOINT: `https://media.${testZone}` }),
      API_PORT: String(apiPort),
      WORKER_QUEUES: 'webhook',
      WEBHOOK_WAITS_SECONDS: '0,1,1,1,1,1,1,1,1,1',
    };

    return {
      world,
      beside,
      db,
      close,
      url: `http://127.0.0.1:${(apiPortProxy.address() as AddressInfo).port}`,
      /** Restarts the service with these settings. */
      async start(roles: ('api' | 'worker')[], overrides: Record<string, string> = {}): Promise<void> {
        await stop();
        for (const role of roles) {
          const wrap = namespaces.wrapIn(namespaces.service);
          running.push(await startServerProcess(role, { ...environment, ...overrides }, { wrap }));
        }
      },
      makeWorkspace: () =>
        administer(readConfig({ ...environment, LOG_LEVEL: 'error' }), [
          'workspace',
          'create',
          '--name',
          `guard ${randomUUID()}`,
          '--tier',
          'enterprise',
        ]) as Promise<TestWorkspace>,
      /**
       * Calls `act` when the receiver holds a request for this host; the receiver responds with a failure afterwards.
       */
      whenHeld: (host: string, act: () => Promise<void>) => heldActions.set(host, act),
      /** Forbidden addresses that were connected to since the previous call. */
      takeHits: async () => [...(await world.call('takeHits')), ...(await beside.call('takeHits'))],
    };
  } catch (error) {
    await close();
    throw error;
  }
}
