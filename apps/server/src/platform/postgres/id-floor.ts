/** The smallest UUIDv7 of a moment, which turns a time range into an id range. */
export function idFloor(moment: Date): string {
  const millis = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${millis.slice(0, 8)}-${millis.slice(8, 12)}-0000-0000-000000000000`;
}

/** The time that a UUIDv7 contains. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
}
