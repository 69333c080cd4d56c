import { INK, type Paper } from './paper.ts'

/** Elements of PDF 1.7 (ISO 32000-1, 14.8.4) that a report is made of. */
export type TagType = 'H1' | 'H2' | 'H3' | 'P' | 'L' | 'LI' | 'LBody' | 'Table' | 'TR' | 'TH' | 'TD'

/** An element; for the header of a row or a column of a table, which of the two. */
type Tag = TagType | { readonly type: 'TH'; readonly scope: 'Column' | 'Row' }

type TagOptions = PDFKit.Mixins.StructureElementOptions & {
  readonly scope?: 'Column' | 'Row'
  /** Left, top, right and bottom of a figure. */
  readonly bbox?: readonly [number, number, number, number]
}

/** Draws the content of an element below the one that is being drawn. */
export function tag(paper: Paper, what: Tag, draw: (paper: Paper) => void): void {
  const inside = openTag(paper, what)
  draw(inside)
  if (inside !== paper) inside.tags.element.end()
}

/** The same for what is drawn piece by piece: whoever opens it ends its element. */
export function openTag(paper: Paper, what: Tag): Paper {
  const { document, tags } = paper
  if (tags.kind !== 'text') return paper
  const { type, ...options } = typeof what === 'string' ? { type: what } : what
  const of: TagOptions = options
  const element = document.struct(type, of)
  tags.element.add(element)
  return { ...paper, tags: { type, element, kind: 'text' } }
}

type Figure = { readonly alt: string; readonly box: TagBox }
export type TagBox = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** A drawing with what it shows in words; texts in it belong to the drawing. */
export function figureTag(paper: Paper, { alt, box }: Figure, draw: (paper: Paper) => void): void {
  const { document, tags } = paper
  if (tags.kind !== 'text') {
    draw(paper)
    return
  }
  const options: TagOptions = { alt, bbox: [box.x, box.y, box.x + box.width, box.y + box.height] }
  const element = document.struct('Figure', options)
  tags.element.add(element)
  const content = document.markStructureContent('Figure')
  draw({ ...paper, tags: { type: 'Figure', element, kind: 'drawing' } })
  document.endMarkedContent()
  element.add(content)
  element.end()
}

/** Draws what says nothing of its own: lines, grounds, page numbers, what stands in words beside it. */
export function decoration(paper: Paper, draw: (paper: Paper) => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
  const { document, tags } = paper
  if (tags.kind !== 'text') {
    draw(paper)
    return
  }
  document.markContent('Artifact', { type })
  draw({ ...paper, tags: { ...tags, kind: 'decoration' } })
  document.endMarkedContent()
}

/** A hairline over the whole width. */
export function rule(paper: Paper, y: number, color: string = INK.line): void {
  decoration(paper, ({ document, left, width }) => {
    document
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.6)
      .strokeColor(color)
      .stroke()
  })
}
