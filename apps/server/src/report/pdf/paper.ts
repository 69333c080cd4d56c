import { createRequire } from 'node:module'

// oxlint-disable-next-line import/no-named-as-default -- its types know the default export alone
import PDFDocument from 'pdfkit'

/** The sheet that a report is drawn on: A4, in points, with the type and the colors of the light theme. */
export type Paper = {
  readonly document: PDFKit.PDFDocument
  /** Left edge, and width, of what may be drawn on. */
  readonly left: number
  readonly width: number
  /** Where the next thing is drawn; grows downwards. */
  y: number
}

/** The tokens of the light theme in sRGB: a PDF knows no OKLCH. */
export const INK = {
  ink: '#141822',
  soft: '#4b5059',
  quiet: '#5f636c',
  line: '#dee0e4',
  lineStrong: '#c1c4ca',
  sunken: '#eff0f4',
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
} as const

export const FACE = { text: 'text', medium: 'medium', bold: 'bold', mono: 'mono' } as const

const MARGIN = 42
export const PAGE = { width: 595.28, height: 841.89, bottom: 841.89 - 54 } as const

const require = createRequire(import.meta.url)

/** An empty report; its title and language are told to readers that speak. */
export function openPaper(title: string): Paper {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
    autoFirstPage: false,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Creator: 'Septet', Producer: 'Septet' },
  })
  document.registerFont(FACE.text, require.resolve('@fontsource/geist-sans/files/geist-sans-latin-400-normal.woff'))
  document.registerFont(FACE.medium, require.resolve('@fontsource/geist-sans/files/geist-sans-latin-500-normal.woff'))
  document.registerFont(FACE.bold, require.resolve('@fontsource/geist-sans/files/geist-sans-latin-600-normal.woff'))
  document.registerFont(FACE.mono, require.resolve('@fontsource/geist-mono/files/geist-mono-latin-400-normal.woff'))
  const paper = { document, left: MARGIN, width: PAGE.width - 2 * MARGIN, y: MARGIN }
  nextPage(paper)
  return paper
}

/** Begins a new page. */
function nextPage(paper: Paper): void {
  paper.document.addPage()
  paper.y = MARGIN
}

/** Begins a new page unless so much height is left on this one. */
export function needHeight(paper: Paper, height: number): void {
  if (paper.y + height > PAGE.bottom) nextPage(paper)
}

type Writing = {
  readonly x: number
  readonly y: number
  readonly face?: keyof typeof FACE
  readonly size?: number
  readonly color?: string
  readonly width?: number
  readonly align?: 'left' | 'right' | 'center'
  /** Lines at most; what does not fit ends with an ellipsis. */
  readonly lines?: number
}

/** Writes at a place and returns the height that was used. */
export function write(paper: Paper, text: string, how: Writing): number {
  const { document } = paper
  const { x, y, face, size, color, lines, ...flow } = { ...PLAIN, width: paper.width, ...how }
  const shown = printable(text)
  // The mono face has no such signs.
  document
    .font(face === 'mono' && /[\u2192\u2264\u2265]/u.test(shown) ? 'text' : face)
    .fontSize(size)
    .fillColor(color)
  const line = document.currentLineHeight(true)
  if (lines === undefined) {
    document.text(shown, x, y, flow)
    return document.heightOfString(shown, flow)
  }
  const options = { ...flow, height: lines * line + 0.5, ellipsis: true }
  document.text(shown, x, y, options)
  return Math.min(document.heightOfString(shown, options), lines * line)
}

const PLAIN = { face: 'text', size: 9, color: INK.ink, align: 'left', lines: undefined } as const

/** A hairline over the whole width. */
export function rule(paper: Paper, y: number, color: string = INK.line): void {
  const { document, left, width } = paper
  document
    .moveTo(left, y)
    .lineTo(left + width, y)
    .lineWidth(0.6)
    .strokeColor(color)
    .stroke()
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
