import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { createFieldRules } from '@assay/contract/field-rules.ts';
import {
  defaultExaminationsAtOnce,
  defaultRateLimits,
  defaultStorageQuotas,
  deliveryAttemptsMax,
  type PaidTier,
  webhookTimeoutSecondsMax,
} from '@assay/contract/limits.ts';
import { z } from 'zod';
import {
  findPlainStorage,
  findStorageConflicts,
  findUnsetStorage,
  isLoopback,
  storageSecrets,
  storageVariables,
} from './storage.ts';
import { certificateFile, databaseUrlOf, privateKeyFile, tlsContradictions, usesTemporalTls } from './tls.ts';

const portNumber = z.coerce.number().int().min(0).max(65535);
const positiveSeconds = z.coerce.number().positive();

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const prefixMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= prefixMax;
}
const addressOrNetwork = z.string().refine(isAddressOrNetwork, 'must contain IP addresses or CIDR networks only.');

const splitAtCommas = (list: string) =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
const commaList = z.string().transform(splitAtCommas);

// To rotate a secret, an operator sets several, separated by commas, with the newest first.
const listOfSecrets = (secret: z.ZodType<string, string>) =>
  z.tuple([secret], secret, 'must contain at least one secret.');
// A pepper from the time when only one could be set may contain a comma, so the whole text is added as the last pepper.
const pepperText = z.string().min(32, 'must have at least 32 characters. Create one with: openssl rand -hex 32');
const webhookKeyRule = 'must be 32 bytes in base64. Create one with: openssl rand -base64 32';
const deliveryWaitsRule = `must be ${deliveryAttemptsMax} waits in seconds, separated by commas: one before each attempt.`;
const splitPeppers = (text: string) => (text.includes(',') ? [...splitAtCommas(text), text] : [text]);

// `video:2` is the queue `video` with two analyses at once.
const queueList = z.string().transform((list, context) =>
  list.split(',').map((entry) => {
    const [name = '', count = ''] = entry.trim().split(':');
    const defaultCount = defaultQueues[name as keyof typeof defaultQueues];
    const atOnceMax = count === '' ? defaultCount : Number(count);
    if (defaultCount === undefined) {
      context.addIssue(`has an unknown queue: ${name}. Known queues: ${Object.keys(defaultQueues).join(', ')}.`);
    } else if (!Number.isInteger(atOnceMax) || atOnceMax < 1) {
      context.addIssue(`has an invalid entry: ${entry}. The number after the colon must be an integer of at least 1.`);
    }
    return { name: name as keyof typeof defaultQueues, atOnceMax };
  }),
);

/** How many analyses, deliveries or (`control`, `sandbox`) workflow steps of each queue a worker runs at once. */
const defaultQueues = {
  control: 25,
  sandbox: 25,
  video: Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))), // decoding one uses about two cores
  audio: 2,
  image: 4,
  document: 4,
  webhook: 300, // a delivery mostly waits, and receivers that hang must not delay the others
} as const;

/** JSON of values by tier. The operator sets only what differs from the defaults. */
function overridesByTier<Value extends z.ZodType>(value: Value, rule: string) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: rule });
        return z.NEVER;
      }
    })
    .pipe(z.partialRecord(z.enum(['starter', 'pro', 'enterprise'], rule), value, rule));
}

/** JSON of values by tier and name, merged into the defaults. */
function valuesByTier<Values extends Record<string, number | null>>(
  defaults: Record<PaidTier, Values>,
  value: z.ZodType<number | null>,
  rule: string,
) {
  const names = Object.keys(defaults.starter) as [string, ...string[]];
  return overridesByTier(z.partialRecord(z.enum(names, rule), value, rule), rule).transform((overrides) => {
    const tierNames = Object.keys(defaults) as PaidTier[];
    const merged = tierNames.map((tier) => [tier, { ...defaults[tier], ...overrides[tier] }]);
    return Object.fromEntries(merged) as Record<PaidTier, Values>;
  });
}

const rateLimitsRule = 'must be JSON such as {"pro": {"upload": 120}}, with limits of at least 1 by tier and bucket.';
const rateLimitsText = valuesByTier(defaultRateLimits, z.int(rateLimitsRule).min(1, rateLimitsRule), rateLimitsRule);

const quotasRule =
  'must be JSON such as {"pro": {"GiB": 2000, "files": 50000}}, with integers of at least 1 by tier, or null for no limit.';
const quotasText = valuesByTier(defaultStorageQuotas, z.int(quotasRule).min(1, quotasRule).nullable(), quotasRule);

/** The rest is for the worker and for the processes that examine files, of which each may have its own heap. */
const toolMemoryShare = 1 / 2;

/** A share of what the container has, or else the machine. */
function defaultToolMemoryMegabytes(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.floor((bytes * toolMemoryShare) / 1024 ** 2);
}

const atOnceRule = 'must be JSON such as {"pro": 32}, with limits of at least 1 by tier.';

const examinationsAtOnceText = overridesByTier(z.int(atOnceRule).min(1, atOnceRule), atOnceRule).transform(
  (overrides) => ({ ...defaultExaminationsAtOnce, ...overrides }) as typeof defaultExaminationsAtOnce,
);

const originUrl = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'must contain origins only, such as https://app.example.com: scheme, host and port, without a path.',
});

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a URL such as postgres://user@host/database.',
});

const variables = z.object({
  ASSAY_MODE: z.enum(['production', 'development']).default('production'),
  DEVELOPMENT_IN_CONTAINER: z.enum(['true', 'false']).default('false'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),

  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: portNumber.default(8080),
  METRICS_HOST: z.string().default('127.0.0.1'),
  API_METRICS_PORT: portNumber.default(9464),
  WORKER_METRICS_PORT: portNumber.default(9465),
  TRUSTED_PROXIES: commaList.prefault('').pipe(z.array(addressOrNetwork)),
  CORS_ORIGINS: commaList.prefault('').pipe(z.array(originUrl)),
  REQUEST_TIMEOUT_SECONDS: positiveSeconds.default(120),
  DRAIN_SECONDS: z.coerce.number().min(0).default(5),
  RATE_LIMITS: rateLimitsText.prefault('{}'),
  STORAGE_QUOTAS: quotasText.prefault('{}'),
  REALTIME_STREAMS_PER_KEY_MAX: z.coerce.number().int().min(1).default(50),
  REALTIME_STREAMS_MAX: z.coerce.number().int().min(1).default(2000),
  REALTIME_STREAM_MINUTES_MAX: z.coerce.number().positive().default(60),
  REALTIME_RECHECK_SECONDS: positiveSeconds.default(30),
  DOCS_DIR: z.string().default(join(import.meta.dirname, '../../../../docs/.vitepress/dist')),

  WORKER_QUEUES: queueList.prefault(Object.keys(defaultQueues).join(',')),
  SWEEP_SECONDS: positiveSeconds.default(5),
  RECONCILE_SECONDS: positiveSeconds.default(120),
  WORKER_LOST_AFTER_SECONDS: z.coerce.number().min(2).default(10),
  RETRY_SECONDS_MAX: z.coerce.number().min(1).default(15),
  MEMORY_RETRY_SECONDS: positiveSeconds.default(30),
  TOOL_JAIL: z.enum(['auto', 'bubblewrap', 'landlock', 'off']).default('auto'),
  TOOL_MEMORY_MB: z.coerce.number().int().min(128).default(defaultToolMemoryMegabytes),
  EXAMINATION_SECONDS_MIN: positiveSeconds.default(600),
  EXAMINATION_HEAP_MB: z.coerce.number().int().min(64).default(512),
  EXAMINATION_LONG_SECONDS: positiveSeconds.default(40),
  EXAMINATIONS_AT_ONCE: examinationsAtOnceText.prefault('{}'),
  EXAMINATION_SPARE_PROCESSES: z.coerce.number().int().min(0).default(2),
  KEEP_UNSUBMITTED_HOURS: z.coerce
    .number()
    .min(2, 'must be at least 2, as an upload can take the hour of its URL.')
    .default(48),
  KEEP_MEDIA_DAYS: z.coerce.number().min(1).default(30),
  KEEP_RESULTS_DAYS: z.coerce.number().min(1).default(365),
  KEEP_DELIVERIES_DAYS: z.coerce.number().min(1).default(30),

  WEBHOOK_SECRETS_KEY: commaList.pipe(
    listOfSecrets(z.base64(webhookKeyRule).refine((text) => Buffer.from(text, 'base64').length === 32, webhookKeyRule)),
  ),
  WEBHOOK_ALLOWED_CIDRS: commaList.prefault('').pipe(z.array(addressOrNetwork)),
  WEBHOOK_WAITS_SECONDS: commaList
    .prefault('0,5,300,1800,7200,18000,36000,50400,72000,86400')
    .pipe(
      z
        .array(z.string().pipe(z.coerce.number<string>(deliveryWaitsRule).min(0, deliveryWaitsRule)))
        .length(deliveryAttemptsMax, deliveryWaitsRule),
    ),
  WEBHOOK_TIMEOUT_SECONDS: positiveSeconds.max(webhookTimeoutSecondsMax).default(15),
  WEBHOOK_DISABLE_AFTER_HOURS: z.coerce.number().positive().default(120),

  DATABASE_URL: databaseUrl,
  MIGRATION_DATABASE_URL: databaseUrl.or(z.literal('')).default(''),
  DATABASE_CA_FILE: certificateFile,
  DATABASE_CONNECTIONS_MAX: z.coerce.number().int().min(1).default(10),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a URL such as redis://host:6379.' }),
  REDIS_CA_FILE: certificateFile,
  REDIS_CERT_FILE: certificateFile,
  REDIS_KEY_FILE: privateKeyFile,
  REDIS_KEY_PREFIX: z.string().default('assay:'),
  ...storageVariables,
  TEMPORAL_ADDRESS: z.string().min(1),
  TEMPORAL_NAMESPACE: z.string().min(1),
  TEMPORAL_QUEUE_PREFIX: z.string().max(100).default(''),
  TEMPORAL_TLS: z.enum(['true', 'false']).optional(),
  TEMPORAL_TLS_CA_FILE: certificateFile,
  TEMPORAL_TLS_CERT_FILE: certificateFile,
  TEMPORAL_TLS_KEY_FILE: privateKeyFile,
  TEMPORAL_TLS_SERVER_NAME: z.string().default(''),
  // Checked here, because the client's own message about an invalid header would contain the key.
  TEMPORAL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must not contain spaces or line breaks.')
    .default(''),
  KEY_PEPPER: z.string().transform(splitPeppers).pipe(listOfSecrets(pepperText)),
});

/** These can also be set as NAME_FILE, the path of a file that contains the value. */
const secretVariables = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'REDIS_URL',
  ...storageSecrets,
  'TEMPORAL_API_KEY',
  'KEY_PEPPER',
  'WEBHOOK_SECRETS_KEY',
];

/** Maps each former variable name to the current name and values. Removed with the next release. */
const renamedVariables = {
  TOOL_CAGE: { name: 'TOOL_JAIL', values: { required: 'auto', off: 'off' } as Record<string, string> },
};

export type Config = Omit<z.output<typeof variables>, 'TEMPORAL_TLS'> & {
  TEMPORAL_TLS: boolean;
  /** Messages that are logged at start. */
  warnings: string[];
};

/** Reads the environment and reports everything that is invalid at once. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const warnings: string[] = [];
  // An empty variable counts as unset, because compose files and charts set unused variables to an empty string.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  for (const name of secretVariables) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) problems.push(`${name}: set either ${name} or ${name}_FILE, not both.`);
    try {
      given[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      problems.push(`${name}_FILE: cannot be read (${(error as Error).message}).`);
    }
  }
  for (const [former, { name, values }] of Object.entries(renamedVariables)) {
    const value = given[former];
    if (value === undefined) continue;
    if (given[name] !== undefined) problems.push(`${former}: is now ${name}. Set only ${name}.`);
    else given[name] = values[value] ?? value;
    warnings.push(`${former} is now ${name}. Set ${name}=${given[name]} instead: the next release ignores ${former}.`);
  }
  const parsed = variables.safeParse(given, { error: createFieldRules(variables).ruleOf });
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (problems.some((problem) => problem.startsWith(`${name}_FILE:`))) continue;
    problems.push(`${name}: ${given[name] === undefined ? 'is not set.' : issue.message}`);
  }
  for (const problem of findUnsetStorage(given)) {
    const [name] = problem.split(':');
    if (!problems.some((other) => other.startsWith(`${name}_FILE:`))) problems.push(problem);
  }
  if (parsed.data) problems.push(...findContradictions(parsed.data));
  if (!parsed.data || problems.length > 0) throw new ConfigError(problems);
  return {
    ...parsed.data,
    DATABASE_URL: databaseUrlOf(parsed.data.DATABASE_URL, parsed.data),
    MIGRATION_DATABASE_URL: databaseUrlOf(parsed.data.MIGRATION_DATABASE_URL, parsed.data),
    TEMPORAL_TLS: usesTemporalTls(parsed.data),
    warnings,
  };
}

function findContradictions(config: z.output<typeof variables>): string[] {
  const problems = [...tlsContradictions(config), ...findStorageConflicts(config)];
  if (config.ASSAY_MODE === 'production') problems.push(...findPlainStorage(config));
  // In a container other hosts are allowed, because its loopback address cannot be reached from outside.
  const isContainer = config.DEVELOPMENT_IN_CONTAINER === 'true';
  if (config.ASSAY_MODE === 'development' && !isContainer && !isLoopback(config.API_HOST)) {
    problems.push(
      'API_HOST: must be a loopback address in development mode. Set ASSAY_MODE=production to serve other hosts.',
    );
  }
  return problems;
}

export class ConfigError extends Error {
  constructor(problems: string[], context: { cause?: unknown } = {}) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, context);
    this.name = 'ConfigError';
  }
}
