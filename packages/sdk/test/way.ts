import { Assay, type AssayOptions } from '@assay/sdk';

export type Context = {
  /** The service itself; for a page, by a way of the page's own origin. */
  baseUrl: string;
  /** Of the proxy that stands for a bad network: `test/support/flaky-proxy.ts`. */
  proxyUrl: string;
  liveKey: string;
  sandboxKey: string;
  /** Of a workspace whose plan does not include the service. */
  freeKey: string;
};

/** What a promise leaves in the storage, for whoever may look there. */
export type Stored = { blobPath: string; contentType: string; sha256: string };

export type Promises = Record<string, (context: Context) => Promise<unknown>>;

type Passing = {
  at: number;
  method: string;
  path: string;
  idempotencyKey?: string;
  lastEventId?: string;
  hasApiKey: boolean;
};

/**
 * A way to one of the services on which that goes wrong. `main` is as usual, `limited` has tiny limits, `astray` finds
 * no storage, `shaky` sends uploads to a storage that fails every fifth request, `closed` to one that refuses them.
 */
export function openWay(
  context: Context,
  fault = 'calm',
  target: 'main' | 'limited' | 'astray' | 'shaky' | 'closed' = 'main',
) {
  const token = crypto.randomUUID() as string;
  const url = `${context.proxyUrl}/${target}/${token}/${fault}`;
  const seenOf = async (name: string) => (await (await fetch(`${context.proxyUrl}/seen/${name}`)).json()) as Passing[];
  return {
    url,
    token,
    assay: (options: AssayOptions = {}) => new Assay({ apiKey: context.liveKey, baseUrl: url, ...options }),
    rehearser: () => new Assay({ apiKey: context.sandboxKey, baseUrl: url }),
    seen: () => seenOf(token),
    /** What came to where a redirect leads. */
    led: () => seenOf(`${token}-led`),
  };
}

/** A client without obstacles. */
export const liveOf = ({ baseUrl, liveKey }: Context) => new Assay({ apiKey: liveKey, baseUrl });
export const sandboxOf = ({ baseUrl, sandboxKey }: Context) => new Assay({ apiKey: sandboxKey, baseUrl });

export async function uploadNote(assay: Assay): Promise<string> {
  return (await assay.uploads.direct(new Blob(['a note']), 'note.txt')).blobPath;
}

/** A rehearsal that goes on for so long. */
export async function rehearse(context: Context, simulationDelaySeconds: number, metadata = {}) {
  const assay = sandboxOf(context);
  const body = { assets: [{ blobPath: await uploadNote(assay) }], metadata };
  return assay.submissions.create(body, { simulationDelaySeconds });
}

export const someId = () => crypto.randomUUID() as string;
