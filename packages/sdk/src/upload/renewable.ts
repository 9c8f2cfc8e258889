/** URLs that expire sooner than this are renewed before use. New URLs are valid for an hour. */
const renewalMarginMs = 60_000;

export type RenewableUrls<Grant> = {
  get(): Promise<Grant>;
  /** Returns newer URLs than these, which storage has refused. */
  after(refused: Grant): Promise<Grant>;
};

/** Upload URLs that are renewed before they expire, however long the upload takes. */
export function createRenewableUrls<Grant extends { expiresAt: string }>(
  first: Grant,
  renew: () => Promise<Grant>,
): RenewableUrls<Grant> {
  let current = (async (): Promise<Grant> => first)();
  const isExpiring = ({ expiresAt }: Grant) => Date.parse(expiresAt) - Date.now() < renewalMarginMs;
  // If new URLs already look expired, the local clock is wrong and expiry times are ignored.
  let isClockRight = true;
  /** If several requests failed with the same URLs, the first one renews them for all. */
  const after = async (refused: Grant) => {
    const seen = current;
    if ((await seen) === refused && current === seen) current = renew();
    return current;
  };
  return {
    async get() {
      const seen = await current;
      if (!isClockRight || !isExpiring(seen)) return seen;
      const renewed = await after(seen);
      isClockRight = !isExpiring(renewed);
      return renewed;
    },
    after,
  };
}
