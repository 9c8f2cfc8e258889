import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Certificates, makeCertificates } from './certificates.ts';

/** The certificate that a server on 127.0.0.1 presents, and the file of the CA that its client trusts. */
type TlsScenario = { server: Certificates; trusted: string };

/** A certificate that the client accepts, and one for each reason to reject a certificate. */
export type TlsScenarios = {
  valid: TlsScenario;
  expired: TlsScenario;
  wrongName: TlsScenario;
  untrustedCa: TlsScenario;
};

/** Creates a certificate for each scenario, each with a CA of its own. */
export async function makeTlsScenarios(): Promise<TlsScenarios> {
  const valid = makeCertificateFiles([], ['127.0.0.1']);
  const expired = makeCertificateFiles([], ['127.0.0.1'], 0);
  const wrongName = makeCertificateFiles(['other.example'], ['127.0.0.2']);
  await sleep(1100); // until the certificate of `expired` has expired
  return {
    valid: { server: valid, trusted: valid.caFile },
    expired: { server: expired, trusted: expired.caFile },
    wrongName: { server: wrongName, trusted: wrongName.caFile },
    untrustedCa: { server: valid, trusted: wrongName.caFile },
  };
}

/** A client certificate, and the CA that a server must trust to accept it. */
export const makeClientCertificates = () => makeCertificateFiles(['assay'], []);

function makeCertificateFiles(names: string[], addresses: string[], days?: number): Certificates {
  const dir = mkdtempSync(join(tmpdir(), 'assay-certificates-'));
  chmodSync(dir, 0o755); // PostgreSQL's OS user reads the files too
  return makeCertificates(dir, names, addresses, days);
}
