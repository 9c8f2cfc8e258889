import { Assay, type AssayOptions } from '@assay/sdk';

export type Context = {
  /** The address of the service; for a page in a browser, one of the same origin. */
  baseUrl: string;
  /** The proxy that simulates a bad network: `packages/testing/src/faults/flaky-proxy.ts`. */
  proxyUrl: string;
  liveKey: string;
  sandboxKey: string;
  /** A key of a workspace whose plan does not include the service. */
  freeKey: string;
};

/** A file that a promise leaves in storage, where the caller of the walk checks it. */
export type Stored = { blobPath: string; contentType: string; sha256: string };

export type Promises = Record<string, (context: Context) => Promise<unknown>>;

type SeenRequest = {
  at: number;
  method: string;
  path: string;
  idempotencyKey?: string;
  lastEventId?: string;
  hasApiKey: boolean;
};

/**
 * A connection to one of the services through a proxy with this fault. `main` is a normal service, `limited` has tiny
 * rate limits, the storage of `astray` does not exist, that of `shaky` fails every fifth request, that of `closed` all.
 */
export function openConnection(
  context: Context,
  fault = 'calm',
  target: 'main' | 'limited' | 'astray' | 'shaky' | 'closed' = 'main',
) {
  const token = crypto.randomUUID() as string;
  const url = `${context.proxyUrl}/${target}/${token}/${fault}`;
  const seenOf = async (name: string) =>
    (await (await fetch(`${context.proxyUrl}/seen/${name}`)).json()) as SeenRequest[];
  return {
    url,
    token,
    assay: (options: AssayOptions = {}) => new Assay({ apiKey: context.liveKey, baseUrl: url, ...options }),
    simulator: () => new Assay({ apiKey: context.sandboxKey, baseUrl: url }),
    seen: () => seenOf(token),
    /** Requests that arrived at the target of a redirect. */
    redirected: () => seenOf(`${token}-led`),
  };
}

/** A client that is connected without a proxy. */
export const liveOf = ({ baseUrl, liveKey }: Context) => new Assay({ apiKey: liveKey, baseUrl });
export const sandboxOf = ({ baseUrl, sandboxKey }: Context) => new Assay({ apiKey: sandboxKey, baseUrl });

export async function uploadNote(assay: Assay): Promise<string> {
  return (await assay.uploads.direct(new Blob(['a note']), 'note.txt')).blobPath;
}

/** A simulated run of this duration. */
export async function simulate(context: Context, simulationDelaySeconds: number, metadata = {}) {
  const assay = sandboxOf(context);
  const body = { assets: [{ blobPath: await uploadNote(assay) }], metadata };
  return assay.submissions.create(body, { simulationDelaySeconds });
}

export const someId = () => crypto.randomUUID() as string;
