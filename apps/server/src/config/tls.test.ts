import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, openInstance } from '@assay/stack/instance.ts';
import { makeCertificates } from '@assay/testing/faults/certificates.ts';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const environment = environmentOf({ ...openInstance('test'), storage: 'azure' });

describe('the TLS configuration', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-config-'));
  const { caFile, certificateFile, keyFile } = makeCertificates(dir, ['assay'], []);
  const otherDir = mkdtempSync(join(tmpdir(), 'assay-config-'));
  const other = makeCertificates(otherDir, ['assay'], []);
  const read = (settings: Record<string, string>) => readConfig({ ...environment, ...settings });

  test('uses no TLS for Temporal by default', () => {
    expect(read({})).toMatchObject({ TEMPORAL_TLS: false, TEMPORAL_API_KEY: '', TEMPORAL_TLS_CA_FILE: '' });
    expect(read({ TEMPORAL_TLS: 'false' }).TEMPORAL_TLS).toBe(false);
    expect(() => read({ TEMPORAL_TLS: 'yes' })).toThrow('TEMPORAL_TLS: must be one of: true, false.');
  });

  test.each([
    ['TEMPORAL_TLS', { TEMPORAL_TLS: 'true' }],
    ['a CA file', { TEMPORAL_TLS_CA_FILE: caFile }],
    ['a client certificate', { TEMPORAL_TLS_CERT_FILE: certificateFile, TEMPORAL_TLS_KEY_FILE: keyFile }],
    ['a server name', { TEMPORAL_TLS_SERVER_NAME: 'temporal.example.com' }],
    ['an API key', { TEMPORAL_API_KEY: 'some-key' }],
  ])('uses TLS for Temporal if %s is set', (_, settings) => {
    expect(read(settings as never).TEMPORAL_TLS).toBe(true);
  });

  test('reads the Temporal API key from a file, and rejects a key that cannot be sent in a header', () => {
    const file = join(dir, 'api-key');
    writeFileSync(file, 'some-key\n');
    expect(read({ TEMPORAL_API_KEY_FILE: file }).TEMPORAL_API_KEY).toBe('some-key');
    expect(() => read({ TEMPORAL_API_KEY: 'some\nkey' })).toThrow('TEMPORAL_API_KEY: must not contain spaces');
  });

  test.each(['DATABASE_CA_FILE', 'REDIS_CA_FILE', 'REDIS_CERT_FILE', 'TEMPORAL_TLS_CA_FILE', 'TEMPORAL_TLS_CERT_FILE'])(
    'rejects a %s that cannot be read or that contains no certificate',
    (name) => {
      expect(() => read({ [name]: join(dir, 'none.pem') })).toThrow(`${name}: cannot be read (ENOENT`);
      expect(() => read({ [name]: keyFile })).toThrow(`${name}: contains no certificate. It must be a PEM file`);
    },
  );

  test.each(['REDIS_KEY_FILE', 'TEMPORAL_TLS_KEY_FILE'])('rejects a %s without a private key', (name) => {
    expect(() => read({ [name]: certificateFile })).toThrow(`${name}: contains no usable private key.`);
  });

  test.each<[Record<string, string>, string]>([
    [{ TEMPORAL_TLS_CERT_FILE: certificateFile }, 'TEMPORAL_TLS_KEY_FILE: is not set, but TEMPORAL_TLS_CERT_FILE is.'],
    [{ TEMPORAL_TLS_KEY_FILE: keyFile }, 'TEMPORAL_TLS_CERT_FILE: is not set, but TEMPORAL_TLS_KEY_FILE is.'],
    [
      { TEMPORAL_TLS_CERT_FILE: certificateFile, TEMPORAL_TLS_KEY_FILE: other.keyFile },
      'TEMPORAL_TLS_KEY_FILE: is not the private key of the certificate in TEMPORAL_TLS_CERT_FILE.',
    ],
    [
      { TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'some-key' },
      'TEMPORAL_TLS: is false, but TEMPORAL_API_KEY needs TLS. Set TEMPORAL_TLS=true, or unset TEMPORAL_API_KEY.',
    ],
    [
      { REDIS_CA_FILE: caFile },
      'REDIS_CA_FILE: has no effect without TLS. Begin REDIS_URL with rediss://, or unset REDIS_CA_FILE.',
    ],
    [
      { REDIS_URL: 'rediss://localhost', REDIS_CERT_FILE: certificateFile },
      'REDIS_KEY_FILE: is not set, but REDIS_CERT_FILE is.',
    ],
    [
      { DATABASE_CA_FILE: caFile, DATABASE_URL: 'postgres://localhost/assay?sslmode=disable' },
      'DATABASE_CA_FILE: has no effect, because DATABASE_URL has sslmode=disable. Write sslmode=verify-full',
    ],
    [
      { DATABASE_URL: 'postgres://localhost/assay?sslmode=no-verify' },
      'DATABASE_URL: has sslmode=no-verify. Write sslmode=verify-full, or sslmode=disable',
    ],
    [
      { DATABASE_URL: 'postgres://localhost/assay?ssl=true' },
      'DATABASE_URL: has a parameter ssl, which dbmate does not know. Write sslmode=verify-full',
    ],
    [
      { DATABASE_CA_FILE: caFile, DATABASE_URL: 'postgres://localhost/assay?sslrootcert=/ca.pem' },
      'DATABASE_CA_FILE: DATABASE_URL names a CA file too, as sslrootcert. Set only one of them.',
    ],
    [
      { MIGRATION_DATABASE_URL: 'postgres://localhost/assay' },
      'MIGRATION_DATABASE_URL: this URL and DATABASE_URL must name their users.',
    ],
  ])('rejects %o and explains what to do', (settings, message) => {
    expect(() => read(settings)).toThrow(message);
  });

  test.each([
    ['sslmode=verify-full', 'sslmode=verify-full'],
    ['sslmode=require', 'sslmode=verify-full'],
    ['sslmode=verify-ca', 'sslmode=verify-full'],
    ['sslmode=prefer', 'sslmode=verify-full'],
    ['sslmode=disable', 'sslmode=disable'],
    ['', ''],
  ])('verifies the PostgreSQL certificate fully or uses no TLS: "%s" is read as "%s"', (given, used) => {
    const { DATABASE_URL } = read({ DATABASE_URL: `postgres://user:p%40ss@localhost/assay?${given}` });
    expect(DATABASE_URL).toBe(`postgres://user:p%40ss@localhost/assay?${used}`);
  });

  test('passes the CA file of PostgreSQL to pg and dbmate in the URL', () => {
    const DATABASE_URL = 'postgres://user:p%40ss@localhost/assay';
    const config = read({ DATABASE_URL, MIGRATION_DATABASE_URL: DATABASE_URL, DATABASE_CA_FILE: caFile });
    for (const url of [config.DATABASE_URL, config.MIGRATION_DATABASE_URL].map((text) => new URL(text))) {
      expect(Object.fromEntries(url.searchParams)).toEqual({ sslmode: 'verify-full', sslrootcert: caFile });
      expect(url.password).toBe('p%40ss');
    }
  });
});
