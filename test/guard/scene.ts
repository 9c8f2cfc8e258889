import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administer } from '@assay/server/assemble.ts';
import { readConfig } from '@assay/server/config.ts';
import pg from 'pg';
import { liftedLimits, type TestWorkspace, testEnvironment } from '../support/api.ts';
import { type ServerProcess, startServerProcess } from '../support/api-process.ts';
import { dropDatabase, makeDatabase } from '../support/make-database.ts';
import type { BesideService } from './beside-service.ts';
import { carry } from './carry.ts';
import { makeCertificates } from './certificates.ts';
import { openNamespaces } from './namespaces.ts';
import { openResident } from './resident.ts';
import { publicIpv4, publicIpv6, zone } from './tricks.ts';
import type { World } from './world.ts';

export type GuardScene = Awaited<ReturnType<typeof openGuardScene>>;

const apiPort = 8080;
/** Receivers of an operator, in a network that may be listed and in one that is not. */
export const [listedAddress, unlistedAddress] = ['10.20.0.5', '10.21.0.5'];
export const publicPlaces = [`${publicIpv4}:443`, `[${publicIpv6}]:443`];

/**
 * The service in a network of its own, where every address that is not the receiver's is a canary. Its parts are the
 * host's, carried in port by port; nothing else leads out.
 */
export async function openGuardScene() {
  const base = testEnvironment();
  const databaseName = `assay_guard_${process.pid}`;
  // A database of its own: another test's worker sweeps all of one, and would send from the host what is meant to be
  // sent from in here.
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
    const certificates = makeCertificates(dir, [`*.${zone}`], addresses);
    const namespaces = openNamespaces();
    closing.push(namespaces.close);
    const heldUp = new Map<string, () => Promise<void>>();
    const trust = { NODE_EXTRA_CA_CERTS: certificates.authorityFile };
    const world = await openResident<World>('world.ts', namespaces.wrapIn(namespaces.world), trust, (host) => {
      void heldUp
        .get(host)?.()
        .then(() => world.ask('release', host));
    });
    closing.push(world.close);
    const beside = await openResident<BesideService>('beside-service.ts', namespaces.wrapIn(namespaces.service), trust);
    closing.push(beside.close);
    await world.ask('openReceiver', certificates);
    await world.ask('beHonestAt', publicPlaces);

    const carried: Server[] = [];
    closing.push(() => Promise.all(carried.map((server) => server.close())));
    const partUrls = [base.DATABASE_URL, base.REDIS_URL, base.BLOB_URL, `http://${base.TEMPORAL_ADDRESS}`];
    const ports = partUrls.map((url) => Number(new URL(url as string).port));
    for (const port of ports) carried.push(await carry(`${dir}/${port}.sock`, { host: '127.0.0.1', port }));
    await beside.ask('carryPorts', { dir, ports });
    await beside.ask('offerPort', { dir, port: apiPort });
    const door = await carry({ host: '127.0.0.1', port: 0 }, `${dir}/${apiPort}.sock`);
    carried.push(door);

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
      // The libraries for storage and engine take a proxy from the environment. These are the operator's own.
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
      NODE_USE_ENV_PROXY: '1',
      ...trust,
      ASSAY_MODE: 'production',
      BLOB_PUBLIC_URL: `https://media.${zone}`,
      API_PORT: String(apiPort),
      WORKER_QUEUES: 'webhook',
      TOOL_CAGE: 'off', // nothing is examined
      WEBHOOK_WAITS_SECONDS: '0,1,1,1,1,1,1,1,1,1',
    };

    return {
      world,
      beside,
      db,
      close,
      url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
      /** Starts the service anew, with these settings. */
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
      /** What is done between the arrival of a request with this host and the receiver's answer, a failure. */
      whenHeldUp: (host: string, act: () => Promise<void>) => heldUp.set(host, act),
      /** Where somebody connected to who should not have, since this was asked last. */
      takeHits: async () => [...(await world.ask('takeHits')), ...(await beside.ask('takeHits'))],
    };
  } catch (error) {
    await close();
    throw error;
  }
}
