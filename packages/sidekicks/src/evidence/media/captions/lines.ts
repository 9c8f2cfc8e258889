/** Reads text line by line: an array would have millions of entries for a file of only line breaks. */
export function openLines(text: string) {
  const lineEnd = /\r\n|\r|\n/g;
  let number = 0;
  let from = 0;
  let line: string | null = null;
  advance();

  function advance(): void {
    number++;
    if (from > text.length) {
      line = null;
      return;
    }
    lineEnd.lastIndex = from;
    const end = lineEnd.exec(text);
    line = text.slice(from, end?.index);
    from = end ? lineEnd.lastIndex : text.length + 1;
  }

  return {
    peek: () => line,
    take: advance,
    /** The number of the next line, from 1. */
    number: () => number,
  };
}
