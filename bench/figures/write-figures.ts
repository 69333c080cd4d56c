import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { figuresPage, type Measurement } from './figures-page.ts'

const docs = join(import.meta.dirname, '../../docs')

/** The page as the receipts have it now. The claims of the site have a page of their own, docs/receipts/README.md. */
export function currentFigures(): string {
  const receipts = join(docs, 'receipts')
  const files = readdirSync(receipts).filter((file) => file.endsWith('.json') && !file.startsWith('claim-'))
  const measurements: readonly Measurement[] = files
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(receipts, file), 'utf8')))
  return figuresPage(measurements)
}

/** Writes docs/figures.md. */
export const writeFigures = (): void => writeFileSync(join(docs, 'figures.md'), currentFigures())
