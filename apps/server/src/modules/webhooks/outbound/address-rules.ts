import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];
export type AddressRules = {
  /** Networks outside the public Internet that the operator permits for receivers. */
  allowedNetworks: readonly Network[];
  /** For development only. */
  isLoopbackAllowed: boolean;
};

/** Parses an IP address or a network in CIDR notation. */
export function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

// Cloud metadata services, which hand out credentials. Not all of them are in a range that is blocked anyway. They stay
// blocked whatever the operator allows.
const metadataServices = [
  '168.63.129.16', // Azure's wire server
  '192.0.0.192', // Oracle
  'fd00:c1::a9fe:a9fe',
  '100.100.100.200', // Alibaba
  'fd00:100::100:200',
  'fd00:ec2::/32', // Amazon: metadata, credentials of pods, and more
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
  'fd00:a9fe:a9fe::1', // Linode
].map(parseNetwork);

// In a network without IPv4, DNS64 gives a name that has only IPv4 addresses such addresses too. They end with the IPv4
// address, to which NAT64 forwards (RFC 6052).
const nat64 = parseNetwork('64:ff9b::/96');

// Ranges in which no receiver can be, or whose addresses embed another one: ::ffff:10.0.0.1 is 10.0.0.1.
const blockedRanges = [
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  'loopback',
  'ipv4Mapped',
  'rfc6145',
  'rfc6052',
  '6to4',
  'teredo',
];
// IPv4-compatible addresses also embed another address, but have no range name in ipaddr.js.
const ipv4Compatible = parseNetwork('::/96');

// The IPv6 range assigned for public unicast. Other IPv6 addresses are blocked unless the operator allows them.
const publicIpv6 = parseNetwork('2000::/3');

/** Whether webhooks may be sent to this address. */
export function isAddressAllowed(text: string, rules: AddressRules): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (!isIn(address, [nat64])) return isAllowed(address, rules);
  // 127.0.0.1 is here the machine that translates.
  return isAllowed(new ipaddr.IPv4(address.toByteArray().slice(-4)), { ...rules, isLoopbackAllowed: false });
}

function isAllowed(address: Address, { allowedNetworks, isLoopbackAllowed }: AddressRules): boolean {
  const range = address.range();
  if (range === 'loopback') return isLoopbackAllowed;
  if (blockedRanges.includes(range) || isIn(address, [ipv4Compatible, ...metadataServices])) return false;
  if (isIn(address, allowedNetworks)) return true;
  return range === 'unicast' && (address.kind() === 'ipv4' || isIn(address, [publicIpv6]));
}

function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
}
