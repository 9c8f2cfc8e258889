import { expect, test } from 'vitest';
import { callerNetwork } from './caller-network.ts';

test('all addresses of one IPv6 /64 network count as one caller, and addresses of other networks do not', () => {
  const [first, ...others] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:0001:0002::'].map(callerNetwork);
  expect(others).toEqual([first, first]);
  expect(callerNetwork('2001:db8:1:3::1')).not.toBe(first);
});

test('each IPv4 address counts as a separate caller, even when it is written as IPv6', () => {
  expect(callerNetwork('192.0.2.7')).toBe('192.0.2.7');
  expect(callerNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(callerNetwork('192.0.2.8')).not.toBe(callerNetwork('192.0.2.7'));
});
