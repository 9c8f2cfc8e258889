/** URLs that expire sooner than this are renewed before use. New URLs are valid for an hour. */
const renewBeforeMs = 60_000;

export type Renewable<Grant> = {
  get(): Promise<Grant>;
  /** A newer grant than this one, which storage has refused. */
  after(refused: Grant): Promise<Grant>;
};

/** Upload URLs that are renewed before they expire, however long the upload takes. */
export function createRenewable<Grant extends { expiresAt: string }>(
  first: Grant,
  renew: () => Promise<Grant>,
): Renewable<Grant> {
  let current = (async (): Promise<Grant> => first)();
  const isExpiring = ({ expiresAt }: Grant) => Date.parse(expiresAt) - Date.now() < renewBeforeMs;
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
