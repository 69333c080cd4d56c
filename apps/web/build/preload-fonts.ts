import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Preloads the two font files in the pages that Vite itself builds, so that text rarely swaps. */
export function preloadFonts(): Plugin {
  return {
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
}
