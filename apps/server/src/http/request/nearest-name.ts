/** The rest of a longer name is ignored; every known name is much shorter. */
const nameCharactersMax = 100;

const normaliseName = (name: string) =>
  name
    .slice(0, nameCharactersMax)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

/** The known name that was probably meant: it differs only in case and separators, or by up to three letters. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = normaliseName(name);
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(given, normaliseName(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.min(3, normaliseName(candidate).length / 3))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** The Levenshtein distance: letters to add, remove or replace. Infinite if the lengths alone differ too much. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
