import { addressOf, type CallOptions, createCall, isHeaderText } from './call.ts';
import { AssayError } from './errors.ts';
import { keys } from './resources/keys.ts';
import { profiles } from './resources/profiles.ts';
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
export type { Uploaded, UploadOptions } from './upload/upload.ts';
export type { LocalFile, UploadSource } from './upload/upload-source.ts';
export * from './verdict.generated.ts';
export * from './webhook-signature.ts';
export type * from './wire.generated.ts';
export { contentTypes } from './wire.generated.ts';

export type AssayOptions = {
  /** Default: the environment variable `ASSAY_API_KEY`. */
  apiKey?: string | undefined;
  /** Address of Assay, without a path. Default: `ASSAY_BASE_URL`, or `http://127.0.0.1:8080`. */
  baseUrl?: string | undefined;
  /** For each attempt of a call. Default: 60 000. */
  timeoutMs?: number | undefined;
  /** How often a failed call is retried, where retrying is safe. Default: 2. */
  maxRetries?: number | undefined;
  /** Sent with every request to the service, such as headers that a gateway requires. */
  headers?: Record<string, string> | undefined;
  fetch?: typeof fetch | undefined;
};

/** A client for the workspace of its API key. */
export class Assay {
  readonly uploads: ReturnType<typeof uploads>;
  readonly submissions: ReturnType<typeof submissions>;
  readonly assets: ReturnType<typeof assets>;
  readonly issues: ReturnType<typeof issues>;
  readonly sidekicks: ReturnType<typeof sidekicks>;
  readonly profiles: ReturnType<typeof profiles>;
  readonly webhooks: ReturnType<typeof webhooks>;
  readonly sandbox: ReturnType<typeof sandbox>;
  readonly keys: ReturnType<typeof keys>;
  /** Workspace, mode, tier, scopes and used credits of the API key. */
  readonly me: (options?: CallOptions) => Promise<Me>;

  constructor(options: AssayOptions = {}) {
    const settings = {
      apiKey: (options.apiKey ?? fromEnvironment('ASSAY_API_KEY') ?? '').trim(),
      baseUrl: addressOf(options.baseUrl ?? fromEnvironment('ASSAY_BASE_URL') ?? 'http://127.0.0.1:8080'),
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 2,
      headers: options.headers ?? {},
      // Browsers require fetch to be called on the global object.
      fetch: options.fetch ?? ((url, request) => fetch(url, request)),
    };
    if (!settings.apiKey) throw new AssayError('No API key: pass apiKey or set ASSAY_API_KEY.');
    // Checked here, because the error message of fetch would contain the key.
    if (!isHeaderText(settings.apiKey)) throw new AssayError('The API key contains invalid characters.');
    const call = createCall(settings);
    this.uploads = uploads(call, settings);
    this.submissions = submissions(call);
    this.assets = assets(call);
    this.issues = issues(call);
    this.sidekicks = sidekicks(call);
    this.profiles = profiles(call);
    this.webhooks = webhooks(call);
    this.sandbox = sandbox(call);
    this.keys = keys(call);
    this.me = (callOptions) => call('getMe', { params: [] }, callOptions);
  }
}

// Browsers and edge runtimes have no process.
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
