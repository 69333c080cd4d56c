import { expect, test } from 'vitest'

import { drawChapters, type PdfPiece } from './flow.ts'
import { openPaper, PAPER } from './paper.ts'

const ROOM = PAPER.bottom - PAPER.top

/** Rows of a height, and where each of them was drawn. */
function rows(name: string, { least, most, height }: { least: number; most: number; height: number }) {
  const drawn: { name: string; page: number; y: number }[] = []
  const unit = (told: string) => ({
    height,
    draw: (paper: ReturnType<typeof openPaper>, y: number) =>
      void drawn.push({ name: told, page: paper.document.bufferedPageRange().count, y }),
  })
  const piece: PdfPiece = {
    least,
    most,
    units: (size) => Array.from({ length: size }, (_, index) => unit(`${name} ${index}`)),
    head: unit('head'),
    again: unit('head again'),
  }
  return { piece, drawn }
}

test('a table grows until its page is full, and no further', () => {
  const { piece, drawn } = rows('row', { least: 2, most: 1000, height: 20 })
  drawChapters(openPaper(''), [[piece]])
  expect(new Set(drawn.map(({ page }) => page))).toEqual(new Set([1]))
  expect(drawn).toHaveLength(Math.floor(ROOM / 20))
})

test('one that needs more than a page goes on under its head, and leaves no row alone', () => {
  const onFirst = Math.floor(ROOM / 20) - 1
  const { piece, drawn } = rows('row', { least: onFirst + 1, most: onFirst + 1, height: 20 })
  drawChapters(openPaper(''), [[piece]])
  const second = drawn.filter(({ page }) => page === 2)
  expect(second.map(({ name }) => name)).toEqual(['head again', `row ${onFirst - 1}`, `row ${onFirst}`])
  expect(second[0]?.y).toBe(PAPER.top)
})

test('a heading stays with what follows', () => {
  const filling = rows('row', { least: 34, most: 34, height: 20 })
  const table = rows('next', { least: 2, most: 2, height: 20 })
  const heading: PdfPiece = {
    least: 1,
    most: 1,
    keep: true,
    units: () => rows('title', { least: 1, most: 1, height: 20 }).piece.units(1),
  }
  drawChapters(openPaper(''), [[filling.piece, heading, table.piece]])
  expect(new Set(table.drawn.map(({ page }) => page))).toEqual(new Set([2]))
  expect(table.drawn[0]?.y).toBe(PAPER.top + 20)
})

test('a chapter begins on a page of its own where the last one is full, and else below it', () => {
  const full = rows('full', { least: 32, most: 1000, height: 20 })
  const little = rows('little', { least: 2, most: 2, height: 20 })
  const last = rows('last', { least: 2, most: 2, height: 20 })
  drawChapters(openPaper(''), [[full.piece], [little.piece], [last.piece]])
  expect(little.drawn[0]).toMatchObject({ page: 2, y: PAPER.top })
  expect(last.drawn[0]?.page).toBe(2)
  expect(last.drawn[0]?.y).toBeGreaterThan(little.drawn.at(-1)?.y ?? Infinity)
})
