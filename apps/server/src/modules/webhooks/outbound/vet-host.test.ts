import { expect, test } from 'vitest';
import { alternate, BlockedHost, vetHost } from './vet-host.ts';

const rules = { allowedNetworks: [], isLoopbackAllowed: false };
const vet = (...addresses: string[]) => vetHost('receiver.example', rules, async () => addresses);

test('a receiver without IPv6 is accepted in a network with DNS64', async () => {
  const addresses = ['93.184.216.34', '64:ff9b::5db8:d822'];
  expect(await vet(...addresses)).toEqual(addresses);
});

test('a receiver with a private IPv4 address is refused in a network with DNS64', async () => {
  await expect(vet('10.0.0.1', '64:ff9b::a00:1')).rejects.toThrow(BlockedHost);
  await expect(vet('93.184.216.34', '64:ff9b::a00:1')).rejects.toThrow(BlockedHost);
});

test('the IPv6 address of a receiver with many IPv4 addresses is tried second', () => {
  expect(alternate(['1.0.0.1', '1.0.0.2', '1.0.0.3'], ['2600::1'])).toEqual([
    '1.0.0.1',
    '2600::1',
    '1.0.0.2',
    '1.0.0.3',
  ]);
});
