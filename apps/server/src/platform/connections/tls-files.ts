import { readFileSync } from 'node:fs';

/** Paths of PEM files; an empty string if there is none. */
export type TlsFiles = { caFile: string; certFile: string; keyFile: string };

/** Options of Node's TLS: the CA to trust instead of the public ones, and a client certificate with its key. */
export type Tls = { ca?: Buffer; cert?: Buffer; key?: Buffer };

export function readTlsFiles({ caFile, certFile, keyFile }: TlsFiles): Tls {
  return {
    ...(caFile && { ca: readFileSync(caFile) }),
    ...(certFile && { cert: readFileSync(certFile), key: readFileSync(keyFile) }),
  };
}
