/** The rows of the timeline: a name, a track that takes the available width, and the scale beside it. */
export const figureStyles = `
.timeline { padding: 16px 12px 14px 20px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.row { display: grid; grid-template-columns: 112px 1fr 104px; }
.row + .row:not(.lane):not(.axis) { margin-top: 14px; }
.row .name { font-size: 13px; line-height: 1.35; padding-right: 12px; }
.row .name b { font-weight: 600; }
.row .name i { font-style: normal; color: var(--soft); font-size: 12px; display: block; }
.lane + .lane { margin-top: 6px; }
.lane .name { display: flex; gap: 7px; align-items: center; align-self: start; height: 24px; }
.lane .count { padding-left: 8px; font-size: 12px; line-height: 24px; white-space: nowrap; color: var(--soft); }
.legend { display: block; margin-top: 8px; font-size: 12px; color: var(--soft); }
.legend span { display: flex; gap: 7px; align-items: center; }
.swatch { width: 16px; height: 8px; flex: none; }
.track { display: block; width: 100%; overflow: visible; }
.track.plot { background: var(--sunk); border-radius: 3px; }
.track text, .scale text { font-size: 11px; fill: var(--soft); }
.row svg.scale { display: block; width: 104px; overflow: visible; }
.grid line { stroke: var(--line); }
.plot path { fill: none; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.plot .thin { stroke: var(--curve-thin); stroke-width: 1; }
.plot .thick { stroke: var(--curve); stroke-width: 2; }
.plot .fill { fill: var(--curve-fill); stroke: var(--curve-thin); }
.plot .solid { fill: var(--curve); }
.plot line { stroke-width: 1; }
.plot .tick { stroke: var(--line); }
.plot .limit { stroke: var(--critical); stroke-dasharray: 5 3; stroke-width: 1.5; }
.plot .overall { stroke: var(--ink); stroke-dasharray: 1 3; stroke-width: 1.5; stroke-linecap: round; }
.scale .limit { fill: var(--critical); font-weight: 600; }
.scale .overall { fill: var(--ink); font-weight: 600; }
.band { fill: var(--tone); opacity: .16; }
.mark .bar { fill: var(--tone); }
.mark line { stroke: var(--tone); stroke-width: 1.5; opacity: .6; }
.mark .hit { fill: transparent; }
.mark text { fill: var(--ink); font-weight: 600; }
.mark:hover .bar { fill: var(--ink); }
.mark:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.mark:focus-visible .bar { fill: var(--ink); }
.timeline figcaption { margin-top: 12px; font-size: 12.5px; color: var(--soft); }
@media (max-width: 640px) {
  .timeline { padding: 12px 14px; }
  .row { grid-template-columns: 1fr 78px; }
  .row .name { grid-column: 1 / -1; padding-bottom: 3px; }
  .row .name i { display: inline; }
  .row svg.scale { width: 78px; }
  .scale text, .lane .count { font-size: 10px; }
  .scale .overall tspan { display: none; }
  .legend { display: flex; flex-wrap: wrap; gap: 0 14px; margin-top: 0; }
  .axis .name { display: none; }
  .track .odd, .mark text { display: none; }
}`;
