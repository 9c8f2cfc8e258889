const keyCharactersMax = 64;

/**
 * The field as the caller wrote it: `assets[3].blobPath` in a body, otherwise the name of the parameter or header. The
 * first step of the path is the part of the request: `body`, `query`, `params` or `headers`.
 */
export function fieldName([part, ...path]: readonly PropertyKey[]): string {
  if (part === 'headers') return headerName(String(path[0]));
  if (part !== 'body') return String(path[0]); // without the index that follows if a query parameter is repeated
  if (path.length === 0) return 'The body';
  return path.map(formatStep).join('').replace(/^\./, '');
}

function formatStep(step: PropertyKey): string {
  if (typeof step === 'number') return `[${step}]`;
  const name = String(step);
  const short = name.length > keyCharactersMax ? `${name.slice(0, keyCharactersMax)}…` : name;
  return /^[\w-]+…?$/.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`;
}

/** `idempotency-key` → `Idempotency-Key` */
function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
