import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Certificates, makeCertificates } from './certificates.ts';

/** What a server on 127.0.0.1 presents, and which authority its client trusts. */
type Handshake = { server: Certificates; trusted: string };

/** One right pair of certificate and authority, and each way in which it can be wrong. */
export type Handshakes = { right: Handshake; expired: Handshake; wrongName: Handshake; wrongAuthority: Handshake };

/** Each set has an authority of its own. */
export async function makeHandshakes(): Promise<Handshakes> {
  const right = makeSet([], ['127.0.0.1']);
  const expired = makeSet([], ['127.0.0.1'], 0);
  const wrongName = makeSet(['other.example'], ['127.0.0.2']);
  await sleep(1100); // until the expired one has expired
  return {
    right: { server: right, trusted: right.authorityFile },
    expired: { server: expired, trusted: expired.authorityFile },
    wrongName: { server: wrongName, trusted: wrongName.authorityFile },
    wrongAuthority: { server: right, trusted: wrongName.authorityFile },
  };
}

/** A client's certificate, and the authority that a server must trust to accept it. */
export const makeClientCertificates = () => makeSet(['assay'], []);

function makeSet(names: string[], addresses: string[], days?: number): Certificates {
  const dir = mkdtempSync(join(tmpdir(), 'assay-certificates-'));
  chmodSync(dir, 0o755); // the OS user of PostgreSQL reads them too
  return makeCertificates(dir, names, addresses, days);
}
