/** For A4 pages: everything is expanded, controls are hidden, and no card is split across pages. */
export const printStyles = `
@page { size: A4; margin: 14mm 13mm 16mm; }
@media print {
  :root { --page: #fff; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 9.5pt; line-height: 1.45; }
  .filters, details > summary { display: none; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  .masthead { padding: 24px 24px 18px; gap: 16px; }
  .tiles li { padding: 8px 12px; }
  .summary th, .summary td { padding: 7px 14px; }
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
  .issue, .checks li, .waiver, .row, .still, .panel, .masthead, .summary tr, .note, .timeline { break-inside: avoid; }
  h2, h3, .kind { break-after: avoid; }
  .issues { display: block; }
  .issue { margin-bottom: 10px; }
  .issue:target { box-shadow: none; }
  a { color: inherit; text-decoration: none; }
  .precedents a::after { content: " (" attr(href) ")"; }
}`;
