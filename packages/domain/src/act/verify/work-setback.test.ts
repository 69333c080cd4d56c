import { describe, expect, test } from 'vitest'

import { seededChance } from '../../plan/simulate/seeded-chance.ts'
import { judgeWork, type WorkSigns } from './work-setback.ts'

const WORKLOAD = 'ml/Deployment/vllm'
const workSetback = (workload: string, signs: WorkSigns): string | undefined => {
  const verdict = judgeWork(workload, signs)
  return verdict.kind === 'worse' ? verdict.because : undefined
}
const DAYS = 7
type Drawn = { readonly level: number; readonly noise: number; readonly factor: number }

const normal = (chance: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())

/** Counts of so many days with noise by factors, and of the window after, of which a change leaves a part. */
function work(seed: number, { level, noise, factor }: Drawn): WorkSigns {
  const chance = seededChance(seed)
  const count = (): number => Math.round(level * Math.exp(noise * normal(chance)))
  const before = Array.from({ length: DAYS }, count)
  return { seconds: 1800, work: { unit: 'tokens', source: 'vllm', since: count() * factor, before } }
}

/** Events at a rate, by Knuth's method. */
function poisson(rate: number, chance: () => number): number {
  let [count, left] = [0, chance()]
  while (left > Math.exp(-rate)) [count, left] = [count + 1, left * chance()]
  return count
}

function restarts(seed: number, rate: number, since = rate): WorkSigns {
  const chance = seededChance(seed)
  const before = Array.from({ length: DAYS }, () => poisson(rate, chance))
  return { seconds: 1800, restarts: { since: poisson(since, chance), before } }
}

function errors(seed: number, share: number, since = share): WorkSigns {
  const chance = seededChance(seed)
  const all = 4000
  const failed = (part: number): number => poisson(part * Math.exp(0.3 * normal(chance)) * all, chance)
  const before = Array.from({ length: DAYS }, () => ({ failed: failed(share), all }))
  return { seconds: 1800, errors: { source: 'istio', since: { failed: failed(since), all }, before } }
}

const alarms = (of: (seed: number) => WorkSigns): number =>
  Array.from({ length: 1000 }, (_, seed) => workSetback(WORKLOAD, of(seed + 1))).filter((said) => said !== undefined)
    .length

describe('days that differ by chance alone', () => {
  test.each([0.02, 0.1, 0.2, 0.4, 0.8])('seem slower in less than one of a hundred, noise %d', (noise) => {
    expect(alarms((seed) => work(seed, { level: 20_000, noise, factor: 1 }))).toBeLessThan(10)
  })

  test.each([1, 5, 40])('seem slower in less than one of a hundred, where only %d are done', (level) => {
    expect(alarms((seed) => work(seed, { level, noise: 0.5, factor: 1 }))).toBeLessThan(10)
  })

  test.each([0.01, 0.1, 0.5, 2, 10])('seem to restart more in less than one of a hundred, %d a window', (rate) => {
    expect(alarms((seed) => restarts(seed, rate))).toBeLessThan(10)
  })

  test.each([0.0001, 0.002, 0.02, 0.2])('seem to fail more in less than one of a hundred, %d of all', (share) => {
    expect(alarms((seed) => errors(seed, share))).toBeLessThan(10)
  })
})

describe('what a change makes worse is seen', () => {
  test('half the work, where days differ by a tenth', () => {
    expect(alarms((seed) => work(seed, { level: 20_000, noise: 0.1, factor: 0.5 }))).toBeGreaterThan(950)
  })

  test('no work at all, where days differ by a third', () => {
    expect(alarms((seed) => work(seed, { level: 20_000, noise: 0.33, factor: 0 }))).toBe(1000)
  })

  test('ten restarts where there is hardly one', () => {
    expect(alarms((seed) => restarts(seed, 0.05, 10))).toBeGreaterThan(950)
  })

  test('a tenth of all that fails where one in two hundred did', () => {
    expect(alarms((seed) => errors(seed, 0.005, 0.1))).toBeGreaterThan(950)
  })

  test('and told with what is counted, by what, and how it was before', () => {
    const before = [1000, 1100, 900, 1050, 950, 1000, 1000]
    const signs = { seconds: 1800, work: { unit: 'tokens', source: 'vllm', since: 200, before } }
    expect(workSetback(WORKLOAD, signs)).toBe(
      'ml/Deployment/vllm does 400 tokens an hour since the change, 2,000 at this time of the 7 days before (vllm).',
    )
    expect(workSetback(WORKLOAD, { seconds: 1800, restarts: { since: 6, before: [0, 0, 1, 0, 0, 0, 0] } })).toBe(
      'Containers of ml/Deployment/vllm restarted 6 times since the change, 1 time in 7 stretches as long before it.',
    )
  })
})

test('a little less is not a setback however sure it is, and of few days nothing is said', () => {
  const steady = Array.from({ length: 7 }, () => 1000)
  const of = (since: number, before: readonly number[]): string | undefined =>
    workSetback(WORKLOAD, { seconds: 1800, work: { unit: 'tokens', source: 'vllm', since, before } })
  expect(of(800, steady)).toBeUndefined()
  expect(of(600, steady)).toMatch(/does 1,200 tokens an hour/u)
  expect(of(0, steady.slice(0, 4))).toBeUndefined()
  expect(workSetback(WORKLOAD, { seconds: 1800 })).toBeUndefined()
})

describe('an engine that counts nothing any more', () => {
  const steady = Array.from({ length: 7 }, () => 1000)
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it is about these tests
  const silent = (before: readonly number[], isSeen: boolean) =>
    judgeWork(WORKLOAD, { seconds: 1800, silent: { unit: 'tokens', source: 'vllm', before, isSeen } })

  test('is a setback where its pods run and other metrics of them arrive', () => {
    expect(silent(steady, true)).toEqual({
      kind: 'worse',
      because:
        'The metrics of ml/Deployment/vllm have stopped since the change, while its pods run and their other metrics arrive: no tokens are counted (vllm), against 2,000 an hour at this time of the 7 days before.',
    })
  })
  test('is none where it often does nothing at this time', () => {
    expect(silent([0, 500, 0, 0, 900, 0, 0], true)).toEqual({ kind: 'fine' })
  })
  test('is unknown, and not fine, where nothing else of its pods arrives, or few days are known', () => {
    expect(silent(steady, false)).toEqual({
      kind: 'unknown',
      because:
        'No tokens of ml/Deployment/vllm are counted since the change (vllm), and no other metrics of its pods arrive either.',
    })
    expect(silent(steady.slice(0, 4), true)).toEqual({
      kind: 'unknown',
      because:
        'No tokens of ml/Deployment/vllm are counted since the change (vllm), and 4 days before it are too few to compare with.',
    })
  })
  test('hides no other setback', () => {
    const often = { since: 6, before: [0, 0, 1, 0, 0, 0, 0] }
    const lost = { unit: 'tokens', source: 'vllm', before: steady, isSeen: false }
    expect(judgeWork(WORKLOAD, { seconds: 1800, silent: lost, restarts: often })).toMatchObject({
      kind: 'worse',
      because: expect.stringContaining('restarted 6 times'),
    })
  })
})
