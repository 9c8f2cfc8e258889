import type { Check } from '@assay/sdk';
import { formatNotExaminedPart } from '../format/coverage.ts';
import { formatList } from '../format/format.ts';
import { html, type Markup } from '../html.ts';
import { isIncomplete } from '../verdict/judgement.ts';

/** What no check, or not every check, examined: a part without issues there is not a pass. */
export function renderNotExamined(checks: readonly Check[], allowIncomplete: readonly string[]): Markup | undefined {
  const incomplete = checks.filter(isIncomplete);
  if (incomplete.length === 0) return undefined;
  const parts = incomplete.flatMap((check) =>
    (check.coverage?.notExamined ?? []).map((part) => ({ check, text: formatNotExaminedPart(part) })),
  );
  const unknown = incomplete.filter(({ coverage }) => (coverage?.notExamined.length ?? 0) === 0);
  // Several checks leave out the same part, such as a second audio track.
  const byText = Map.groupBy(parts, ({ text }) => text);
  return html`<h3>What was not examined</h3><ul class="not-examined">${[...byText].map(([text, group]) =>
    renderPart(
      text,
      namesOf(
        group.map(({ check }) => check),
        allowIncomplete,
      ),
    ),
  )}${unknown.length > 0 && renderPart('a part that is not recorded', namesOf(unknown, allowIncomplete))}</ul>`;
}

function renderPart(text: string, names: string): Markup {
  return html`<li><b>${text[0]?.toUpperCase()}${text.slice(1)}.</b> Not examined by ${names}.</li>`;
}

function namesOf(checks: readonly Check[], allowIncomplete: readonly string[]): string {
  const names = checks.map(({ sidekickName, shortName }) =>
    allowIncomplete.includes(shortName) ? `${sidekickName} (which the delivery profile allows)` : sidekickName,
  );
  return formatList([...new Set(names)]);
}
