import type { S3 } from '@aws-sdk/client-s3';

type Provider = S3['config']['credentials'];
type Credentials = Awaited<ReturnType<Provider>> & { $source?: Record<string, string> };

export type S3Credentials = {
  /** Where they come from, for the log. */
  describe(): Promise<string>;
  /** A URL that temporary credentials sign stops working when they expire. */
  latestExpiry(wanted: Date): Promise<Date>;
};

/** New credentials are requested at most this often. Many sources return the same ones until they nearly expire. */
const renewMillis = 5 * 60_000;

/** Parts of the names that the SDK has for its sources → our names. The first that matches counts. */
const sources: [string, string][] = [
  ['WEB_ID', 'web identity token'],
  ['HTTP', 'container credentials endpoint'],
  ['PROFILE', 'shared configuration file'],
  ['SSO', 'single sign-on'],
  ['PROCESS', 'credential process'],
  ['ENV_VARS', 'AWS_ACCESS_KEY_ID'],
];

/** `provider` finds the credentials and keeps them until 5 minutes before they expire. */
export function openS3Credentials(provider: Provider, isStatic: boolean, now = Date.now): S3Credentials {
  let renewedAt: number | undefined;
  const renew = async (current: Credentials): Promise<Credentials> => {
    const isDue = renewedAt !== undefined && now() - renewedAt >= renewMillis;
    if (renewedAt === undefined || isDue) renewedAt = now();
    // If the source fails, the current credentials are still valid.
    return isDue ? provider({ forceRefresh: true }).catch(() => current) : current;
  };
  return {
    async describe() {
      if (isStatic) return 'S3_ACCESS_KEY_ID';
      const { $source = {} }: Credentials = await provider();
      const names = Object.keys($source).join();
      return sources.find(([part]) => names.includes(part))?.[1] ?? 'instance role';
    },
    async latestExpiry(wanted) {
      const isShort = ({ expiration }: Credentials) => expiration !== undefined && expiration < wanted;
      let current: Credentials = await provider();
      if (isShort(current)) current = await renew(current);
      return isShort(current) ? (current.expiration as Date) : wanted;
    },
  };
}
