import {
  ApiError,
  AssayError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  PlanError,
  RateLimitError,
  type RefusalCode,
  ServerError,
  TooLargeError,
  UnavailableError,
  UnsupportedTypeError,
  ValidationError,
} from '@assay/sdk';
import { equal, expectRejection, ok } from './assert.ts';
import {
  type ClientTests,
  type Context,
  liveClient,
  openConnection,
  randomId,
  sandboxClient,
  simulate,
  uploadNote,
} from './connection.ts';

type RefusalCase = {
  kind: typeof ApiError;
  status: number;
  code: RefusalCode | undefined;
  provoke(context: Context): Promise<unknown>;
};

const refusalCases: Record<string, RefusalCase> = {
  'a simulation delay with a live key': {
    kind: BadRequestError,
    status: 400,
    code: 'simulation_needs_sandbox_key',
    async provoke(context) {
      const assay = liveClient(context);
      const body = { assets: [{ blobPath: await uploadNote(assay) }] };
      return assay.submissions.create(body, { simulationDelaySeconds: 1 });
    },
  },
  'an unknown key': {
    kind: AuthenticationError,
    status: 401,
    code: 'invalid_api_key',
    provoke: (context) =>
      openConnection(context)
        .assay({ apiKey: `sk_test_${'0'.repeat(64)}` })
        .me(),
  },
  'a plan that does not include the service': {
    kind: PlanError,
    status: 402,
    code: 'tier_not_authorized_for_integrations_api',
    provoke: (context) => openConnection(context).assay({ apiKey: context.freeKey }).submissions.list(),
  },
  'an invalid file name': {
    kind: PermissionError,
    status: 403,
    code: 'invalid_filename',
    provoke: (context) => liveClient(context).uploads.createUrl({ filename: '../a.mp4', contentType: 'video/mp4' }),
  },
  'a submission that does not exist': {
    kind: NotFoundError,
    status: 404,
    code: 'submission_not_found',
    provoke: (context) => liveClient(context).submissions.get(randomId()),
  },
  'cancelling a finished submission': {
    kind: ConflictError,
    status: 409,
    code: 'submission_settled',
    async provoke(context) {
      const { submissionId } = await simulate(context, 30);
      const assay = sandboxClient(context);
      await assay.submissions.cancel(submissionId);
      return assay.submissions.cancel(submissionId);
    },
  },
  'a file too large for a direct upload': {
    kind: TooLargeError,
    status: 413,
    code: 'direct_upload_too_large',
    provoke: (context) => liveClient(context).uploads.direct(new Blob([new Uint8Array(11 * 1024 * 1024)]), 'large.mp4'),
  },
  'an unsupported content type': {
    kind: UnsupportedTypeError,
    status: 415,
    code: 'content_type_not_allowed',
    provoke: (context) =>
      liveClient(context).uploads.createUrl({ filename: 'a.exe', contentType: 'application/x-msdownload' }),
  },
  'a submission without assets': {
    kind: ValidationError,
    status: 422,
    code: 'validation_failed',
    provoke: (context) => liveClient(context).submissions.create({ assets: [] }),
  },
  'too many requests': {
    kind: RateLimitError,
    status: 429,
    code: 'rate_limited',
    async provoke(context) {
      const assay = openConnection(context, 'calm', 'limited').assay({ maxRetries: 0 });
      for (let i = 0; i < 3; i += 1) await assay.submissions.list();
    },
  },
  'an internal error': {
    kind: ServerError,
    status: 500,
    code: 'internal_error',
    provoke: (context) => openConnection(context, 'answer-500-9').assay({ maxRetries: 0 }).me(),
  },
  'unavailable storage': {
    kind: UnavailableError,
    status: 502,
    code: 'storage_unavailable',
    provoke: (context) => uploadNote(openConnection(context, 'calm', 'astray').assay()),
  },
};

export const errorTests: ClientTests = {
  ...Object.fromEntries(
    Object.entries(refusalCases).map(([what, { kind, status, code, provoke }]) => [
      `${status}: ${what} causes a ${kind.name} with code and request id`,
      async (context: Context) => {
        const error = await expectRejection(provoke(context), kind);
        equal([error.name, error.status, error.code], [kind.name, status, code], 'what it is');
        ok(error instanceof ApiError && error instanceof AssayError, 'it is an ApiError and an AssayError');
        ok(/^[\w-]{8,}$/.test(error.requestId ?? ''), `it has a request id: ${error.requestId}`);
        ok(error.message.length > 10 && !error.message.startsWith('HTTP '), `it says what: ${error.message}`);
        equal(error.retryAfterSeconds !== undefined, status === 429, 'whether it says how long to wait');
      },
    ]),
  ),
  'a 422 error lists every invalid field with its pointer': async (context) => {
    const wrong = { assets: [{ blobPath: 7 }, {}] } as never;
    const error = await expectRejection(liveClient(context).submissions.create(wrong), ValidationError);
    equal(error.errors.map(({ pointer }) => pointer).sort(), ['/assets/0/blobPath', '/assets/1/blobPath'], 'where');
    for (const { pointer, detail } of error.errors) ok(error.message.includes(`${pointer}: ${detail}`), 'it says so');
  },
  'a 429 error contains how long to wait': async (context) => {
    const error = await expectRejection(
      refusalCases['too many requests']?.provoke(context) as Promise<unknown>,
      RateLimitError,
    );
    const { retryAfterSeconds = 0 } = error;
    ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 60, `it is within the window: ${retryAfterSeconds}`);
  },
  'an HTML error page of a proxy becomes an error with its status and without a code': async (context) => {
    const error = await expectRejection(
      openConnection(context, 'html-502-9').assay({ maxRetries: 0 }).me(),
      UnavailableError,
    );
    equal([error.status, error.code ?? null, error.requestId ?? null], [502, null, null], 'what it is');
    const other = await expectRejection(openConnection(context, 'html-507-9').assay({ maxRetries: 0 }).me(), ApiError);
    equal([other.status, other.name], [507, 'ApiError'], 'a status that the service does not use');
  },
  'a call to an unreachable address rejects with a ConnectionError that names the address': async (context) => {
    const error = await expectRejection(
      openConnection(context).assay({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).me(),
      ConnectionError,
    );
    ok(error.message.includes('http://127.0.0.1:1'), error.message);
    ok(error.cause !== undefined, 'it has a cause');
  },
  'a base URL at which another server responds causes a ConnectionError': async ({ proxyUrl, liveKey, ...context }) => {
    const elsewhere = openConnection({ ...context, proxyUrl, liveKey }).assay({
      baseUrl: `${proxyUrl}/page`,
      maxRetries: 0,
    });
    const error = await expectRejection(elsewhere.me(), ConnectionError);
    ok(error.message.includes('baseUrl'), error.message);
  },
  'a redirect is not followed, so the key is not sent to its target': async (context) => {
    const connection = openConnection(context, 'redirect-9');
    await expectRejection(connection.assay({ maxRetries: 0 }).me(), ApiError);
    equal(await connection.redirected(), [], 'requests to the target of the redirect');
  },
};
