import type { HostileRequest, Target } from './hostile-request.ts';
import { fill, headBytes, hostileTexts } from './hostile-texts.ts';

const boundary = 'boundary';
const disposition = (rest: string) => `Content-Disposition: form-data; name="file"; ${rest}`;

/** What is hostile → the head of the form part that contains the text. Each character is one byte. */
const heads: Record<string, (text: string) => string> = {
  'quoted filename': (text) => `${disposition(`filename="a${text}.mp4"`)}\r\nContent-Type: video/mp4`,
  'bare filename': (text) => disposition(`filename=a${text}.mp4`),
  'extended filename': (text) => disposition(`filename*=UTF-8''a${text}.mp4`),
  'name of the part': (text) => `Content-Disposition: form-data; name="${text}"; filename="a.mp4"`,
  'name of a parameter': (text) => disposition(`${text}="a"`),
  'content type of the part': (text) => `${disposition('filename="a.mp4"')}\r\nContent-Type: video/mp4${text}`,
  'name of a header': (text) => `${disposition('filename="a.mp4"')}\r\n${text}: a`,
};

/** Direct uploads of a small file in a hostile form. */
export function* hostileForms(target: Target): Generator<HostileRequest> {
  const ask = (what: string, body: () => Buffer, delimiter = boundary): HostileRequest => ({
    ...target,
    what: `form ${what}`,
    headers: { 'content-type': `multipart/form-data; boundary=${delimiter}` },
    body,
  });
  const partOf = (head: string) =>
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\nhello\r\n--${boundary}--\r\n`, 'latin1');
  for (const [what, headOf] of Object.entries(heads)) {
    for (const { name, inHeader, inUrl } of hostileTexts) {
      const unit = what === 'extended filename' ? inUrl : inHeader;
      if (unit !== undefined) yield ask(`${what}: ${name}`, () => partOf(headOf(fill(unit, headBytes))));
    }
  }
  const plain = disposition('filename="a.txt"');
  yield ask('many headers', () => partOf(`${plain}\r\n${fill('a: b\r\n', headBytes)}`));
  yield ask('many parts', () => Buffer.from(fill(`--${boundary}\r\n${plain}\r\n\r\n\r\n`, 10_000_000)));
  yield ask('a long preamble', () => Buffer.alloc(10_000_000, `\r\n--${boundary.slice(0, -1)}`));
  // The worst case for the search for the boundary: it almost matches everywhere.
  const repeated = 'a'.repeat(70);
  yield ask('a preamble like the boundary', () => Buffer.alloc(10_000_000, `\r\n--${'a'.repeat(69)}b`), repeated);
}
