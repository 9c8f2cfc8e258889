/** A lower bound for the UUIDv7s created at or after this time, which turns a time range into an id range. */
export function idFloor(time: Date): string {
  const millis = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${millis.slice(0, 8)}-${millis.slice(8, 12)}-0000-0000-000000000000`;
}

/** Returns the time that a UUIDv7 contains. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
}
