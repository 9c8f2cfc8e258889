import { renderFact } from '../fact.ts';
import { factsOfMedia } from '../format/media.ts';
import { html, type Markup } from '../html.ts';
import type { ReportAsset } from '../report.ts';
import { toBase64 } from '../still.ts';

/** What the file is: its poster beside its technical facts and what identifies it. */
export function renderMediaFacts({ result, poster }: ReportAsset): Markup {
  const { versionNumber, assetId, contentSha256 } = result;
  const facts = factsOfMedia(result).map(([name, value]) => renderFact(name, value));
  return html`<div class="media">${poster && renderPoster({ result, poster })}<dl>${facts}${renderFact('Version', `${versionNumber}`)}${renderFact('Asset', html`<code>${assetId}</code>`)}${contentSha256 && renderFact('SHA-256', html`<code>${contentSha256}</code>`)}</dl></div>`;
}

export function renderPoster({ result, poster }: Pick<ReportAsset, 'result' | 'poster'>): Markup | undefined {
  if (!poster || poster.length === 0) return undefined;
  return html`<img class="poster" src="data:image/jpeg;base64,${toBase64(poster)}" alt="Still of ${result.filename}">`;
}
