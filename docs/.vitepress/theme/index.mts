import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './assay.css';
import './figures.css';
import './home.css';

const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'No such page'),
    h('p', [
      'Refusal codes are listed under ',
      h('a', { href: '/docs/errors/' }, 'Errors'),
      ', everything else on the ',
      h('a', { href: '/docs/' }, 'front page'),
      '.',
    ]),
  ]);

// biome-ignore lint/style/noDefaultExport: VitePress asks for it
export default { ...theme, Layout: () => h(theme.Layout, null, { 'not-found': notFound }) };
