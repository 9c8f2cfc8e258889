import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The variables that determine how connections are secured. A path is an empty string if there is no file. */
type TlsVariables = {
  DATABASE_URL: string;
  MIGRATION_DATABASE_URL: string;
  DATABASE_CA_FILE: string;
  REDIS_URL: string;
  REDIS_CA_FILE: string;
  REDIS_CERT_FILE: string;
  REDIS_KEY_FILE: string;
  TEMPORAL_TLS?: 'true' | 'false' | undefined;
  TEMPORAL_TLS_CA_FILE: string;
  TEMPORAL_TLS_CERT_FILE: string;
  TEMPORAL_TLS_KEY_FILE: string;
  TEMPORAL_TLS_SERVER_NAME: string;
  TEMPORAL_API_KEY: string;
};

/** The path of a file with one or more certificates. It is read at startup, so that errors are reported early. */
export const certificateFile = pemFile(
  'contains no certificate. It must be a PEM file, with -----BEGIN CERTIFICATE----- above each certificate.',
  (pem) => {
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('not in PEM format');
    return new X509Certificate(pem);
  },
);

export const privateKeyFile = pemFile(
  'contains no usable private key. It must be a PEM file with a private key that has no passphrase.',
  (pem) => createPrivateKey(pem),
);

function pemFile(rule: string, parse: (pem: string) => unknown) {
  const readable = z.string().superRefine((path, context) => {
    let pem: string;
    try {
      pem = readFileSync(path, 'utf8');
    } catch (error) {
      context.addIssue(`cannot be read (${(error as Error).message}).`);
      return;
    }
    try {
      parse(pem);
    } catch {
      context.addIssue(rule); // the parser's own message would not help an operator
    }
  });
  return readable.default('');
}

/** pg verifies certificates fully in each of these modes, dbmate in none; so both are given `verify-full`. */
const sslModesWithTls = ['prefer', 'require', 'verify-ca', 'verify-full'];

/** The URL for PostgreSQL connections: the pool and dbmate both read the CA file that it names. */
export function databaseUrlOf(given: string, { DATABASE_CA_FILE }: Pick<TlsVariables, 'DATABASE_CA_FILE'>): string {
  if (given === '') return '';
  const url = new URL(given);
  const mode = url.searchParams.get('sslmode') ?? '';
  if (!DATABASE_CA_FILE && !sslModesWithTls.includes(mode)) return given;
  url.searchParams.set('sslmode', 'verify-full');
  if (DATABASE_CA_FILE) url.searchParams.set('sslrootcert', DATABASE_CA_FILE);
  return url.href;
}

const variablesThatNeedTemporalTls = [
  'TEMPORAL_TLS_CA_FILE',
  'TEMPORAL_TLS_CERT_FILE',
  'TEMPORAL_TLS_KEY_FILE',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
] as const;

export function usesTemporalTls(variables: TlsVariables): boolean {
  return variables.TEMPORAL_TLS === 'true' || variablesThatNeedTemporalTls.some((name) => variables[name]);
}

export function tlsContradictions(variables: TlsVariables): string[] {
  return [
    ...databaseContradictions(variables),
    ...redisContradictions(variables),
    ...temporalContradictions(variables),
    ...certificatePairContradictions(variables, 'REDIS_CERT_FILE', 'REDIS_KEY_FILE'),
    ...certificatePairContradictions(variables, 'TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE'),
  ];
}

function databaseContradictions(variables: TlsVariables): string[] {
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = variables;
  if (MIGRATION_DATABASE_URL === '') return contradictionsOfUrl('DATABASE_URL', variables);
  const withoutUser = [DATABASE_URL, MIGRATION_DATABASE_URL].some((url) => new URL(url).username === '');
  return [
    ...contradictionsOfUrl('DATABASE_URL', variables),
    ...contradictionsOfUrl('MIGRATION_DATABASE_URL', variables),
    ...(withoutUser ? ['MIGRATION_DATABASE_URL: this URL and DATABASE_URL must name their users.'] : []),
  ];
}

function contradictionsOfUrl(name: 'DATABASE_URL' | 'MIGRATION_DATABASE_URL', variables: TlsVariables): string[] {
  const { DATABASE_CA_FILE } = variables;
  const { searchParams } = new URL(variables[name]);
  const mode = searchParams.get('sslmode') ?? '';
  const choice = 'Write sslmode=verify-full, or sslmode=disable for a connection without TLS.';
  if (searchParams.has('ssl')) return [`${name}: has a parameter ssl, which dbmate does not know. ${choice}`];
  if (!['', 'disable', ...sslModesWithTls].includes(mode)) return [`${name}: has sslmode=${mode}. ${choice}`];
  if (DATABASE_CA_FILE && searchParams.has('sslrootcert')) {
    return [`DATABASE_CA_FILE: ${name} names a CA file too, as sslrootcert. Set only one of them.`];
  }
  if (DATABASE_CA_FILE && mode === 'disable') {
    return [
      `DATABASE_CA_FILE: has no effect, because ${name} has sslmode=disable. ` +
        'Write sslmode=verify-full, or unset DATABASE_CA_FILE.',
    ];
  }
  return [];
}

function redisContradictions(variables: TlsVariables): string[] {
  if (variables.REDIS_URL.startsWith('rediss:')) return [];
  const files = ['REDIS_CA_FILE', 'REDIS_CERT_FILE', 'REDIS_KEY_FILE'] as const;
  return files
    .filter((name) => variables[name])
    .map((name) => `${name}: has no effect without TLS. Begin REDIS_URL with rediss://, or unset ${name}.`);
}

function temporalContradictions(variables: TlsVariables): string[] {
  if (variables.TEMPORAL_TLS !== 'false') return [];
  return variablesThatNeedTemporalTls
    .filter((name) => variables[name])
    .map((name) => `TEMPORAL_TLS: is false, but ${name} needs TLS. Set TEMPORAL_TLS=true, or unset ${name}.`);
}

type FileVariable = Extract<keyof TlsVariables, `${string}_FILE`>;

function certificatePairContradictions(
  variables: TlsVariables,
  certName: FileVariable,
  keyName: FileVariable,
): string[] {
  const [cert, key] = [variables[certName], variables[keyName]];
  if (!cert !== !key) {
    const [present, missing] = cert ? [certName, keyName] : [keyName, certName];
    return [`${missing}: is not set, but ${present} is. A client certificate needs both.`];
  }
  if (!cert || isPair(cert, key)) return [];
  return [`${keyName}: is not the private key of the certificate in ${certName}.`];
}

function isPair(certFile: string, keyFile: string): boolean {
  return new X509Certificate(readFileSync(certFile)).checkPrivateKey(createPrivateKey(readFileSync(keyFile)));
}
