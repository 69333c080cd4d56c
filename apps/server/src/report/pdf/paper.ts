import { createRequire } from 'node:module'

// oxlint-disable-next-line import/no-named-as-default -- its types know the default export alone
import PDFDocument from 'pdfkit'

/** The sheet that a report is drawn on: A4, in points, with the type and the colors of the light theme. */
export type Paper = {
  readonly document: PDFKit.PDFDocument
  /** Left edge, and width, of what may be drawn on. */
  readonly left: number
  readonly width: number
  /** Which element of the structure is being drawn. */
  readonly tags: Tags
}

/**
 * The element of the document's structure that is being drawn. In `text` each text that is written is a part of it; a
 * `drawing` is one piece as a whole, told by its alternative text; what is `decoration` says nothing of its own.
 */
type Tags = {
  readonly type: string
  readonly element: PDFKit.PDFStructureElement
  readonly kind: 'text' | 'drawing' | 'decoration'
}

/** The tokens of the light theme in sRGB: a PDF knows no OKLCH. */
export const INK = {
  ink: '#141822',
  soft: '#4b5059',
  quiet: '#5f636c',
  line: '#dee0e4',
  lineStrong: '#c1c4ca',
  paper: '#ffffff',
  sunken: '#f5f6f8',
  busy: '#00846d',
  busySoft: '#bfe8de',
  busyInk: '#006550',
  idle: '#b97410',
  idleSoft: '#fde8c6',
  free: '#868991',
  stranded: '#8663a0',
  strandedSoft: '#f5eff9',
  unknown: '#7d8088',
  unknownSoft: '#f2f3f6',
  fault: '#db2c2b',
  faultInk: '#ad1016',
} as const

export const FACE = { text: 'text', medium: 'medium', bold: 'bold', mono: 'mono' } as const

const MARGIN = 46
/** A4 in points; what is drawn lies between `top` and `bottom`. */
export const PAPER = { width: 595.28, height: 841.89, top: 44, bottom: 841.89 - 58 } as const

const require = createRequire(import.meta.url)

/** An empty document; its title and language are told to readers that speak. */
export function openPaper(title: string): Paper {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: PAPER.top, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    // pdfkit writes the title into XML as it is.
    info: { Title: title.replaceAll('&', '+').replaceAll(/[<>]/gu, ' '), Creator: 'Septet', Producer: 'Septet' },
  })
  document.registerFont(FACE.text, require.resolve('@fontsource/geist-sans/files/geist-sans-latin-400-normal.woff'))
  document.registerFont(FACE.medium, require.resolve('@fontsource/geist-sans/files/geist-sans-latin-500-normal.woff'))
  document.registerFont(FACE.bold, require.resolve('@fontsource/geist-sans/files/geist-sans-latin-600-normal.woff'))
  document.registerFont(FACE.mono, require.resolve('@fontsource/geist-mono/files/geist-mono-latin-400-normal.woff'))
  const root = document.struct('Document')
  document.addStructure(root)
  document.addPage()
  return {
    document,
    left: MARGIN,
    width: PAPER.width - 2 * MARGIN,
    tags: { type: 'Document', element: root, kind: 'text' },
  }
}

type Look = {
  readonly face?: keyof typeof FACE
  readonly size?: number
  readonly width?: number
  /** Lines at most; what does not fit ends with an ellipsis. */
  readonly lines?: number | undefined
}

type Writing = Look & {
  readonly x: number
  readonly y: number
  readonly color?: string
  readonly align?: 'left' | 'right' | 'center'
}

/** Writes at a place, as part of the element that is being drawn, and returns the height that was used. */
export function write(paper: Paper, text: string, { x, y, color, align, ...look }: Writing): number {
  const { document, tags } = paper
  const shown = printable(text)
  if (shown.trim() === '') return 0
  const height = heightOf(paper, text, look)
  const content = tags.kind === 'text' ? document.markStructureContent(tags.type) : undefined
  document.fillColor(color ?? INK.ink).text(shown, x, y, {
    width: look.width ?? paper.width,
    align: align ?? 'left',
    height: height + 0.5,
    ellipsis: true,
  })
  if (content === undefined) return height
  document.endMarkedContent()
  tags.element.add(content)
  return height
}

/** How high a text is, points. */
export function heightOf(paper: Paper, text: string, { face = 'text', size = 9, width, lines }: Look): number {
  const { document } = paper
  const shown = printable(text)
  // The mono face has no such signs.
  document.font(face === 'mono' && /[\u2192\u2264\u2265]/u.test(shown) ? 'text' : face).fontSize(size)
  const line = document.currentLineHeight(true)
  if (lines === 1) return line
  const height = document.heightOfString(shown, { width: width ?? paper.width })
  return lines === undefined ? height : Math.min(height, lines * line)
}

/**
 * Text that the faces of the report can draw: they are Latin, as the names of Kubernetes objects are. Any other character
 * is written as its code point, so that it can still be told which one it was.
 */
const printable = (text: string): string =>
  Array.from(text, (character) => (DRAWN.test(character) ? character : codePoint(character))).join('')

const DRAWN =
  /[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122\u2212\u2264\u2265\u00d7\u2190-\u2193]/u
const codePoint = (character: string): string =>
  /\s/u.test(character) ? ' ' : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
