import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './assay.css';
import './figures.css';
import './home.css';

const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'Page not found'),
    h('p', [
      'Error codes are listed under ',
      h('a', { href: '/docs/errors/' }, 'Errors'),
      ', everything else is on the ',
      h('a', { href: '/docs/' }, 'home page'),
      '.',
    ]),
  ]);

// biome-ignore lint/style/noDefaultExport: VitePress asks for it
export default { ...theme, Layout: () => h(theme.Layout, null, { 'not-found': notFound }) };
