import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Instance, s3Region } from '@assay/stack/instance.ts';
import { versitygw } from '@assay/stack/parts/versitygw.ts';
import { startDetached, stopProcess } from '@assay/stack/process.ts';
import { makeCertificates } from '@assay/testing/faults/certificates.ts';
import { freePort, isListening } from '@assay/testing/faults/own-process.ts';

/** Where pgBackRest stores backups: its settings; `close` stops the server, if there is one. */
export type Repository = { settings: Record<string, string>; close(): Promise<void> };

export const openFolder = (folder: string): Repository => ({
  settings: { 'repo1-path': folder },
  close: async () => {},
});

/**
 * Starts a separate S3 server, because pgBackRest requires TLS. Backups are encrypted, as in the example for operators.
 */
export async function openS3(of: Instance): Promise<Repository> {
  const port = await freePort();
  const instance: Instance = { ...of, ports: { ...of.ports, versitygw: port } };
  const bucket = 'backups';
  mkdirSync(join(instance.dir, 'versitygw', bucket), { recursive: true }); // versitygw serves folders as buckets
  const { caFile, certificateFile, keyFile } = makeCertificates(instance.dir, ['localhost'], []);
  const { env, ...command } = versitygw.command(instance);
  const tls = { VGW_CERT: certificateFile, VGW_KEY: keyFile };
  startDetached(instance, versitygw.name, { ...command, env: { ...env, ...tls } });
  while (!(await isListening(port))) await sleep(50);
  return {
    settings: {
      'repo1-type': 's3',
      'repo1-path': '/assay',
      'repo1-s3-endpoint': 'localhost',
      'repo1-storage-port': String(port),
      'repo1-storage-ca-file': caFile,
      'repo1-s3-region': s3Region,
      'repo1-s3-bucket': bucket,
      'repo1-s3-key': instance.secrets.s3AccessKeyId,
      'repo1-s3-key-secret': instance.secrets.s3SecretAccessKey,
      'repo1-s3-uri-style': 'path',
      'repo1-cipher-type': 'aes-256-cbc',
      'repo1-cipher-pass': instance.secrets.keyPepper,
    },
    close: () => stopProcess(instance, versitygw.name, versitygw.stopSignal),
  };
}
