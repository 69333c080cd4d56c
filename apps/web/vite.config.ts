import { join } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { compressFiles } from './build/compress-files.ts'
import { listLicences } from './build/list-licences.ts'
import { orderLimits } from './build/order-limits.ts'
import { preloadFonts } from './build/preload-fonts.ts'
import { prerenderSite } from './build/prerender-site.ts'

export default defineConfig({
  root: import.meta.dirname,
  // Several pages, no single one that answers every path.
  appType: 'custom',
  plugins: [
    react(),
    tailwindcss(),
    preloadFonts(),
    listLicences(join(import.meta.dirname, '../..')),
    orderLimits(),
    prerenderSite(),
    compressFiles(),
  ],
  build: {
    manifest: true,
    // Pages name what their entry imports; what comes later comes so late that naming its parts costs more than it saves.
    modulePreload: { resolveDependencies: (_file, parts, { hostType }) => (hostType === 'html' ? parts : []) },
    rolldownOptions: {
      // What pre-rendering and compressing take is known, and no news for someone who starts Septet.
      checks: { pluginTimings: false },
      // The dashboard and its demo, the sign-in page, and the script of the pre-rendered site.
      input: ['app.html', 'auth.html', 'src/site/client.ts', 'src/site/reading.ts'].map((entry) =>
        join(import.meta.dirname, entry),
      ),
      output: {
        // One file that all three share and that a browser keeps.
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|site\/hydrate-island/u }],
        },
      },
    },
    // Kept as written: light-dark() and nesting are understood by every browser of the last two years.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:7070' } },
})
