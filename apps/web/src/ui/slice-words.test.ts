import { describe, expect, test } from 'vitest'

import { drawGpu } from '../dashboard/gpu/bars.fixture.ts'
import { linesOf } from '../dashboard/summary/ModelTrends.tsx'
import { codeText, formText } from './form-text.ts'
import { legendOf } from './legend-of.ts'
import { blockWords, gpuWords, placementWords, shortHolder } from './slice-words.ts'
import { ago, dayTime, windowWords } from './time-words.ts'

describe('a GPU in a sentence', () => {
  test('says of each block what it is, who holds it and how busy it is', () =>
    expect(gpuWords(drawGpu('4:busy.81:4g.40gb:ml/vllm-7 2:idle.01:2g.20gb:lab/nb 1:free:1g.10gb 1:stranded'))).toBe(
      'GPU 0, A100-80GB; 4g.40gb held by ml/vllm-7, 81% busy; 2g.20gb held by lab/nb, idle, 1% busy; ' +
        '1g.10gb free; 1 memory slice stranded',
    ))

  test('says that a share was not measured, and not 0%', () => {
    expect(gpuWords(drawGpu('8:unknown:7g.80gb:ml/x'))).toBe('GPU 0, A100-80GB; 7g.80gb held by ml/x, not measured')
    const [block] = drawGpu('8:busy:7g.80gb:ml/x').blocks
    expect(block && blockWords(block, { mode: 'mig' })).toBe('7g.80gb held by ml/x, not measured')
  })

  test.each([
    ['whole', '8:busy.5', 'whole GPU held, 50% busy'],
    ['shared', '8:busy.5::lab/a', 'shared replica held by lab/a, 50% busy'],
    ['mig', '2:uncut', '2 memory slices unpartitioned'],
    ['mig', '1:others:1g.10gb', '1g.10gb held by others, not shown'],
  ] as const)('names a %s block that has no profile: %s', (mode, line, words) =>
    expect(gpuWords(drawGpu(line, { mode }))).toBe(`GPU 0, A100-80GB; ${words}`),
  )

  test('begins with its fault, and says where nothing was reported', () => {
    const fault = { code: 'gpu-fault', message: 'XID 79', object: 'gpu/GPU-0' }
    expect(gpuWords(drawGpu('8:free', { fault, mode: 'whole' }))).toBe(
      'GPU 0, A100-80GB; fault: XID 79; whole GPU free',
    )
    expect(gpuWords(drawGpu('8:free', { blocks: [] }))).toBe('GPU 0, A100-80GB; no partition reported')
  })

  test('says that placements were inferred, or are not known at all', () => {
    const inferred = drawGpu('~4:free 4:free')
    const [first] = inferred.blocks
    expect(placementWords(inferred)).toBe('placement inferred from the geometry')
    expect(placementWords({ ...inferred, blocks: first ? [{ ...first, placement: 'unknown' }] : [] })).toBe(
      'placement unknown, drawn in order',
    )
    expect(placementWords(drawGpu('4:free 4:free'))).toBeUndefined()
  })
})

test('a legend explains what is there and no more, always in one order', () => {
  const gpus = [drawGpu('4:stranded 4:idle'), drawGpu('~8:busy.5')]
  expect(legendOf(gpus)).toEqual({ shown: ['busy', 'idle', 'stranded'], inferred: true })
  expect(legendOf(gpus.toReversed())).toEqual(legendOf(gpus))
  expect(legendOf([])).toEqual({ shown: [], inferred: false })
})

test.each([
  ['lab/Job/train', 'train'],
  ['train', 'train'],
  ['', ''],
])('where space is short %j is %j', (holder, short) => expect(shortHolder(holder)).toBe(short))

const local = (day: number, hour: number): string => new Date(2026, 10, day, hour).toISOString()

describe('times', () => {
  const NOW = Date.parse('2026-11-20T10:00:00Z')

  test.each([
    ['2026-11-20T09:59:58Z', 'just now'],
    ['2026-11-20T09:46:00Z', '14 min ago'],
    ['2026-11-18T10:00:00Z', '2 d ago'],
    // Clocks differ: what is to come is not "-3 min ago".
    ['2026-11-20T10:03:00Z', 'just now'],
  ])('%s is %s', (at, words) => expect(ago(at, NOW)).toBe(words))

  test('a window of one day names the day nowhere, one of two days twice', () => {
    expect(windowWords({ from: local(14, 9), to: local(14, 17) })).toBe('09:00 to 17:00')
    expect(windowWords({ from: local(14, 9), to: local(15, 9) })).toBe('Nov 14, 09:00 to Nov 15, 09:00')
    expect(dayTime(local(14, 0))).toBe('Nov 14, 2026, 00:00')
  })
})

describe('what was typed into a form', () => {
  const data = new FormData()
  data.set('code', ' 123-456 ')
  data.set('file', new Blob(['x']))

  test('is a code however it was written', () => expect(codeText(data, 'code')).toBe('123456'))

  test('is empty where there is no such field, or a file in it', () =>
    expect([formText(data, 'gone'), formText(data, 'file')]).toEqual(['', '']))
})

describe('a small line', () => {
  const plot = { width: 100, height: 10 }

  test('of one reading is a dot, and of none is nothing', () => {
    expect(linesOf([0.5], plot)).toBe('M0 5h0')
    expect(linesOf([], plot)).toBe('')
    expect(linesOf([null, null], plot)).toBe('')
  })

  test('begins anew after each gap, over the whole width', () =>
    expect(linesOf([0, 1, null, 1, 0], plot)).toBe('M0 10L25 0M75 0L100 10'))
})
