import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Certificates = { caFile: string; keyFile: string; certificateFile: string };

/**
 * Creates a CA, and a certificate for a receiver with these names and addresses. With 0 days, the certificate expires
 * within a second.
 */
export function makeCertificates(dir: string, names: string[], addresses: string[], days = 1): Certificates {
  const file = (name: string) => join(dir, name);
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const caFiles = ['-keyout', file('authority.key'), '-out', file('authority.pem')];
  run('req', '-x509', ...newKey, ...caFiles, '-subj', '/CN=guard authority', '-days', '1');
  run('req', ...newKey, '-keyout', file('receiver.key'), '-out', file('receiver.csr'), '-subj', '/CN=receiver');
  const subjects = [...names.map((name) => `DNS:${name}`), ...addresses.map((address) => `IP:${address}`)];
  writeFileSync(file('receiver.ext'), `subjectAltName=${subjects.join(',')}\n`);
  const signing = [
    '-CA',
    file('authority.pem'),
    '-CAkey',
    file('authority.key'),
    '-CAcreateserial',
    '-days',
    `${days}`,
  ];
  const signed = ['-extfile', file('receiver.ext'), '-out', file('receiver.pem')];
  run('x509', '-req', '-in', file('receiver.csr'), ...signing, ...signed);
  return {
    caFile: file('authority.pem'),
    keyFile: file('receiver.key'),
    certificateFile: file('receiver.pem'),
  };
}
