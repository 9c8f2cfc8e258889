import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultRateLimits, defaultStorageQuotas } from '@assay/contract/limits.ts';
import { environmentOf, openInstance } from '@assay/stack/instance.ts';
import { describe, expect, test } from 'vitest';
import { homeOf } from '#platform/storage/stores.ts';
import { readConfig } from './config.ts';
import { storeSettingsOf } from './storage.ts';

const azure = environmentOf({ ...openInstance('test'), storage: 'azure' });
const s3 = environmentOf({ ...openInstance('test'), storage: 's3' });
const azureWithout = (...names: string[]) =>
  Object.fromEntries(Object.entries(azure).filter(([name]) => !names.includes(name)));

describe('the configuration', () => {
  test('reports all invalid variables at once, each with its name and the expected value', () => {
    const bad = { ...azureWithout('KEY_PEPPER', 'REDIS_URL'), API_PORT: 'x', BLOB_URL: 'ftp://a', LOG_LEVEL: 'loud' };
    let message = '';
    try {
      readConfig(bad);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.split('\n').sort()).toEqual([
      '  API_PORT: must be an integer from 0 to 65,535.',
      '  BLOB_URL: must be an http or https URL.',
      '  KEY_PEPPER: is not set.',
      '  LOG_LEVEL: must be one of: fatal, error, warn, info, debug, trace.',
      '  REDIS_URL: is not set.',
      'Invalid configuration:',
    ]);
  });

  test('is documented with exactly one row per variable', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/operate/configuration.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    const { warnings: _, ...variables } = readConfig(azure);
    expect(rows.sort()).toEqual(Object.keys(variables).sort());
  });

  test('has no default for a secret', () => {
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'KEY_PEPPER', 'WEBHOOK_SECRETS_KEY']) {
      expect(() => readConfig(azureWithout(name))).toThrow(`${name}: is not set`);
    }
  });

  test('reads a secret from a file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'assay-config-')), 'pepper');
    writeFileSync(file, `${'p'.repeat(40)}\n`);
    expect(readConfig({ ...azureWithout('KEY_PEPPER'), KEY_PEPPER_FILE: file }).KEY_PEPPER[0]).toBe('p'.repeat(40));
    expect(() => readConfig({ ...azure, KEY_PEPPER_FILE: file })).toThrow(
      'KEY_PEPPER: set either KEY_PEPPER or KEY_PEPPER_FILE, not both.',
    );
    expect(() => readConfig({ ...azureWithout('KEY_PEPPER'), KEY_PEPPER_FILE: `${file}x` })).toThrow(
      'KEY_PEPPER_FILE: cannot be read',
    );
  });

  test('treats an empty variable as unset', () => {
    expect(readConfig({ ...azure, API_PORT: '' }).API_PORT).toBe(8080);
    expect(readConfig({ ...azure, API_PORT: '' }).API_HOST).toBe('127.0.0.1');
  });

  test('merges rate limits and storage quotas with the defaults; a quota of null is no limit', () => {
    const set = { RATE_LIMITS: '{"pro":{"upload":7}}', STORAGE_QUOTAS: '{"pro":{"GiB":7},"starter":{"files":null}}' };
    const { RATE_LIMITS: limits, STORAGE_QUOTAS: quotas } = readConfig({ ...azure, ...set });
    expect(limits).toEqual({ ...defaultRateLimits, pro: { ...defaultRateLimits.pro, upload: 7 } });
    const { starter, pro, enterprise } = defaultStorageQuotas;
    expect(quotas).toEqual({ starter: { ...starter, files: null }, pro: { ...pro, GiB: 7 }, enterprise });
    const wrong = { RATE_LIMITS: ['{"pro":{"uploads":7}}', '{'], STORAGE_QUOTAS: ['{"pro":{"GiB":0}}', '{"free":{}}'] };
    for (const [name, texts] of Object.entries(wrong))
      for (const text of texts) expect(() => readConfig({ ...azure, [name]: text })).toThrow(`${name}: must be JSON`);
  });

  test('limits the webhook timeout to a minute, because an attempt cut off by the engine would be repeated', () => {
    const seconds = (text: string) => readConfig({ ...azure, WEBHOOK_TIMEOUT_SECONDS: text }).WEBHOOK_TIMEOUT_SECONDS;
    expect(seconds('60')).toBe(60);
    for (const wrong of ['60.1', '0', '-1']) expect(() => seconds(wrong)).toThrow('WEBHOOK_TIMEOUT_SECONDS: ');
  });

  test('has a default retry schedule for webhooks, which an operator can change', () => {
    const waits = (text?: string) => readConfig({ ...azure, ...(text && { WEBHOOK_WAITS_SECONDS: text }) });
    const defaults = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits().WEBHOOK_WAITS_SECONDS).toEqual(defaults);
    expect(waits('0, 1,1,1,1,1,1,1,1,0.5').WEBHOOK_WAITS_SECONDS.at(-1)).toBe(0.5);
    for (const wrong of ['0,5', '0,1,1,1,1,1,1,1,1,x', '0,1,1,1,1,1,1,1,1,-1', '0,1,1,1,1,1,1,1,1,1,1']) {
      expect(() => waits(wrong)).toThrow('WEBHOOK_WAITS_SECONDS: must be 10 waits');
    }
  });

  test('allows internal networks for webhooks only if they are listed, and rejects invalid networks', () => {
    const networks = (text: string) => readConfig({ ...azure, WEBHOOK_ALLOWED_CIDRS: text }).WEBHOOK_ALLOWED_CIDRS;
    expect(networks('')).toEqual([]);
    expect(networks('10.0.0.0/8, fd00::/8,192.168.1.7')).toEqual(['10.0.0.0/8', 'fd00::/8', '192.168.1.7']);
    for (const wrong of ['10.0.0.0/33', 'fd00::/129', 'inner.example', '10.0.0', '*']) {
      expect(() => networks(wrong)).toThrow('WEBHOOK_ALLOWED_CIDRS: ');
    }
  });

  test('accepts several peppers and webhook keys during a rotation, the newest first', () => {
    const [one, other] = ['p'.repeat(32), 'q'.repeat(32)];
    const ring = readConfig({ ...azure, KEY_PEPPER: `${one}, ${other}` }).KEY_PEPPER;
    // The whole text is accepted too, because a pepper may contain a comma.
    expect(ring).toEqual([one, other, `${one}, ${other}`]);
    expect(() => readConfig({ ...azure, KEY_PEPPER: `${one},short` })).toThrow('KEY_PEPPER: must have at least 32');
    const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    expect(readConfig({ ...azure, WEBHOOK_SECRETS_KEY: keys.join() }).WEBHOOK_SECRETS_KEY).toHaveLength(2);
  });

  test('rejects a WEBHOOK_SECRETS_KEY of the wrong length', () => {
    for (const bytes of [16, 31, 33]) {
      const WEBHOOK_SECRETS_KEY = Buffer.alloc(bytes, 1).toString('base64');
      expect(() => readConfig({ ...azure, WEBHOOK_SECRETS_KEY })).toThrow('WEBHOOK_SECRETS_KEY: must be 32 bytes');
    }
    expect(() => readConfig({ ...azure, WEBHOOK_SECRETS_KEY: 'not base64!' })).toThrow(
      'WEBHOOK_SECRETS_KEY: must be 32 bytes',
    );
  });

  test('reads the queues of a worker and their concurrency, and rejects invalid entries', () => {
    const queues = (text?: string) => readConfig({ ...azure, ...(text && { WORKER_QUEUES: text }) }).WORKER_QUEUES;
    expect(queues('control, video:3')).toEqual([
      { name: 'control', atOnceMax: 25 },
      { name: 'video', atOnceMax: 3 },
    ]);
    expect(queues().map(({ name }) => name)).toEqual([
      'control',
      'sandbox',
      'video',
      'audio',
      'image',
      'document',
      'webhook',
    ]);
    for (const wrong of ['films', 'video:0', 'video:x', 'video:1.5', 'video,']) {
      expect(() => queues(wrong)).toThrow('WORKER_QUEUES: ');
    }
  });

  test('has the documented engine and stream intervals, and rejects values that are too small', () => {
    expect(readConfig(azure)).toMatchObject({
      SWEEP_SECONDS: 5,
      RECONCILE_SECONDS: 120,
      WORKER_LOST_AFTER_SECONDS: 10,
      RETRY_SECONDS_MAX: 15,
      MEMORY_RETRY_SECONDS: 30,
      REALTIME_RECHECK_SECONDS: 30,
    });
    const wrong = {
      WORKER_LOST_AFTER_SECONDS: '1.9',
      RETRY_SECONDS_MAX: '0.5',
      MEMORY_RETRY_SECONDS: '0',
      REALTIME_RECHECK_SECONDS: '-1',
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect(() => readConfig({ ...azure, [name]: value })).toThrow(`${name}: `);
    }
  });

  test('has the documented retention and jail defaults, and rejects invalid values', () => {
    expect(readConfig(azure)).toMatchObject({
      TOOL_JAIL: 'auto',
      KEEP_UNSUBMITTED_HOURS: 48,
      KEEP_MEDIA_DAYS: 30,
      KEEP_RESULTS_DAYS: 365,
    });
    for (const TOOL_JAIL of ['auto', 'bubblewrap', 'landlock', 'off']) {
      expect(readConfig({ ...azure, TOOL_JAIL })).toMatchObject({ TOOL_JAIL });
    }
    const wrong = { TOOL_JAIL: 'no', KEEP_UNSUBMITTED_HOURS: '1', KEEP_MEDIA_DAYS: '0', KEEP_RESULTS_DAYS: 'all' };
    for (const [name, value] of Object.entries(wrong)) {
      expect(() => readConfig({ ...azure, [name]: value })).toThrow(`${name}: `);
    }
  });

  test.each([
    ['required', 'auto'],
    ['off', 'off'],
  ])('reads the former TOOL_CAGE=%s as TOOL_JAIL=%s, with a warning', (former, value) => {
    const { TOOL_JAIL, warnings } = readConfig({ ...azure, TOOL_CAGE: former });
    expect([TOOL_JAIL, warnings]).toEqual([value, [expect.stringContaining(`Set TOOL_JAIL=${value} instead`)]]);
    expect(() => readConfig({ ...azure, TOOL_CAGE: former, TOOL_JAIL: value })).toThrow('TOOL_CAGE: is now TOOL_JAIL');
    expect(readConfig(azure).warnings).toEqual([]);
  });

  test('accepts addresses and networks as trusted proxies, and nothing else', () => {
    expect(readConfig({ ...azure, TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
    for (const wrong of ['10.0.0.0/33', '::1/129', 'proxy', '10.0.0.0/8/8', '10.0.0.1/x']) {
      expect(() => readConfig({ ...azure, TRUSTED_PROXIES: wrong })).toThrow('TRUSTED_PROXIES: ');
    }
  });

  test('rejects plain http in production, and a non-loopback API_HOST in development outside a container', () => {
    expect(() => readConfig({ ...azure, ASSAY_MODE: 'production' })).toThrow('BLOB_PUBLIC_URL: ');
    expect(() => readConfig({ ...azure, API_HOST: '0.0.0.0' })).toThrow('API_HOST: ');
    expect(readConfig({ ...azure, API_HOST: '0.0.0.0', DEVELOPMENT_IN_CONTAINER: 'true' }).API_HOST).toBe('0.0.0.0');
    const production = { ...azure, ASSAY_MODE: 'production', BLOB_PUBLIC_URL: 'https://media.example.com/' };
    expect(readConfig(production).BLOB_PUBLIC_URL).toBe('https://media.example.com');
    expect(() => readConfig({ ...production, BLOB_URL: 'http://storage.internal/account' })).toThrow('BLOB_URL: ');
    expect(readConfig({ ...production, BLOB_URL: 'https://storage.internal/account' })).toBeDefined();
  });

  test('accepts Azure without an account key only over https', () => {
    const withoutKey = { ...azureWithout('BLOB_ACCOUNT_KEY'), BLOB_URL: 'https://a.blob.core.windows.net' };
    const [settings] = storeSettingsOf(readConfig(withoutKey));
    expect(settings).toMatchObject({ accountKey: undefined });
    expect(() => readConfig(azureWithout('BLOB_ACCOUNT_KEY'))).toThrow(
      'BLOB_URL: must be https if BLOB_ACCOUNT_KEY is not set.',
    );
  });

  describe('with S3 variables', () => {
    test('needs no Azure variables, just as a configuration with Azure variables needs no S3 variables', () => {
      expect(readConfig(s3)).toMatchObject({ OBJECT_STORE: 's3', BLOB_URL: '', S3_REGION: 'us-east-1' });
      expect(readConfig(azure)).toMatchObject({ OBJECT_STORE: 'azure', S3_BUCKET: '' });
      expect(() => readConfig({ ...s3, S3_BUCKET: '' })).toThrow('S3_BUCKET: is not set.');
      expect(() => readConfig({ ...s3, OBJECT_STORE: 'gcs' })).toThrow('OBJECT_STORE: must be one of: azure, s3.');
    });

    test('can also contain Azure variables, but is rejected if either set is incomplete', () => {
      const both = { ...azure, ...s3 };
      const storesOf = (environment: Record<string, string>) =>
        storeSettingsOf(readConfig(environment)).map((settings) => homeOf(settings).store);
      expect(storesOf(both)).toEqual(['s3', 'azure']);
      expect(storesOf({ ...both, OBJECT_STORE: 'azure' })).toEqual(['azure', 's3']);
      expect([storesOf(azure), storesOf(s3)]).toEqual([['azure'], ['s3']]);
      expect(() => readConfig({ ...both, BLOB_ACCOUNT: '' })).toThrow('BLOB_ACCOUNT: is not set, but BLOB_URL is.');
      expect(() => readConfig({ ...azure, S3_ENDPOINT: 'http://a' })).toThrow(
        'S3_BUCKET: is not set, but S3_ENDPOINT is.',
      );
    });

    test('requires both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither', () => {
      expect(readConfig({ ...s3, S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' })).toBeDefined();
      expect(() => readConfig({ ...s3, S3_ACCESS_KEY_ID: '' })).toThrow(
        'S3_ACCESS_KEY_ID: is not set, but S3_SECRET_ACCESS_KEY is.',
      );
      expect(() => readConfig({ ...s3, S3_SECRET_ACCESS_KEY: '' })).toThrow('S3_SECRET_ACCESS_KEY: is not set');
    });

    test('reads the secret access key from a file', () => {
      const file = join(mkdtempSync(join(tmpdir(), 'assay-config-')), 'secret');
      writeFileSync(file, 'of-the-file\n');
      const fromFile = { ...s3, S3_SECRET_ACCESS_KEY: '', S3_SECRET_ACCESS_KEY_FILE: file };
      expect(readConfig(fromFile).S3_SECRET_ACCESS_KEY).toBe('of-the-file');
      let message = '';
      try {
        readConfig({ ...fromFile, S3_SECRET_ACCESS_KEY_FILE: `${file}x` });
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message.split('\n')).toEqual([
        'Invalid configuration:',
        expect.stringContaining('S3_SECRET_ACCESS_KEY_FILE: cannot be read'),
      ]);
    });

    test('derives the public endpoint and the URL style from the endpoint unless they are set', () => {
      const endpoint = 'https://s3.internal:9000';
      const settingsWith = (environment: Record<string, string>) =>
        storeSettingsOf(readConfig({ ...s3, ...environment }))[0];
      expect(settingsWith({ S3_ENDPOINT: `${endpoint}/` })).toMatchObject({
        endpoint,
        publicEndpoint: endpoint,
        isPathStyle: true,
      });
      expect(settingsWith({ S3_ENDPOINT: '' })).toMatchObject({ isPathStyle: false });
      expect(settingsWith({ S3_FORCE_PATH_STYLE: 'false' })).toMatchObject({ isPathStyle: false });
      expect(() => readConfig({ ...s3, S3_FORCE_PATH_STYLE: 'yes' })).toThrow(
        'S3_FORCE_PATH_STYLE: must be one of: true, false.',
      );
    });

    test('identifies the location of a blob by the public host, or by the AWS host if no endpoint is set', () => {
      const accountOf = (environment: Record<string, string>) =>
        homeOf(storeSettingsOf(readConfig({ ...s3, ...environment }))[0]).account;
      expect(accountOf({ S3_ENDPOINT: 'http://a:1', S3_PUBLIC_ENDPOINT: 'https://media.example.com' })).toBe(
        'media.example.com',
      );
      expect(accountOf({ S3_ENDPOINT: 'http://a:1' })).toBe('a:1');
      expect(accountOf({ S3_ENDPOINT: '', S3_REGION: 'eu-west-1' })).toBe('s3.eu-west-1.amazonaws.com');
    });

    test('rejects plain http in production, both for callers and between servers', () => {
      const production = { ...s3, ASSAY_MODE: 'production' };
      expect(() => readConfig(production)).toThrow('S3_PUBLIC_ENDPOINT: must be https');
      const behindProxy = { ...production, S3_PUBLIC_ENDPOINT: 'https://media.example.com' };
      expect(readConfig(behindProxy)).toBeDefined();
      expect(() => readConfig({ ...behindProxy, S3_ENDPOINT: 'http://s3.internal' })).toThrow(
        'S3_ENDPOINT: must be https',
      );
      expect(readConfig({ ...production, S3_ENDPOINT: '' })).toBeDefined(); // AWS
    });
  });
});
