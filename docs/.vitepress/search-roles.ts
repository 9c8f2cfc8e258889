/** Maps the markup that VitePress renders to markup with the roles of a dialog, a combobox and a list of options. */
const corrections: [string, string][] = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"`,
    `role="dialog"
      aria-modal="true"`,
  ],
  [
    'aria-autocomplete="both"',
    'aria-autocomplete="list" role="combobox" :aria-expanded="results?.length ? \'true\' : \'false\'"',
  ],
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    'role="presentation"',
  ],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index"
              :aria-selected="selectedIndex === index ? 'true' : 'false'"
              role="option"`,
  ],
  ['<span class="title-icon">#</span>', '<span class="title-icon" aria-hidden="true">#</span>'],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
];

/** Corrects the ARIA roles of VitePress’s search box in the build, which fails if a new version has other markup. */
export const searchRoles = {
  name: 'assay-search-roles',
  enforce: 'pre' as const,
  transform(source: string, id: string): string | undefined {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined;
    return corrections.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the search box of VitePress no longer has: ${from}`);
      return text.replaceAll(from, () => to);
    }, source);
  },
};
