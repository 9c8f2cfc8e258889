import ipaddr from 'ipaddr.js';

const ipv6PrefixBits = 64;

/** Whom failed keys are counted for. A single line has 2^64 IPv6 addresses, so all of them count as one caller. */
export function callerNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address); // an IPv4 address that is written as IPv6 is an IPv4 address
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6PrefixBits}`).toString();
}
