import { readTlsFiles, type TlsFiles } from '../connections/tls-files.ts';

/** TLS and credentials, as options of the engine's libraries. The client and the workers use the same. */
export type EngineSecurity = {
  tls?: {
    serverRootCACertificate?: Buffer;
    clientCertPair?: { crt: Buffer; key: Buffer };
    serverNameOverride?: string;
  };
  apiKey?: string;
};

/** An empty string means that the setting is not set. */
export type EngineSecuritySettings = TlsFiles & { usesTls: boolean; serverName: string; apiKey: string };

export function createEngineSecurity({
  usesTls,
  serverName,
  apiKey,
  ...files
}: EngineSecuritySettings): EngineSecurity {
  if (!usesTls) return {};
  const { ca, cert, key } = readTlsFiles(files);
  return {
    tls: {
      ...(ca && { serverRootCACertificate: ca }),
      ...(cert && key && { clientCertPair: { crt: cert, key } }),
      ...(serverName && { serverNameOverride: serverName }),
    },
    ...(apiKey && { apiKey }),
  };
}
