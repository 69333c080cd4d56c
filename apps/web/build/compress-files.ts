import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Plugin } from 'vite'

/** Writes a `.br` and a `.gz` beside every text file of a build, so that the server need not compress while somebody waits. */
export function compressFiles(): Plugin {
  return {
    name: 'septet-compress-files',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const entries = await readdir(dir, { recursive: true, withFileTypes: true })
        const texts = entries.filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)))
        await Promise.all(texts.map(({ parentPath, name }) => compress(join(parentPath, name))))
      },
    },
  }
}

const TEXT = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.md', '.xml', '.webmanifest'])

async function compress(file: string): Promise<void> {
  const text = await readFile(file)
  const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  await Promise.all([
    promisify(brotliCompress)(text, { params: hint }).then((small) => writeFile(`${file}.br`, small)),
    promisify(gzip)(text, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
  ])
}
