import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from './api-client.ts'

function split(chunks: readonly Buffer[], limit = 1000): { lines: string[]; oversized: number[] } {
  const lines: string[] = []
  const oversized: number[] = []
  const splitter = createLineSplitter({
    limit,
    onLine: (line) => lines.push(line),
    onOversized: (n) => oversized.push(n),
  })
  chunks.forEach((chunk) => splitter.push(chunk))
  splitter.end()
  return { lines, oversized }
}

test('lines are the same however the bytes are cut, characters of several bytes included', () => {
  const text = fc.array(
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((line) => line.replaceAll(/[\r\n]/g, '').trim()),
  )
  fc.assert(
    fc.property(text, fc.array(fc.nat(400)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const points = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
      const chunks = points.slice(1).map((end, index) => bytes.subarray(points[index], end))
      expect(split(chunks).lines).toEqual(lines.filter((line) => line !== ''))
    }),
  )
})

test('a line over the limit is reported with its length and not held; those around it are read', () => {
  const chunks = ['before\n', 'x'.repeat(600), 'x'.repeat(600), 'x\nafter', '\n'].map((text) => Buffer.from(text))
  expect(split(chunks)).toEqual({ lines: ['before', 'after'], oversized: [1201] })
})

test('the last line needs no end, and an empty stream has no line', () => {
  expect(split([Buffer.from('a\r\nb')]).lines).toEqual(['a', 'b'])
  expect(split([])).toEqual({ lines: [], oversized: [] })
})
