import { figureStyles } from './styles-figures.ts';
import { printStyles } from './styles-print.ts';

const lightColours = `
  color-scheme: light;
  --page: #f5f6f7; --card: #fff; --sunk: #f5f6f7; --ink: #16191d; --soft: #565d66; --line: #dfe2e6; --edge: #868d96;
  --link: #1d4f8c; --focus: #1d4f8c;
  --critical: #b3201b; --critical-wash: #fdeeed;
  --major: #a84a00; --major-wash: #fdf1e6;
  --minor: #7a5f00; --minor-wash: #faf4dc;
  --info: #2b648f; --info-wash: #eaf3fa;
  --clear: #1c6b42; --clear-wash: #e9f5ee;
  --unknown: #565d66; --unknown-wash: #eceef0;
  --curve: #1d4f8c; --curve-thin: #6d8cb4; --curve-fill: #b9cbe1; --sign-ink: #fff;`;

const darkColours = `
  color-scheme: dark;
  --page: #121417; --card: #1b1e22; --sunk: #23272c; --ink: #eceef1; --soft: #a7aeb8; --line: #343a41; --edge: #7d8590;
  --link: #93bdf0; --focus: #93bdf0;
  --critical: #ff8f87; --critical-wash: #3a2020;
  --major: #ffab61; --major-wash: #38281a;
  --minor: #e6c650; --minor-wash: #332d17;
  --info: #83bdea; --info-wash: #1b2c3a;
  --clear: #74cf9d; --clear-wash: #1a3025;
  --unknown: #a7aeb8; --unknown-wash: #282d33;
  --curve: #93bdf0; --curve-thin: #6387b3; --curve-fill: #37506f; --sign-ink: #121417;`;

const pageStyles = `
*, *::before, *::after { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 40px 24px 56px; max-width: 1128px; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere;
  font-variant-numeric: tabular-nums; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
code, .number { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.icon { width: 12px; height: 12px; flex: none; fill: currentColor; }
.s-critical { --tone: var(--critical); --wash: var(--critical-wash); }
.s-major { --tone: var(--major); --wash: var(--major-wash); }
.s-minor { --tone: var(--minor); --wash: var(--minor-wash); }
.s-info { --tone: var(--info); --wash: var(--info-wash); }
.icon[class*="s-"] { color: var(--tone); }
h2 { font-size: 21px; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; }
h3 { margin: 32px 0 12px; font-size: 13px; line-height: 1.4; font-weight: 650; color: var(--soft); }
.amount { font-weight: 400; }`;

const mastheadStyles = `
.masthead { --tone: var(--unknown); --wash: var(--unknown-wash); display: grid; grid-template-columns: 1fr auto; gap: 20px 40px;
  align-items: center; padding: 32px 32px 24px; background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  position: relative; overflow: hidden; }
.masthead::before { content: ""; position: absolute; inset: 0 0 auto; height: 6px; background: var(--tone); }
.t-failed { --tone: var(--critical); --wash: var(--critical-wash); }
.t-unchecked { --tone: var(--unknown); --wash: var(--unknown-wash); }
.t-review { --tone: var(--major); --wash: var(--major-wash); }
.t-waived { --tone: var(--info); --wash: var(--info-wash); }
.t-passed { --tone: var(--clear); --wash: var(--clear-wash); }
.brand { grid-column: 1 / -1; font-size: 13px; color: var(--soft); }
.brand b { margin-right: 8px; color: var(--ink); letter-spacing: -.01em; }
.verdict { display: flex; gap: 20px; align-items: flex-start; }
.sign { flex: none; width: 56px; height: 56px; }
.sign circle { fill: var(--tone); }
.sign path { fill: none; stroke: var(--sign-ink); stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
h1 { font-size: 34px; line-height: 1.15; font-weight: 700; letter-spacing: -.022em; color: var(--tone); margin: 6px 0 8px; }
.masthead:not(.t-unknown) h1, .outcome b { text-transform: uppercase; letter-spacing: .02em; }
.verdict p { max-width: 60ch; }
.verdict p + p { color: var(--soft); }
.tiles { display: grid; grid-template-columns: repeat(4, 104px); gap: 8px; }
.tiles li { padding: 12px 12px 10px; border-radius: 10px; background: var(--wash); }
.tiles b { display: block; font-size: 28px; line-height: 1.1; font-weight: 650; color: var(--tone); letter-spacing: -.02em; }
.tiles span { display: flex; gap: 6px; align-items: center; margin-top: 4px; font-size: 13px; }
.tiles small { display: block; margin-top: 2px; font-size: 12px; color: var(--soft); }
.tiles .none { background: var(--sunk); }
.tiles .none b, .tiles .none span { color: var(--soft); font-weight: 400; }
.tiles .none .icon { color: var(--edge); }
.about { grid-column: 1 / -1; display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px 32px; padding-top: 20px;
  border-top: 1px solid var(--line); font-size: 13px; }
dt { color: var(--soft); font-size: 12px; }`;

const sectionStyles = `
main > section { margin-top: 40px; }
.verdicts { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px; font-size: 13px; }
.verdicts li, .word { padding: 2px 10px; font-weight: 650; color: var(--tone); background: var(--wash); border-radius: 12px; }
.word { display: inline-block; font-size: 12px; text-transform: uppercase; letter-spacing: .02em; }
.summary { width: 100%; table-layout: fixed; margin-top: 12px; border-collapse: separate; border-spacing: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.summary th, .summary td { padding: 11px 16px; text-align: left; font-weight: 400; vertical-align: top; border-top: 1px solid var(--line); }
.summary thead th { border: 0; font-size: 12px; color: var(--soft); padding-bottom: 8px; }
.summary tbody th a { display: inline-block; min-height: 24px; font-weight: 550; }
.summary thead th:first-child { width: 34%; }
.summary .n { width: 72px; text-align: right; white-space: nowrap; }
.summary td.n { font-weight: 650; color: var(--tone); }
.summary .n .icon { width: 10px; height: 10px; margin-right: 7px; }
.summary td.none { font-weight: 400; color: var(--soft); }
.summary .label { display: none; }
.summary .reasons td { padding-top: 0; border-top: 0; font-size: 13px; line-height: 1.45; }
.reasons li + li { margin-top: 2px; }
.others { margin-top: 16px; }
.summary small { display: block; font-size: 13px; color: var(--soft); }
.filters { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 28px; font-size: 13px; color: var(--soft); }
.filters button { display: inline-flex; gap: 7px; align-items: center; min-height: 32px; padding: 4px 13px; font: inherit; color: var(--ink);
  background: var(--card); border: 1px solid var(--edge); border-radius: 16px; cursor: pointer; }
.filters button[aria-pressed="false"] { background: none; border-style: dashed; color: var(--soft); text-decoration: line-through; }
.filters button[aria-pressed="false"] .icon { fill: none; stroke: currentColor; stroke-width: 1.5; }
.filters button:hover { border-color: var(--ink); }
[hidden] { display: none !important; }
[data-hide~="CRITICAL"] [data-severity="CRITICAL"], [data-hide~="MAJOR"] [data-severity="MAJOR"],
[data-hide~="MINOR"] [data-severity="MINOR"], [data-hide~="INFO"] [data-severity="INFO"],
[data-hide~="CRITICAL"] .band.s-critical, [data-hide~="MAJOR"] .band.s-major,
[data-hide~="MINOR"] .band.s-minor, [data-hide~="INFO"] .band.s-info { display: none; }
.asset { padding-top: 32px; border-top: 1px solid var(--line); }
.outcome { margin-top: 8px; }
.outcome b { padding: 2px 10px; font-size: 13px; font-weight: 650; color: var(--tone); background: var(--wash); border-radius: 12px; }
.kind { margin-top: 4px; font-size: 13px; color: var(--soft); }
.media { display: flex; gap: 24px; align-items: flex-start; margin-top: 16px; }
.media dl { flex: 1; display: grid; grid-template-columns: 84px 1fr; gap: 4px 16px; min-width: 0; font-size: 13px; }
.media dl div { display: contents; }
.media dt { line-height: 20px; }
.poster { flex: none; width: 240px; height: auto; max-height: 240px; object-fit: contain; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; }
.short { padding-top: 20px; }
main > .short { margin-top: 24px; }
.short h2 { font-size: 17px; }
.brief { display: flex; gap: 20px; align-items: flex-start; margin-top: 8px; }
.brief > div { flex: 1; min-width: 0; }
.brief > .poster { width: 128px; max-height: 128px; }
.brief .kind { margin-top: 2px; }
.lines { margin: 4px 0; font-size: 13.5px; }
.lines .icon { width: 10px; height: 10px; }
.not-examined { display: grid; gap: 6px; padding: 12px 20px; background: var(--major-wash); border-left: 4px solid var(--major); border-radius: 4px 10px 10px 4px; font-size: 14px; }
.panel { margin-top: 20px; padding: 16px 20px; background: var(--unknown-wash); border-left: 4px solid var(--unknown); border-radius: 4px 10px 10px 4px; }
.rejected { display: grid; gap: 12px; margin-top: 12px; }
.rejected .panel { margin-top: 0; scroll-margin-top: 16px; }
.waivers { display: grid; gap: 12px; margin-top: 12px; }
.waiver { padding: 14px 20px; background: var(--card); border: 1px solid var(--line); border-left: 5px dotted var(--info); border-radius: 6px 10px 10px 6px; font-size: 14px; }
.waiver p { max-width: 92ch; }
.waiver p:first-child { font-size: 13px; color: var(--soft); }
.waiver span { color: var(--soft); font-size: 13px; }
.waiver .reason { white-space: pre-line; }
.unprinted { display: none; }
.panel small { color: var(--soft); font-size: 13px; }
.empty { padding: 14px 20px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.checks { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1px; overflow: hidden; background: var(--card);
  border: 1px solid var(--line); border-radius: 10px; font-size: 13px; }
.checks li { position: relative; display: flex; flex-direction: column; padding: 12px 16px 11px 42px; background: var(--card); box-shadow: 0 0 0 1px var(--line); }
.checks .tick, .checks .sign-of-check { position: absolute; left: 16px; top: 14px; width: 16px; height: 16px; fill: none; stroke: var(--clear); stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
.checks .sign-of-check { stroke: var(--edge); }
.checks .incomplete { background: var(--major-wash); }
.checks .incomplete .sign-of-check, .checks .missing { stroke: var(--major); color: var(--major); }
.checks .missing { font-weight: 600; }
.checks .coverage { margin: 2px 0; font-size: 12px; color: var(--soft); }
.checks .incomplete .coverage, .checks .incomplete small { color: var(--ink); }
.checks .badge-count { position: absolute; left: 11px; top: 11px; min-width: 24px; padding: 0 6px; border-radius: 12px; text-align: center;
  font-weight: 650; line-height: 22px; color: var(--tone, var(--soft)); background: var(--wash, var(--unknown-wash)); }
.checks .not b { color: var(--soft); }
.checks small { font-size: 12px; color: var(--soft); }
.checks .not span { color: var(--soft); }
details.collapsed { margin-top: 12px; }
summary { min-height: 24px; cursor: pointer; color: var(--link); }
details.collapsed > summary { padding: 8px 0; }
footer { margin-top: 48px; padding-top: 20px; border-top: 1px solid var(--line); font-size: 12.5px; color: var(--soft); }
footer p { max-width: 84ch; }`;

const issueStyles = `
.issues { display: grid; gap: 12px; }
.collapsed > .issues { margin-top: 8px; }
.issue { background: var(--card); border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 6px 12px 12px 6px; scroll-margin-top: 16px; }
.issue article { padding: 16px 24px 18px; }
.issue:target { box-shadow: 0 0 0 2px var(--focus); }
.tags { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; font-size: 13px; color: var(--soft); }
.badge { display: inline-flex; gap: 6px; align-items: center; padding: 1px 10px 1px 8px; font-weight: 600; color: var(--tone); background: var(--wash); border-radius: 12px; }
.number { color: var(--ink); font-weight: 600; }
.status { margin-left: auto; padding: 0 10px; border: 1px solid var(--line); border-radius: 12px; }
.status.review { color: var(--ink); font-weight: 600; border: 1.5px solid var(--ink); }
h4, .why, .how, .verdict p { text-wrap: pretty; }
h4 { margin-top: 10px; max-width: 84ch; font-size: 16px; line-height: 1.45; font-weight: 600; }
.why { max-width: 84ch; margin-top: 2px; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 12px 30px; margin-top: 14px; font-size: 14px; line-height: 1.45; }
.facts .figure dd { white-space: nowrap; font-size: 15px; }
.facts .figure b { color: var(--tone); }
.facts .location { max-width: 48ch; }
.facts .standard { max-width: 32ch; }
.facts ul { display: grid; gap: 1px; }
.how { max-width: 92ch; margin-top: 14px; font-size: 12.5px; line-height: 1.5; color: var(--soft); }
.note { margin-top: 14px; padding: 10px 14px; max-width: 80ch; background: var(--sunk); border-radius: 8px; font-size: 14px; }
.note span { color: var(--soft); font-size: 13px; }
.note p { white-space: pre-line; }
.precedents { margin-top: 10px; font-size: 12.5px; color: var(--soft); }
.settled h4, .settled .facts { color: var(--soft); font-weight: 500; }
.settled { border-left-style: dotted; }
.stills { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 16px; }
.still { width: 208px; font-size: 12.5px; color: var(--soft); }
.still.pair { width: 100%; max-width: 760px; }
.still div { position: relative; overflow: hidden; border: 1px solid var(--line); border-radius: 6px; background: var(--sunk); }
.still img { display: block; width: 100%; height: auto; }
.outline { position: absolute; inset: 0; width: 100%; height: 100%; }
.outline rect { fill: none; }
.outline .under { stroke: #000; stroke-width: 4; }
.outline .over { stroke: #fff; stroke-width: 2; }
.still figcaption { margin-top: 4px; }`;

const narrowScreenStyles = `
@media (max-width: 900px) { .checks { grid-template-columns: 1fr 1fr; } .masthead { grid-template-columns: 1fr; } .tiles { grid-template-columns: repeat(4, 1fr); } }
@media (max-width: 640px) {
  body { padding: 12px 12px 40px; }
  .masthead { padding: 24px 16px 20px; gap: 18px; }
  .verdict { gap: 14px; }
  .sign { width: 40px; height: 40px; }
  h1 { font-size: 26px; margin-top: 4px; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .about { grid-template-columns: 1fr; gap: 10px; }
  .checks { grid-template-columns: 1fr; }
  .issue article { padding: 14px 14px 16px; }
  .status { margin-left: 0; }
  .still { width: 100%; }
  .facts { gap: 10px 28px; }
  .summary, .summary tbody, .summary tr, .summary th, .summary td { display: block; }
  .summary thead { display: none; }
  .summary tbody tr { padding: 12px 16px; border-top: 1px solid var(--line); }
  .summary tbody tr:first-child, .summary tbody tr.reasons { border-top: 0; }
  .summary tbody tr.reasons { padding-top: 0; }
  .summary tbody th, .summary td { padding: 1px 0; border: 0; }
  .summary td.n { display: inline-block; width: auto; margin-right: 14px; }
  .summary td.none { display: none; }
  .media { flex-direction: column; }
  .media dl { width: 100%; grid-template-columns: 72px 1fr; }
  .brief > .poster { width: 80px; }
  .summary .label { display: inline; font-weight: 400; color: var(--ink); }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media (forced-colors: active) { .icon, .bar, .sign circle { forced-color-adjust: none; } }`;

/** Light by default and in print, dark if the system is. All colour pairs meet the contrast requirements of WCAG AA. */
export const styles = [
  `:root {${lightColours}\n}`,
  `@media screen and (prefers-color-scheme: dark) { :root {${darkColours}\n} }`,
  pageStyles,
  mastheadStyles,
  sectionStyles,
  issueStyles,
  figureStyles,
  narrowScreenStyles,
  printStyles,
].join('\n');
