import type { Records } from './resolver.ts';

/** The public addresses of the receiver. */
export const publicIpv4 = '93.184.216.34';
export const publicIpv6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
/** Where a network without IPv4 reaches the receiver's IPv4 address. */
export const publicNat64 = '64:ff9b::5db8:d822';
/** All names in this zone belong to the tests. */
export const testZone = 'hooks.example';

export type Bypass = {
  what: string;
  /** Returns the URL for a unique host name, which resolves to the receiver unless `lookups` is set. */
  url(host: string): string;
  /** The resolver’s answers for the host name, one per lookup. */
  lookups?: Records[];
  /** The error code of a delivery attempt; null if it correctly succeeds. */
  end: 'blocked_address' | 'redirect' | 'dns' | null;
  /** Whether the URL is accepted when the subscription is created. */
  isAccepted: boolean;
  /** Why even a client without checks does not reach a canary. */
  unreachable?: string;
};

type BypassOptions = Partial<Omit<Bypass, 'what' | 'url'>>;

function bypass(what: string, url: string | Bypass['url'], rest: BypassOptions = {}): Bypass {
  const urlOf = typeof url === 'string' ? () => url : url;
  return { what, url: urlOf, end: 'blocked_address', isAccepted: false, ...rest };
}

const bypassAt = (what: string, host: string, rest?: BypassOptions) => bypass(what, `https://${host}/hook`, rest);

const resolvesTo = (...addresses: string[]): Records => ({ addresses });
const resolvesToReceiver = resolvesTo(publicIpv4);
const bypassByName = (what: string, lookups: Records[], rest: BypassOptions = {}) =>
  bypass(what, (host) => `https://${host}/hook`, { lookups, ...rest });

const bypassByRedirect = (status: number, to: string) =>
  bypass(`redirect ${status} to ${to}`, (host) => `https://${host}/redirect/${status}/${encodeURIComponent(to)}`, {
    end: 'redirect',
    isAccepted: true,
  });

const noScopeReason = 'a link-local address needs a zone, which no URL can have';
const noTcpReason = 'TCP cannot go to several machines';

const spellings = [
  bypassAt('decimal', '2130706433'),
  bypassAt('decimal, metadata', '2852039166'),
  bypassAt('octal', '0177.0.0.1'),
  bypassAt('octal, one number', '025177524776'),
  bypassAt('octal with more zeros', '00000177.0.0.01'),
  bypassAt('hex', '0x7f000001'),
  bypassAt('hex in parts', '0xa9.0xfe.0xA9.0xFE'),
  bypassAt('hex, private', '0x0A000001'),
  bypassAt('short: two parts', '127.1'),
  bypassAt('short: three parts', '192.168.257'),
  bypassAt('short: nothing', '0'),
  bypassAt('short, metadata', '169.254.43518'),
  bypassAt('octal, hex and decimal mixed', '0251.0xfe.43518'),
  bypassAt('a dot at the end', '127.0.0.1.'),
  bypassAt('decimal with a dot at the end', '167772161.'),
  bypassAt('full-width digits', '１２７.０.０.１'),
  bypassAt('full-width digits and dots', '１０．０．０．１'),
  bypassAt('circled digits', '①⑥⑨.②⑤④.①⑥⑨.②⑤④'),
  bypassAt('mathematical digits', '𝟏𝟐𝟕.𝟎.𝟎.𝟏'),
  bypassAt('superscript digits', '¹⁰.⁰.⁰.¹'),
  bypassAt('ideographic full stops', '127。0。0。1'),
  bypassAt('percent-encoded digits', '%31%32%37.0.0.1'),
  bypassAt('percent-encoded dots', '10%2e0%2e0%2e1'),
  bypassAt('a soft hyphen inside', '127.0.0.\u00ad1'),
  bypassAt('a tab inside', '127.0.\t0.1'),
  bypassAt('a line break inside', '169.254.\n169.254'),
  bypass('no slashes', 'https:10.0.0.1/hook'),
  bypass('too many slashes', 'https://///10.0.0.1/hook'),
  bypass('backslashes for slashes', 'https:\\\\10.0.0.1\\hook'),
  bypass('capitals and blanks', ' HTTPS://10.0.0.1/hook '),
  bypassAt('another port', '10.0.0.1:8443'),
  bypassAt('another port of this machine', '127.0.0.1:8443'),
];

const ipv4 = [
  bypassAt('loopback', '127.0.0.1'),
  bypassAt('the end of loopback', '127.255.255.254'),
  bypassAt('private 10', '10.0.0.1'),
  bypassAt('private 172.16', '172.16.0.1'),
  bypassAt('the end of private 172.16', '172.31.255.255'),
  bypassAt('private 192.168', '192.168.0.1'),
  bypassAt('carrier-grade NAT', '100.64.0.1'),
  bypassAt('unspecified', '0.0.0.0'),
  bypassAt('this network', '0.1.2.3'),
  bypassAt('link-local', '169.254.1.1'),
  bypassAt('protocol assignments', '192.0.0.8'),
  bypassAt('documentation', '192.0.2.1'),
  bypassAt('documentation 2', '198.51.100.1'),
  bypassAt('documentation 3', '203.0.113.1'),
  bypassAt('6to4 relays', '192.88.99.1'),
  bypassAt('benchmarking, here the resolver', '198.18.0.1'),
  bypassAt('an address of the service’s machine', '198.18.0.2'),
  bypassAt('reserved', '240.0.0.1'),
  bypassAt('multicast', '224.0.0.1', { unreachable: noTcpReason }),
  bypassAt('broadcast', '255.255.255.255', { unreachable: noTcpReason }),
];

const ipv6 = [
  bypassAt('IPv6 loopback', '[::1]'),
  bypassAt('IPv6 loopback in full', '[0000:0000:0000:0000:0000:0000:0000:0001]'),
  bypassAt('IPv6 unspecified', '[::]'),
  bypassAt('IPv4-mapped loopback', '[::ffff:127.0.0.1]'),
  bypassAt('IPv4-mapped private, in full', '[0:0:0:0:0:ffff:0a00:0001]'),
  bypassAt('IPv4-mapped metadata, in hex', '[::ffff:a9fe:a9fe]'),
  bypassAt('IPv4-mapped public', `[::ffff:${publicIpv4}]`, {
    unreachable: 'it is the receiver, in a form that is not allowed',
  }),
  bypassAt('IPv4-compatible loopback', '[::127.0.0.1]'),
  bypassAt('IPv4-compatible private', '[::10.0.0.1]'),
  bypassAt('IPv4-translated', '[::ffff:0:10.0.0.1]'),
  bypassAt('NAT64 private', '[64:ff9b::10.0.0.1]'),
  bypassAt('NAT64 metadata', '[64:ff9b::a9fe:a9fe]'),
  bypassAt('NAT64 loopback', '[64:ff9b::127.0.0.1]'),
  bypassAt('NAT64 of a local prefix', '[64:ff9b:1::a9fe:a9fe]'),
  bypassAt('6to4 loopback', '[2002:7f00:1::1]'),
  bypassAt('6to4 metadata', '[2002:a9fe:a9fe::1]'),
  bypassAt('Teredo, whose client is 10.0.0.1', '[2001:0:4136:e378:8000:63bf:f5ff:fffe]'),
  bypassAt('unique local', '[fd12:3456:789a::1]'),
  bypassAt('the other half of unique local', '[fc00::1]'),
  bypassAt('site-local', '[fec0::1]'),
  bypassAt('IPv6 documentation', '[2001:db8::1]'),
  bypassAt('the new IPv6 documentation', '[3fff::1]'),
  bypassAt('IPv6 benchmarking, here the other end of the veth pair', '[2001:2::1]'),
  bypassAt('discard only', '[100::1]'),
  bypassAt('segment routing', '[5f00::1]'),
  bypassAt('unassigned', '[4000::1]'),
  bypassAt('IPv6 link-local', '[fe80::1]', { unreachable: noScopeReason }),
  bypassAt('IPv6 multicast', '[ff02::1]', { unreachable: noTcpReason }),
];

const metadata = [
  bypassAt('metadata of Amazon, Google and Azure', '169.254.169.254'),
  bypassAt('credentials of Amazon’s containers', '169.254.170.2'),
  bypassAt('Azure’s wire server, at a public address', '168.63.129.16'),
  bypassAt('metadata of Alibaba', '100.100.100.200'),
  bypassAt('metadata of Oracle', '192.0.0.192'),
  bypassAt('Amazon’s metadata by IPv6', '[fd00:ec2::254]'),
  bypassAt('Amazon’s credentials by IPv6', '[fd00:ec2::23]'),
  bypassAt('Google’s metadata by IPv6', '[fd20:ce::254]'),
  bypassAt('Oracle’s metadata by IPv6', '[fd00:c1::a9fe:a9fe]'),
  bypass('a name for Google’s metadata', 'https://metadata.google.internal/hook', {
    lookups: [resolvesTo('169.254.169.254')],
  }),
];

const localhostLookups: BypassOptions = { lookups: [resolvesTo('127.0.0.1', '::1')] };
const urls = [
  bypassAt('localhost', 'localhost', localhostLookups),
  bypassAt('localhost with a dot', 'localhost.', localhostLookups),
  bypassAt('LocalHost', 'LocalHost', localhostLookups),
  bypassAt('below localhost', 'api.localhost', localhostLookups),
  bypassAt('full-width localhost', 'ｌｏｃａｌｈｏｓｔ', localhostLookups),
  bypassAt('localhost of a domain', 'localhost.localdomain', localhostLookups),
  bypass('user info that looks like a host', (host) => `https://${host}@10.0.0.1/hook`),
  bypass('user info with a password', 'https://user:word@169.254.169.254/hook'),
  bypass('user info with a port', (host) => `https://${host}:443@127.0.0.1/hook`),
  bypass('user info before an allowed host', (host) => `https://10.0.0.1@${host}/hook`, {
    unreachable: 'the host is the receiver’s, but URLs must not contain secrets',
  }),
  bypass('a fragment that looks like a host', (host) => `https://10.0.0.1#@${host}/hook`),
  bypass('a query that looks like a host', (host) => `https://10.0.0.1?@${host}/hook`),
  bypass('a backslash before what looks like a host', (host) => `https://10.0.0.1\\@${host}/hook`),
  bypass('a backslash before what looks like an address', (host) => `https://${host}\\@10.0.0.1/hook`, {
    end: null,
    isAccepted: true,
    unreachable: 'the host is the receiver’s, the rest a path',
  }),
  bypass('http to an allowed host', (host) => `http://${host}/hook`),
  bypass('http to loopback', 'http://127.0.0.1/hook'),
  bypass('another scheme', 'gopher://127.0.0.1:8443/hook'),
  bypass('no scheme', '//10.0.0.1/hook', { unreachable: 'no URL' }),
  bypass('a file', 'file:///etc/hostname', { unreachable: 'no host' }),
  bypassAt('an unknown name', 'nobody.invalid', { end: 'dns', unreachable: 'no address' }),
];

const names = [
  bypassByName('a name for a private address', [resolvesTo('10.0.0.1')]),
  bypassByName('a name for loopback', [resolvesTo('127.0.0.1')]),
  bypassByName('a name for no address', [resolvesTo('0.0.0.0')]),
  bypassByName('a name for metadata', [resolvesTo('169.254.169.254')]),
  bypassByName('a name for the wire server', [resolvesTo('168.63.129.16')]),
  bypassByName('a name for IPv6 loopback', [resolvesTo('::1')]),
  bypassByName('a name for an IPv4-mapped address', [resolvesTo('::ffff:10.0.0.1')]),
  bypassByName('a name for a NAT64 address', [resolvesTo('64:ff9b::a9fe:a9fe')]),
  bypassByName('a good and a bad record', [resolvesTo(publicIpv4, '10.0.0.1')]),
  bypassByName('a bad and a good record', [resolvesTo('10.0.0.1', publicIpv4)]),
  bypassByName('a bad one among many', [
    resolvesTo(publicIpv4, publicIpv6, '93.184.216.35', 'fd12::1', '93.184.216.36'),
  ]),
  bypassByName('good by IPv4, bad by IPv6', [resolvesTo(publicIpv4, '::1')]),
  bypassByName('good by IPv6, bad by IPv4', [resolvesTo(publicIpv6, '127.0.0.1')]),
  bypassByName('an alias of localhost', [{ ...resolvesTo('127.0.0.1'), alias: 'localhost' }]),
  bypassByName('an alias of an inner name', [{ ...resolvesTo('10.0.0.1'), alias: `inner.${testZone}` }]),
  bypass('a name that looks like an address', (host) => `https://${publicIpv4}.${host}/hook`, {
    lookups: [resolvesTo('10.0.0.1')],
  }),
  bypass('a bad name with a dot at the end', (host) => `https://${host}./hook`, { lookups: [resolvesTo('10.0.0.1')] }),
  bypass('a bad name in full-width capitals', (host) => `https://Ｘ.${host}/hook`, {
    lookups: [resolvesTo('10.0.0.1')],
  }),
  bypassByName('good at the check, bad at the next lookup', [resolvesToReceiver, resolvesTo('127.0.0.1')], {
    end: null,
    isAccepted: true,
  }),
  bypassByName('the same with metadata', [resolvesToReceiver, resolvesTo('169.254.169.254')], {
    end: null,
    isAccepted: true,
  }),
  bypassByName('the same by IPv6', [resolvesTo(publicIpv6), resolvesTo('::1')], { end: null, isAccepted: true }),
  bypassByName(
    'good at the check, mixed at the next lookup',
    [resolvesToReceiver, resolvesTo(publicIpv4, '10.0.0.1')],
    {
      end: null,
      isAccepted: true,
    },
  ),
];

const redirects = [
  bypassByRedirect(301, 'https://10.0.0.1/'),
  bypassByRedirect(302, 'https://127.0.0.1/'),
  bypassByRedirect(303, 'http://169.254.169.254/latest/meta-data/'),
  bypassByRedirect(307, 'https://[::1]/'),
  bypassByRedirect(308, 'https://168.63.129.16/'),
  bypassByRedirect(307, '//10.0.0.1/'),
];

export const bypasses: Bypass[] = [...spellings, ...ipv4, ...ipv6, ...metadata, ...urls, ...names, ...redirects];
