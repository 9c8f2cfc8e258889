const namesShownMax = 3;
const nameCharactersMax = 80;

/** The first few names, in quotes and without anything that could upset who shows them. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).map(quoteName).join(', ');
  return names.length > namesShownMax ? `${shown} and ${names.length - namesShownMax} more` : shown;
}

function quoteName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}]/gu, '\u00b7');
  return `‘${plain.length > nameCharactersMax ? `${plain.slice(0, nameCharactersMax)}…` : plain}’`;
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
