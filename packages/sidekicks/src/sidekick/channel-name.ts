const surroundNames = ['left', 'right', 'centre', 'LFE', 'left surround', 'right surround'];

/** `left`, or `channel 3` if the layout is unknown. */
export function channelName(channel: number, channels: number, layout: string | null): string {
  if (channels === 1) return 'the only channel';
  if (channels === 2) return channel === 0 ? 'left' : 'right';
  const name = layout?.startsWith('5.1') ? surroundNames[channel] : undefined;
  return name ?? `channel ${channel + 1}`;
}

/** For use in a sentence: `the left channel`, `channel 3`. */
export function describeChannel(channel: number, channels: number, layout: string | null): string {
  const name = channelName(channel, channels, layout);
  return name.includes('channel') ? name : `the ${name} channel`;
}
