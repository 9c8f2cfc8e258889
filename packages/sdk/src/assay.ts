import { addressOf, type CallOptions, createCall, isHeaderText } from './call.ts';
import { AssayError } from './errors.ts';
import { assets, issues, sidekicks } from './resources/results.ts';
import { submissions } from './resources/submissions.ts';
import { uploads } from './resources/uploads.ts';
import { sandbox, webhooks } from './resources/webhooks.ts';
import type { Me } from './wire.generated.ts';

export type { CallOptions, WriteOptions } from './call.ts';
export * from './errors.ts';
export { followByTicket, type TicketOptions } from './follow-by-ticket.ts';
export type { Listing } from './listing.ts';
export type { CreateOptions, WaitOptions } from './resources/submissions.ts';
export type { UploadOptions } from './upload.ts';
export * from './webhook-signature.ts';
export type * from './wire.generated.ts';
export { contentTypes } from './wire.generated.ts';

export type AssayOptions = {
  /** Left out: `ASSAY_API_KEY` of the environment. */
  apiKey?: string | undefined;
  /** Where Assay runs, without path. Left out: `ASSAY_BASE_URL` of the environment, else this machine. */
  baseUrl?: string | undefined;
  /** For each attempt of each call. */
  timeoutMs?: number | undefined;
  /** So often a call is sent again when that may help and can do no harm. */
  maxRetries?: number | undefined;
  /** Of every request to the service, such as a gateway may want. */
  headers?: Record<string, string> | undefined;
  fetch?: typeof fetch | undefined;
};

/** The client of one workspace, as its key says. */
export class Assay {
  readonly uploads: ReturnType<typeof uploads>;
  readonly submissions: ReturnType<typeof submissions>;
  readonly assets: ReturnType<typeof assets>;
  readonly issues: ReturnType<typeof issues>;
  readonly sidekicks: ReturnType<typeof sidekicks>;
  readonly webhooks: ReturnType<typeof webhooks>;
  readonly sandbox: ReturnType<typeof sandbox>;
  /** Who you are here: workspace, mode, tier, credits spent. */
  readonly me: (options?: CallOptions) => Promise<Me>;

  constructor(options: AssayOptions = {}) {
    const settings = {
      apiKey: (options.apiKey ?? fromEnvironment('ASSAY_API_KEY') ?? '').trim(),
      baseUrl: addressOf(options.baseUrl ?? fromEnvironment('ASSAY_BASE_URL') ?? 'http://127.0.0.1:8080'),
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 2,
      headers: options.headers ?? {},
      // Browsers insist on being called as a function of the window.
      fetch: options.fetch ?? ((url, request) => fetch(url, request)),
    };
    if (!settings.apiKey) throw new AssayError('There is no API key: pass apiKey, or set ASSAY_API_KEY.');
    // Checked here, as fetch would repeat the key in its complaint.
    if (!isHeaderText(settings.apiKey)) throw new AssayError('The API key holds characters that no key has.');
    const call = createCall(settings);
    this.uploads = uploads(call, settings);
    this.submissions = submissions(call);
    this.assets = assets(call);
    this.issues = issues(call);
    this.sidekicks = sidekicks(call);
    this.webhooks = webhooks(call);
    this.sandbox = sandbox(call);
    this.me = (callOptions) => call('getMe', { params: [] }, callOptions);
  }
}

// Browsers and edge runtimes have no process.
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
