import ipaddr from 'ipaddr.js';

const ipv6PrefixBits = 64;

/** The network for which failed keys are counted. One customer has 2^64 IPv6 addresses, so these count as one caller. */
export function callerNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address); // turns an IPv4-mapped IPv6 address into IPv4
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6PrefixBits}`).toString();
}
