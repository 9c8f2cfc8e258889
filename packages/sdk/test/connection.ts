import { Assay, type AssayOptions } from '@assay/sdk';

export type Context = {
  /** The address of the service; for a page in a browser, an address of the same origin. */
  baseUrl: string;
  /** The proxy that simulates a bad network: `packages/testing/src/faults/flaky-proxy.ts`. */
  proxyUrl: string;
  liveKey: string;
  sandboxKey: string;
  /** A key of a workspace whose plan does not include the service. */
  freeKey: string;
};

/** A file that a test leaves in storage, where the test runner checks it. */
export type StoredFile = { blobPath: string; contentType: string; sha256: string };

export type ClientTests = Record<string, (context: Context) => Promise<unknown>>;

type SeenRequest = {
  at: number;
  method: string;
  path: string;
  idempotencyKey?: string;
  lastEventId?: string;
  hasApiKey: boolean;
};

/**
 * A connection to one of the services through a proxy with this fault. `main` is a normal service and `limited` has
 * tiny rate limits. The storage of `astray` does not exist; that of `shaky` fails every fifth request, and that of
 * `closed` every request.
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

/** A client that connects without a proxy. */
export const liveClient = ({ baseUrl, liveKey }: Context) => new Assay({ apiKey: liveKey, baseUrl });
export const sandboxClient = ({ baseUrl, sandboxKey }: Context) => new Assay({ apiKey: sandboxKey, baseUrl });

export async function uploadNote(assay: Assay): Promise<string> {
  return (await assay.uploads.direct(new Blob(['a note']), 'note.txt')).blobPath;
}

/** Creates a submission that is a simulated run of this duration. */
export async function simulate(context: Context, simulationDelaySeconds: number, metadata = {}) {
  const assay = sandboxClient(context);
  const body = { assets: [{ blobPath: await uploadNote(assay) }], metadata };
  return assay.submissions.create(body, { simulationDelaySeconds });
}

export const randomId = () => crypto.randomUUID() as string;
