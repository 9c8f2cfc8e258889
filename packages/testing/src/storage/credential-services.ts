import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../run/listen.ts';

type Answer = { status?: number; body: object };

/** A loopback server that simulates a service from which a host or container gets credentials. */
async function openCredentialService(answer: (headers: Record<string, unknown>) => Answer) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    const { status = 200, body } = answer(request.headers);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/credentials`,
    requests: () => requests,
    close: () => void server.close(),
  };
}

/**
 * Temporary credentials of a role, as Amazon's container services provide them. By default they have no session token,
 * because versitygw refuses one with the keys of its root account.
 */
export async function openContainerCredentials(keys: { accessKeyId: string; secretAccessKey: string }, token = '') {
  const state = { expiresAt: new Date(Date.now() + 6 * 3_600_000) };
  const service = await openCredentialService(() => ({
    body: {
      AccessKeyId: keys.accessKeyId,
      SecretAccessKey: keys.secretAccessKey,
      Token: token,
      Expiration: state.expiresAt.toISOString(),
    },
  }));
  const environment = { AWS_CONTAINER_CREDENTIALS_FULL_URI: service.url, AWS_EC2_METADATA_DISABLED: 'true' };
  return { ...service, state, environment };
}

/** Tokens of a managed identity, as Azure's App Service provides them, but not signed. */
export async function openManagedIdentity() {
  const secret = randomUUID();
  const token = makeToken();
  const service = await openCredentialService((headers) => {
    if (headers['x-identity-header'] !== secret) return { status: 401, body: { error: 'unauthorized' } };
    const expiresOn = Math.floor(Date.now() / 1000) + 3600;
    const resource = 'https://storage.azure.com';
    return { body: { access_token: token, expires_on: `${expiresOn}`, resource, token_type: 'Bearer' } };
  });
  const environment = { IDENTITY_ENDPOINT: service.url, IDENTITY_HEADER: secret };
  return { ...service, token, environment };
}

function makeToken(): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const tenant = randomUUID();
  const claims = {
    aud: 'https://storage.azure.com',
    iss: `https://sts.windows.net/${tenant}/`,
    iat: now - 60,
    nbf: now - 60,
    exp: now + 86_400,
    oid: randomUUID(),
    tid: tenant,
  };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.none`;
}
