/** For A4 pages: everything is expanded, controls are hidden, and no card is split across pages. */
export const printStyles = `
@page {
  size: A4; margin: 14mm 13mm 16mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 7.5pt system-ui, sans-serif; color: #565d68; }
}
@media print {
  :root { --page: #fff; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 9.5pt; line-height: 1.45; }
  .filters, details > summary { display: none; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  .masthead { padding: 18px 22px 14px; gap: 12px; }
  .tiles li { padding: 8px 12px; }
  .summary { font-size: 8.5pt; line-height: 1.35; }
  .summary th, .summary td { padding: 3px 12px; }
  .summary tbody th a { min-height: 0; }
  .summary td > b + small { display: inline; margin-left: 6px; }
  .summary small, .summary .reasons td { font-size: 7.5pt; line-height: 1.35; }
  .summary .n { width: 56px; padding: 3px 8px; }
  .media code { font-size: 7.5pt; }
  .on-screen { display: none; }
  .sign { width: 44px; height: 44px; }
  h1 { font-size: 24pt; margin: 2px 0 4px; }
  .tiles { grid-template-columns: repeat(4, 1fr); }
  .tiles b { font-size: 16pt; }
  .about { grid-template-columns: repeat(4, 1fr); gap: 6px 20px; padding-top: 12px; font-size: 8.5pt; }
  .verdict { line-height: 1.35; }
  .word { padding: 0 7px; font-size: 7.5pt; }
  .verdicts { margin-top: 6px; }
  .poster { width: 190px; max-height: 190px; }
  .media dl { font-size: 8.5pt; }
  .short { padding-top: 10px; }
  main > .short { margin-top: 10px; }
  .short h2 { display: inline; font-size: 11pt; }
  .short .outcome { display: inline; margin-left: 8px; }
  .brief { margin-top: 4px; }
  .brief > .poster { width: 84px; max-height: 64px; }
  .brief .kind, .lines { font-size: 8pt; line-height: 1.35; }
  .not-examined { padding: 6px 14px; font-size: 8.5pt; gap: 2px; }
  .unprinted-details { display: none; }
  main > section { margin-top: 24px; }
  .asset { padding-top: 20px; }
  h3 { margin: 20px 0 8px; }
  h4 { font-size: 10.5pt; margin-top: 6px; }
  .facts { gap: 8px 28px; margin-top: 8px; font-size: 9.5pt; }
  .facts .figure dd { font-size: 9.5pt; }
  .issue article { padding: 12px 18px 12px; }
  .stills, .note, .how, .precedents { margin-top: 8px; }
  .how { font-size: 8.5pt; }
  .checks { grid-template-columns: repeat(3, 1fr); font-size: 8.5pt; }
  .checks li { padding: 8px 10px 8px 34px; }
  .checks .tick, .checks .sign-of-check { left: 11px; top: 9px; }
  .checks .badge-count { left: 6px; top: 6px; }
  .places li:nth-child(n + 5) { display: none; }
  .unprinted { display: block; }
  .still { width: 31%; }
  .still.pair { width: 100%; max-width: 480px; }
  .issue, .checks li, .short, .media, .not-examined, .waiver, .row, .still, .panel, .masthead, .summary tr, .note, .timeline { break-inside: avoid; }
  h2, h3, .outcome, .summary thead { break-after: avoid; }
  .summary tr:has(+ .reasons) { break-after: avoid; }
  .issues { display: block; }
  .issue { margin-bottom: 10px; }
  .issue:target { box-shadow: none; }
  a { color: inherit; text-decoration: none; }
  .precedents a::after { content: " (" attr(href) ")"; }
}`;
