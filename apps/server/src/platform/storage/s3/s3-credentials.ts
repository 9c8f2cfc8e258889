import type { S3 } from '@aws-sdk/client-s3';

type Provider = S3['config']['credentials'];
type Credentials = Awaited<ReturnType<Provider>> & { $source?: Record<string, string> };

export type S3Credentials = {
  /** The source of the credentials, for the log. */
  describe(): Promise<string>;
  /** The latest time, at most the wanted one, at which the credentials that sign a URL are still valid. */
  latestExpiry(wanted: Date): Promise<Date>;
};

/** New credentials are requested at most this often. Many sources return the same ones until shortly before expiry. */
const renewMillis = 5 * 60_000;

/** Maps a part of the SDK's name for a credential source to our name. The first match applies. */
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
    // If the source fails, the current credentials are used until they expire.
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
