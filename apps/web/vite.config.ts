import { join } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Preloads the two font files, so that text rarely swaps. */
const preloadFonts: Plugin = {
  name: 'septet-preload-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith('.woff2'))
        .map((file): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
          injectTo: 'head-prepend',
        })),
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts],
  build: {
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'auth.html', 'app.html'].map((page) => join(import.meta.dirname, page)),
    },
    // Kept as written: light-dark() and nesting are understood by every browser of the last two years.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:7070' } },
})
