import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { codeDigest } from '../receipt-code.ts'
import { figuresPage, type Measurement } from './figures-page.ts'

const docs = join(import.meta.dirname, '../../docs')

/** The page as the receipts have it now. The claims of the site have a page of their own, docs/receipts/README.md. */
export function currentFigures(): string {
  const receipts = join(docs, 'receipts')
  const files = readdirSync(receipts).filter((file) => file.endsWith('.json') && !file.startsWith('claim-'))
  const measurements = files.toSorted().map((file): Measurement => {
    const receipt: Omit<Measurement, 'stale'> & { readonly code?: string } = JSON.parse(
      readFileSync(join(receipts, file), 'utf8'),
    )
    return { ...receipt, stale: receipt.code === undefined || receipt.code !== codeDigest([receipt.name]) }
  })
  return figuresPage(measurements)
}

/** Writes docs/figures.md. */
export const writeFigures = (): void => writeFileSync(join(docs, 'figures.md'), currentFigures())
