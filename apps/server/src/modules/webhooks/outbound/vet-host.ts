import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRules, isAddressAllowed } from './address-rules.ts';

/** Webhooks may not be sent to the host or to one of its addresses. */
export class BlockedHost extends Error {
  override readonly name = 'BlockedHost';
}

/** The host name has no address, or no name server answered in time. */
export class UnknownHost extends Error {
  override readonly name = 'UnknownHost';
}

export type Resolve = (hostname: string) => Promise<string[]>;

/**
 * Returns every address of the host, if webhooks may be sent to all of them. One blocked address suffices to refuse the
 * host, because its name server decides which address is used.
 */
export async function vetHost(hostname: string, rules: AddressRules, resolve: Resolve): Promise<string[]> {
  const addresses = await addressesOf(hostname.replace(/^\[|\]$/g, ''), rules, resolve);
  const blocked = addresses.filter((address) => !isAddressAllowed(address, rules));
  if (blocked.length > 0) throw new BlockedHost(`${hostname} is at ${blocked.join(', ')}`);
  return addresses;
}

async function addressesOf(host: string, { isLoopbackAllowed }: AddressRules, resolve: Resolve): Promise<string[]> {
  if (isIP(host)) return [host];
  // RFC 6761: localhost names are never sent to a resolver.
  if (/(^|\.)localhost\.?$/i.test(host)) {
    if (!isLoopbackAllowed) throw new BlockedHost(`${host} is this machine`);
    return ['127.0.0.1', '::1'];
  }
  return resolve(host);
}

/**
 * Queries the machine's name servers. Does not use getaddrinfo, which has four threads for the whole process: four
 * names whose servers never answer would delay every other lookup.
 */
export function createResolve(): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const [ipv4 = [], ipv6 = []] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const addresses = alternate(ipv4, ipv6);
    if (addresses.length > 0) return addresses;
    const [first] = answers;
    const cause = first?.status === 'rejected' ? first.reason : undefined;
    throw new UnknownHost(`${hostname} has no address (${cause?.code ?? 'no answer'})`, { cause });
  };
}

/** Only the first addresses are tried, and this machine may have only one of the two networks. */
export function alternate(ipv4: string[], ipv6: string[]): string[] {
  const longest = Math.max(ipv4.length, ipv6.length);
  return Array.from({ length: longest }, (_, i) => [ipv4[i], ipv6[i]])
    .flat()
    .filter((address) => address !== undefined);
}
