/**
 * The only script of the report. It runs the severity filters, which hide issues and the files without any that is shown,
 * and expands collapsed sections for links and for
 * printing. The report is complete without it. The page's Content-Security-Policy allows it by its hash.
 */
export const script = `(() => {
  const root = document.documentElement;
  const bar = document.querySelector('.filters');
  const status = document.querySelector('.filters output');
  const cards = [...document.querySelectorAll('.issue')];
  const files = [...document.querySelectorAll('[data-severities]')];
  const buttons = bar ? [...bar.querySelectorAll('button')] : [];
  const apply = () => {
    const hidden = buttons.filter((b) => b.getAttribute('aria-pressed') === 'false').map((b) => b.value);
    root.dataset.hide = hidden.join(' ');
    const shown = cards.filter((card) => !hidden.includes(card.dataset.severity)).length;
    for (const file of files) {
      file.hidden = hidden.length > 0 && !file.dataset.severities.split(' ').some((one) => one && !hidden.includes(one));
    }
    status.textContent = hidden.length ? 'Showing ' + shown + ' of ' + cards.length + ' issues' : '';
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
    for (let details = target.closest('details'); details; details = details.parentElement.closest('details')) details.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
  });
})();`;
