/** To a tenth, with a true minus; no minus before nothing. */
export function db(value: number): string {
  return value
    .toFixed(1)
    .replace(/^-0\.0$/, '0.0')
    .replace('-', '−');
}

const surround = ['left', 'right', 'centre', 'low frequencies', 'left surround', 'right surround'];

/** `left`, or `channel 3` where nobody said what it is for. */
export function channelName(channel: number, channels: number, layout: string | null): string {
  if (channels === 1) return 'the only channel';
  if (channels === 2) return channel === 0 ? 'left' : 'right';
  const name = layout?.startsWith('5.1') ? surround[channel] : undefined;
  return name ?? `channel ${channel + 1}`;
}
