import type { HostileRequest, Target } from './hostile-request.ts';
import { headBytes, hostileTexts, repeatToLength } from './hostile-texts.ts';

const boundary = 'boundary';
const contentDisposition = (rest: string) => `Content-Disposition: form-data; name="file"; ${rest}`;

/**
 * Maps the hostile part of a form to a function that builds the head of a form part with hostile text in that place.
 * Each character of the text is one byte.
 */
const hostileHeads: Record<string, (text: string) => string> = {
  'quoted filename': (text) => `${contentDisposition(`filename="a${text}.mp4"`)}\r\nContent-Type: video/mp4`,
  'bare filename': (text) => contentDisposition(`filename=a${text}.mp4`),
  'extended filename': (text) => contentDisposition(`filename*=UTF-8''a${text}.mp4`),
  'name of the part': (text) => `Content-Disposition: form-data; name="${text}"; filename="a.mp4"`,
  'name of a parameter': (text) => contentDisposition(`${text}="a"`),
  'content type of the part': (text) => `${contentDisposition('filename="a.mp4"')}\r\nContent-Type: video/mp4${text}`,
  'name of a header': (text) => `${contentDisposition('filename="a.mp4"')}\r\n${text}: a`,
};

/** Yields direct uploads of a small file in hostile forms. */
export function* hostileForms(target: Target): Generator<HostileRequest> {
  const ask = (what: string, body: () => Buffer, delimiter = boundary): HostileRequest => ({
    ...target,
    what: `form ${what}`,
    headers: { 'content-type': `multipart/form-data; boundary=${delimiter}` },
    body,
  });
  const partOf = (head: string) =>
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\nhello\r\n--${boundary}--\r\n`, 'latin1');
  for (const [what, headOf] of Object.entries(hostileHeads)) {
    for (const { name, inHeader, inUrl } of hostileTexts) {
      const unit = what === 'extended filename' ? inUrl : inHeader;
      if (unit !== undefined) yield ask(`${what}: ${name}`, () => partOf(headOf(repeatToLength(unit, headBytes))));
    }
  }
  const plain = contentDisposition('filename="a.txt"');
  yield ask('many headers', () => partOf(`${plain}\r\n${repeatToLength('a: b\r\n', headBytes)}`));
  yield ask('many parts', () => Buffer.from(repeatToLength(`--${boundary}\r\n${plain}\r\n\r\n\r\n`, 10_000_000)));
  yield ask('a long preamble', () => Buffer.alloc(10_000_000, `\r\n--${boundary.slice(0, -1)}`));
  // The worst case for a boundary search: the boundary almost matches everywhere.
  const repeated = 'a'.repeat(70);
  yield ask('a preamble like the boundary', () => Buffer.alloc(10_000_000, `\r\n--${'a'.repeat(69)}b`), repeated);
}
