import { randomBytes } from 'node:crypto';
import { administer } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';

const receiver = await openReceiver();
afterAll(() => receiver.close());
const pepper = { old: randomBytes(32).toString('hex'), fresh: randomBytes(32).toString('hex') };
const key = { old: randomBytes(32).toString('base64'), fresh: randomBytes(32).toString('base64') };
/** The environment before the rotation, and after each of the operator's steps. */
const rotationSteps = {
  before: { KEY_PEPPER: pepper.old, WEBHOOK_SECRETS_KEY: key.old },
  'the new ones read': {
    KEY_PEPPER: `${pepper.old},${pepper.fresh}`,
    WEBHOOK_SECRETS_KEY: `${key.old},${key.fresh}`,
  },
  'the new ones write': {
    KEY_PEPPER: `${pepper.fresh},${pepper.old}`,
    WEBHOOK_SECRETS_KEY: `${key.fresh},${key.old}`,
  },
  'the old ones are gone': { KEY_PEPPER: pepper.fresh, WEBHOOK_SECRETS_KEY: key.fresh },
};
const openAtStep = (step: keyof typeof rotationSteps) => openTestApi({ ...liftedLimits, ...rotationSteps[step] });

test('no request fails and no signature is wrong while the pepper and the webhook key are rotated under load', async () => {
  const first = await openAtStep('before');
  const { liveKey } = await first.makeWorkspace();
  const subscription = await subscribe(first.client(liveKey), receiver.url);
  const verifier = new Webhook(subscription.secret);
  let serving: Client[] = [first.client(liveKey), (await openAtStep('before')).client(liveKey)];
  const tally = { requests: 0, refused: [] as number[], samples: 0, wrong: 0 };
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      for (const client of serving) {
        const { status } = await client.get('/me');
        tally.requests++;
        if (status !== 200) tally.refused.push(status);
        const { body } = await client.post(`${subscriptionPath(subscription)}/test`);
        tally.samples++;
        if (body.responseStatus !== 200) tally.wrong++;
      }
    }
  };
  const load = [ask(), ask()];

  const administrate = (step: keyof typeof rotationSteps) =>
    administer(readConfig(testEnvironment(rotationSteps[step])), ['secrets', 'rotate']);
  for (const step of ['the new ones read', 'the new ones write'] as const) {
    for (const place of [0, 1]) {
      const replaced = (await openAtStep(step)).client(liveKey);
      serving = serving.map((client, i) => (i === place ? replaced : client));
      const soon = tally.requests + 6;
      while (tally.requests < soon) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  expect(await administrate('the new ones write')).toMatchObject({ webhookSecrets: { resealed: 1, current: 0 } });
  expect(await administrate('the new ones write')).toMatchObject({
    webhookSecrets: { resealed: 0, current: 1 },
    apiKeys: { current: 1, underOlderPeppers: 1 }, // the unused sandbox key
  });
  serving = [(await openAtStep('the old ones are gone')).client(liveKey)];
  const soon = tally.requests + 6;
  while (tally.requests < soon) await new Promise((resolve) => setTimeout(resolve, 20));
  isOver = true;
  await Promise.all(load);

  for (const { body, headers } of receiver.received) expect(() => verifier.verify(body, headers)).not.toThrow();
  console.log(`${tally.requests} requests, ${tally.samples} signed samples`);
  expect(tally).toMatchObject({ refused: [], wrong: 0 });
  expect(receiver.received.length).toBe(tally.samples);
});

test('a webhook secret whose encryption key was removed too early causes a 500, and works again with that key', async () => {
  const before = await openAtStep('before');
  const { liveKey } = await before.makeWorkspace();
  const subscription = await subscribe(before.client(liveKey), receiver.url);
  const rotated = await openTestApi({ ...liftedLimits, ...rotationSteps.before, WEBHOOK_SECRETS_KEY: key.fresh });
  const path = `${subscriptionPath(subscription)}/test`;
  expect(await rotated.client(liveKey).post(path)).toMatchObject({ status: 500 });
  expect(await before.client(liveKey).post(path)).toMatchObject({ status: 200 });
});
