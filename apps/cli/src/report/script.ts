/**
 * All that runs in the report: filters, and folded parts that open for a link or the printer. Without it everything is
 * still there to be read. It is held to its hash by the page's policy.
 */
export const script = `(() => {
  const root = document.documentElement;
  const bar = document.querySelector('.filters');
  const said = document.querySelector('.filters output');
  const cards = [...document.querySelectorAll('.finding')];
  const buttons = bar ? [...bar.querySelectorAll('button')] : [];
  const apply = () => {
    const hidden = buttons.filter((b) => b.getAttribute('aria-pressed') === 'false').map((b) => b.value);
    root.dataset.hide = hidden.join(' ');
    const shown = cards.filter((card) => !hidden.includes(card.dataset.severity)).length;
    said.textContent = hidden.length ? 'Showing ' + shown + ' of ' + cards.length + ' findings' : '';
  };
  for (const button of buttons) {
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') === 'false'));
      apply();
    });
  }
  if (bar) bar.hidden = false;
  const reveal = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    for (const fold of opened) fold.open = true;
  });
  addEventListener('afterprint', () => {
    for (const fold of opened) fold.open = false;
  });
})();`;
