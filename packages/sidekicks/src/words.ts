// How findings put things, so that all sidekicks put them alike.

/** `1 tag`, `3 tags` */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;
}

/** 75.32 s → `1:15.3`, from an hour on `1:02:15.3` */
export function clock(seconds: number): string {
  const tenths = Math.max(0, Math.round(seconds * 10));
  const minutes = Math.floor(tenths / 600);
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Without anything that could upset who shows it: control and format characters, half characters, endless length. */
export function plain(text: string, charactersMax = 80): string {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, '·');
  const shown = [...clean.slice(0, 2 * charactersMax)];
  return shown.length > charactersMax ? `${shown.slice(0, charactersMax).join('')}…` : shown.join('');
}
