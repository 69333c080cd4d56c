import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'

const ENTRY = 'src/card/main.tsx'
/** The server reads it from the folder of the build. */
const FILE = 'mcp-card.html'

/** Builds the card that chat clients show, as one file that loads nothing: they put it into a frame without a network. */
export function buildCard(): Plugin {
  let root = ''
  return {
    name: 'septet-build-card',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('the card is built into a folder')
      await writeFile(join(dir, FILE), documentOf(await cardOf(root)))
    },
  }
}

type Card = { readonly script: string; readonly style: string }

async function cardOf(root: string): Promise<Card> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [react(), tailwindcss()],
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      // Else a script of this form brings its style with it.
      cssCodeSplit: false,
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: { input: join(root, ENTRY), output: { format: 'iife', codeSplitting: false } },
    },
  })
  const parts = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const script = parts.flatMap((part) => (part.type === 'chunk' ? [part.code] : []))
  const style = parts.flatMap((part) => (isStyle(part) ? [textOf(part.source)] : []))
  const rest = parts.filter((part) => part.type !== 'chunk' && !isStyle(part))
  if (script.length !== 1 || style.length !== 1 || rest.length > 0) {
    throw new Error(
      `the card is one script and one style sheet, and not ${parts.map(({ fileName }) => fileName).join(', ')}`,
    )
  }
  return { script: script.join(''), style: style.join('') }
}

type Part = Rolldown.OutputAsset | Rolldown.OutputChunk
const isStyle = (part: Part): part is Rolldown.OutputAsset => part.type === 'asset' && part.fileName.endsWith('.css')
const textOf = (source: string | Uint8Array): string =>
  typeof source === 'string' ? source : new TextDecoder().decode(source)

/** Allows its own script and nothing else. Styles may be inline: slice bars set widths. */
function documentOf({ script, style }: Card): string {
  // A script ends where HTML finds the end of one, even inside a string.
  const safe = script.replaceAll('</script', String.raw`<\/script`).trim()
  const digest = createHash('sha256').update(safe).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${digest}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Septet</title>
<style>${style.trim()}</style>
</head>
<body>
<script>${safe}</script>
</body>
</html>
`
}
