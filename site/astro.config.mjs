// Astro and Starlight. site/build runs this; it says by environment where the site will live and
// where its data is: HOTKV_SITE_BASE, HOTKV_SITE_ORIGIN, HOTKV_SITE_OUT, HOTKV_SITE_DATA.
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { liveBlocks } from './src/lib/live_blocks.mjs';
import { sidebar } from './src/lib/sidebar.mjs';
import { sessionBlocks } from './src/lib/session_blocks.mjs';

const { HOTKV_SITE_BASE: base, HOTKV_SITE_ORIGIN: site, HOTKV_SITE_OUT: outDir } = process.env;
const STYLES = ['palette', 'site', 'use_case', 'reading'];
const override = (name) => `./src/components/${name}.astro`;

export default defineConfig({
  site,
  base,
  outDir,
  trailingSlash: 'always',
  // The policy that hotkv-server sends allows nothing inline.
  build: { format: 'directory', inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  image: { service: passthroughImageService() },
  markdown: { syntaxHighlight: false, remarkPlugins: [liveBlocks, sessionBlocks] },
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'HotKV',
      favicon: '/favicon.svg',
      defaultLocale: 'root',
      locales: {
        root: { label: 'English', lang: 'en' },
        ro: { label: 'Română', lang: 'ro' },
        'zh-cn': { label: '简体中文', lang: 'zh-CN' },
      },
      customCss: STYLES.map((name) => `./src/styles/${name}.css`),
      expressiveCode: false,
      credits: false,
      pagination: false,
      disable404Route: true,
      components: {
        Footer: override('Footer'),
        Head: override('Head'),
        LanguageSelect: override('LanguageSelect'),
        Header: override('Header'),
        PageTitle: override('PageTitle'),
        Search: override('Search'),
        ThemeProvider: override('ThemeProvider'),
        ThemeSelect: override('ThemeSelect'),
      },
      sidebar,
    }),
  ],
});
