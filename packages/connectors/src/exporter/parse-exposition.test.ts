import { createRequire } from 'node:module'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { openLabelMemory } from './label-memory.ts'
import { type ExpositionOptions, MAXIMUM_LINE, parseExposition } from './parse-exposition.ts'
import type { Labels } from './read-labels.ts'

type Sample = { name: string; labels: Labels; value: number; at: number | undefined }
type Baseline = { name: string; metrics: { labels?: Record<string, string>; value: string }[] }[]
const parseBaseline = createRequire(import.meta.url)('parse-prometheus-text-format') as (text: string) => Baseline

const devices = (suffix: string, value: number) =>
  ['m', 'n'].flatMap((metric) => [0, 1, 2].map((gpu) => `${metric}{gpu="${gpu}",pod="p${suffix}"} ${value}\n`)).join('')
const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
const write = (found: { name: string; series: { labels: Record<string, string>; value: number }[] }[]) =>
  found
    .map(({ name: metric, series: all }) => {
      const lines = all.map(({ labels, value: number }) => {
        const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escape(text)}"`)
        return `${metric}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${number}\n`
      })
      return `# HELP ${metric} text\n# TYPE ${metric} gauge\n${lines.join('')}`
    })
    .join('')

const remember = () => openLabelMemory((labels) => labels)

function readAll(text: string, more: Partial<ExpositionOptions<Labels>> = {}) {
  const samples: Sample[] = []
  const labels = more.labels ?? remember()
  const sinkFor = (name: string) => (found: Labels, value: number, at: number | undefined) =>
    void samples.push({ name, labels: found, value, at })
  const summary = parseExposition(text, { sinkFor, ...more, labels })
  return { ...summary, samples, taken: summary.samples }
}

describe('lines as the format allows them', () => {
  it.each([
    ['a 1', { name: 'a', labels: {}, value: 1, at: undefined }],
    ['a{} 1', { name: 'a', labels: {}, value: 1, at: undefined }],
    ['a{b="c"} 0.995687', { name: 'a', labels: { b: 'c' }, value: 0.995687, at: undefined }],
    ['a{b="c",} -2.5', { name: 'a', labels: { b: 'c' }, value: -2.5, at: undefined }],
    ['a { b = "c" , d="e" } 1e-3', { name: 'a', labels: { b: 'c', d: 'e' }, value: 0.001, at: undefined }],
    ['  a\t{b="c"}\t7\t', { name: 'a', labels: { b: 'c' }, value: 7, at: undefined }],
    ['a{b="}\\" \\\\ \\n{,"} 1', { name: 'a', labels: { b: '}" \\ \n{,' }, value: 1, at: undefined }],
    ['a{b="日本"} 1', { name: 'a', labels: { b: '日本' }, value: 1, at: undefined }],
    ['a 1 1395066363000', { name: 'a', labels: {}, value: 1, at: 1395066363000 }],
    ['a 1 # {trace_id="x"} 0.5 1', { name: 'a', labels: {}, value: 1, at: undefined }],
    ['a NaN', { name: 'a', labels: {}, value: NaN, at: undefined }],
    ['a +Inf', { name: 'a', labels: {}, value: Infinity, at: undefined }],
    ['a -Inf', { name: 'a', labels: {}, value: -Infinity, at: undefined }],
    ['a 9223372036854775807', { name: 'a', labels: {}, value: 2 ** 63, at: undefined }],
  ])('%s', (line, expected) => {
    expect(readAll(`${line}\n`)).toMatchObject({ samples: [expected], malformed: 0, truncated: false })
    expect(readAll(`${line}\r\n`)).toMatchObject({ samples: [expected], malformed: 0, truncated: false })
  })

  it('reads OpenMetrics timestamps as seconds and stops at its end mark', () => {
    const read = readAll('a 1 1395066363.5 # {x="y"} 1\n# EOF\na 2\n', { openMetrics: true })
    expect(read.samples).toEqual([{ name: 'a', labels: {}, value: 1, at: 1395066363500 }])
    expect(readAll('a 1\n# EOF').truncated).toBe(false)
  })
})

describe('lines that are not metrics', () => {
  it.each([
    '{gpu="0"} 1',
    'a{b="c} 1',
    'a{b=c} 1',
    'a{b="c" d="e"} 1',
    'a{b="c"}',
    'a{b="c"} ',
    'a 0x10',
    'a 1_000',
    'a 1..2',
    'a one',
    'a 1 soon',
    '<html>',
    '0a 1',
    'a{="c"} 1',
  ])('%s is counted and skipped, and the lines around it are read', (line) => {
    const read = readAll(`first 1\n${line}\nlast 2\n`)
    expect(read.samples.map(({ name, value }) => [name, value])).toEqual([
      ['first', 1],
      ['last', 2],
    ])
    expect(read).toMatchObject({ malformed: 1, firstMalformed: 2, truncated: false })
  })

  it('a line of 10 MB is skipped', () => {
    const read = readAll(`a 1\nb{c="${'x'.repeat(10_000_000)}"} 1\nd 2\n`)
    expect(read).toMatchObject({ malformed: 1, firstMalformed: 2 })
    expect(read.samples.map((sample) => sample.name)).toEqual(['a', 'd'])
    expect(MAXIMUM_LINE).toBeLessThan(10_000_000)
  })

  it('a text cut inside a number does not yield that number', () => {
    expect(readAll('a 0.25\na{b="c"} 0.9')).toMatchObject({ samples: [{ value: 0.25 }], truncated: true })
    expect(readAll('')).toMatchObject({ samples: [], truncated: false })
  })
})

describe('what is kept between scrapes', () => {
  it('hands out the same label object for the same label set', () => {
    const labels = remember()
    const [one] = readAll(devices('', 1), { labels }).samples
    const [two] = readAll(devices('', 2), { labels }).samples
    expect(two?.labels).toBe(one?.labels)
    expect(two?.value).toBe(2)
    expect(labels.entries.size).toBe(3)
  })

  it('follows a changed label set and forgets old ones in the end', () => {
    const labels = remember()
    for (let scrape = 0; scrape < 50; scrape += 1) {
      const { samples } = readAll(devices(`-${scrape}`, scrape), { labels })
      expect(samples.map((sample) => sample.labels['pod'])).toEqual(Array(6).fill(`p-${scrape}`))
    }
    expect(labels.entries.size).toBeLessThan(30)
  })

  it('skips metrics that nobody asked for', () => {
    const read = readAll('a{b="c"} 1\nx{b="c} broken\nx{b="c"} 1\n', {
      sinkFor: (name) => (name === 'a' ? () => undefined : undefined),
    })
    expect(read).toMatchObject({ taken: 1, skipped: 2, malformed: 0 })
  })
})

describe('agreement with parse-prometheus-text-format', () => {
  const name = fc.stringMatching(/^[a-z_]{1,12}$/)
  // The baseline cannot read a brace inside a label value, so values here have none.
  const value = fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[{}\r\u2028\u2029#]/g, '.'))
  const series = fc.record({
    labels: fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true }),
    value: fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0.1, 0.999999, 1e22)),
  })
  const family = fc.record({
    name,
    series: fc.uniqueArray(series, { minLength: 1, maxLength: 8, selector: (one) => JSON.stringify(one.labels) }),
  })
  const families = fc.uniqueArray(family, { maxLength: 6, selector: (one) => one.name })
  it('holds for generated text, in a first and in later scrapes', () => {
    const labels = remember()
    fc.assert(
      fc.property(families, (found) => {
        const text = write(found)
        const flat = parseBaseline(text).flatMap((one) =>
          one.metrics.map((metric) => ({ name: one.name, labels: { ...metric.labels }, value: Number(metric.value) })),
        )
        for (let scrape = 0; scrape < 2; scrape += 1) {
          const read = readAll(text, { labels })
          expect(read.malformed).toBe(0)
          expect(
            read.samples.map(({ name: metric, labels: all, value: number }) => ({
              name: metric,
              labels: all,
              value: number,
            })),
          ).toEqual(flat)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('a text cut anywhere yields a prefix of the samples, and never another sample', () => {
    fc.assert(
      fc.property(families, fc.nat(), (found, at) => {
        const text = write(found)
        const whole = readAll(text).samples
        const part = readAll(text.slice(0, at % (text.length + 1))).samples
        expect(part).toEqual(whole.slice(0, part.length))
      }),
      { numRuns: 300 },
    )
  })

  it('never throws, whatever the text', () => {
    const noise = fc.array(fc.constantFrom('a', '{', '}', '"', '\\', '=', ',', ' ', '\n', '1', '.', '#', '\r', 'é'), {
      maxLength: 200,
    })
    fc.assert(
      fc.property(noise, (letters) => {
        const lines = letters.filter((letter) => letter === '\n').length
        expect(readAll(letters.join('')).malformed).toBeLessThanOrEqual(lines)
      }),
      { numRuns: 500 },
    )
  })
})
