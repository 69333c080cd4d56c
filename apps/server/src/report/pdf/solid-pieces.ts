import type { PdfPiece, FlowUnit } from './flow.ts'
import { heightOf, INK, write, type Paper } from './paper.ts'
import { tag } from './tags.ts'

/** One thing that is as high as it is. */
export const solid = (unit: FlowUnit, more: Partial<PdfPiece> = {}): PdfPiece => ({
  least: 1,
  most: 1,
  units: () => [unit],
  ...more,
})

/** Empty height, points; up to `most` where there is room. */
export const space = (least: number, most = least): PdfPiece => ({
  least,
  most,
  units: (height) => [{ height, draw: () => undefined }],
  keep: true,
})

/** A drawing that is higher where there is room: sizes count steps of so many points. */
export const STRETCH = 8

type Heading = { readonly title: string; readonly aside?: string }

/** The title of a section, which stays with what follows, and a few words on its right. */
export function heading(paper: Paper, { title, aside = '' }: Heading): PdfPiece {
  const size = 12
  const height = heightOf(paper, title, { face: 'bold', size, lines: 1 })
  return solid(
    {
      height: height + 7,
      draw: (sheet, y) => {
        sheet.document.outline.addItem(title)
        const at = { x: sheet.left, y, face: 'bold', size, lines: 1 } as const
        tag(sheet, 'H2', (inside) => void write(inside, title, at))
        if (aside === '') return
        const beside = { x: sheet.left, y: y + 3, size: 8, color: INK.quiet, align: 'right', lines: 1 } as const
        tag(sheet, 'P', (inside) => void write(inside, aside, beside))
      },
    },
    { keep: true },
  )
}

type Note = { readonly color?: string; readonly size?: number; readonly below?: number; readonly keep?: boolean }

/** What a table or a drawing means, below it. */
export const caption = (paper: Paper, text: string): readonly PdfPiece[] => [
  { ...space(4), keep: false, tail: true },
  { ...note(paper, text), tail: true },
]

/** A paragraph in small print. */
export function note(
  paper: Paper,
  text: string,
  { color = INK.soft, size = 8, below = 0, keep = false }: Note = {},
): PdfPiece {
  const unit = {
    height: heightOf(paper, text, { size }) + below,
    draw: (sheet: Paper, y: number) =>
      tag(sheet, 'P', (inside) => void write(inside, text, { x: sheet.left, y, size, color })),
  }
  return solid(unit, { keep })
}
