import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { publishedTraces } from '../../../../test/system-tools.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { mib, ratio, seconds } from '../units.ts'
import { meanOf, quantileOf, shareOf } from './distribution.ts'
import type { RightSizePolicy } from './policy.ts'
import { smallestFitting } from './right-size.ts'

/* Published traces of real clusters: GenTD26 (Alibaba, SoCC 2025) and Acme (Hu et al., NSDI 2024). */
const traces = publishedTraces()

/** A CSV as columns of text. */
function columns(name: string): ReadonlyMap<string, readonly string[]> {
  const bytes = readFileSync(new URL(name, traces))
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/u)
  const rows = lines.map((line) => line.split(','))
  return new Map(head.split(',').map((column, index) => [column, rows.map((row) => row[index] ?? '')]))
}

function byPod(name: string): ReadonlyMap<string, readonly number[]> {
  const table = columns(name)
  const values = table.get('value') ?? []
  const pods = new Map<string, number[]>()
  for (const [index, pod] of (table.get('container_ip') ?? []).entries()) {
    const list = pods.get(pod) ?? []
    pods.set(pod, list)
    list.push(Number(values[index]))
  }
  return pods
}

describe.skipIf(traces === undefined)('GenTD26: 96 inference pods over a day', () => {
  const duty = traces ? byPod('gentd26-2026/pod_gpu_duty_cycle_anon.csv.gz') : new Map<string, number[]>()
  const memory = traces ? byPod('gentd26-2026/pod_gpu_memory_used_bytes_anon.csv.gz') : new Map<string, number[]>()
  const all = [...duty.values()].flat()
  const peaks = [...memory.values()].map((values) => Math.max(...values))

  test('duty cycle as published', () => {
    expect(all).toHaveLength(100_252)
    expect(meanOf(all)).toBeCloseTo(7.08, 2)
    expect(shareOf(all, (value) => value === 0)).toBeCloseTo(0.674, 3)
    expect([0.9, 0.95, 0.99].map((share) => quantileOf(all, share)?.toFixed(1))).toEqual(['24.9', '32.4', '80.1'])
  })

  test('pods that are hardly busy as published', () => {
    const means = [...duty.values()].map((values) => meanOf(values) ?? Infinity)
    expect([means.length, means.filter((mean) => mean < 10).length, means.filter((mean) => mean < 5).length]).toEqual([
      95, 81, 22,
    ])
    const p95 = [...duty.values()].map((values) => quantileOf(values, 0.95) ?? Infinity)
    expect(p95.filter((value) => value < 50)).toHaveLength(80)
  })

  test('peak memory as published', () => {
    const gib = peaks.map((bytes) => bytes / 2 ** 30)
    expect(gib).toHaveLength(96)
    // The published median of these 96 is the upper of the two in the middle; ours lies between them.
    const [lower = 0, upper = 0] = gib.toSorted((a, b) => a - b).slice(47, 49)
    expect(upper).toBeCloseTo(36.1, 1)
    expect(quantileOf(gib, 0.5)).toBeCloseTo((lower + upper) / 2, 9)
    expect(Math.max(...gib)).toBeCloseTo(47.3, 1)
  })

  // The published optimum by memory alone is 60 GPUs without margin, 70 with 10 %; by compute at p95 as well 63 and 70.
  test.each([
    ['memory', 0, 60],
    ['memory', 0.1, 70],
    ['memory and compute', 0, 63],
    ['memory and compute', 0.1, 70],
  ] as const)('the smallest fitting profiles, by %s with margin %d, fill %d GPUs', (rule, memoryMargin, gpus) => {
    const board = boardFor('A100-SXM4-80GB')
    if (board === undefined) throw new Error('the catalog has no A100-SXM4-80GB')
    const policy: RightSizePolicy = {
      memoryMargin: ratio(memoryMargin),
      targetUtilization: ratio(1),
      minimumHistory: seconds(0),
    }
    const sizes = [...memory].map(([pod, values]) => {
      const p95 = quantileOf(duty.get(pod) ?? [0], 0.95) ?? 0
      const computePeak = rule === 'memory' ? 0 : p95 / 100
      const fitting = smallestFitting(board, { memoryPeak: mib(Math.max(...values) / 2 ** 20), computePeak }, policy)
      return fitting?.size ?? board.memorySlices
    })
    // Sizes 8, 4, 2 and 1 always pack without a gap on a row of 8, so memory slices alone give the number of GPUs.
    expect(Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / board.memorySlices)).toBe(gpus)
  })
})

describe.skipIf(traces === undefined)('Acme: DCGM distributions of a training cluster of A100-80GB', () => {
  const table = traces ? columns('acme-dcgm-2023/kalos_quantiles.csv') : new Map<string, string[]>()
  const numbers = (column: string): number[] => (table.get(column) ?? []).map(Number)

  test.each([
    ['gpu_util_pct', 69.8],
    ['sm_active_pct', 38.5],
    ['sm_occupancy_pct', 11.8],
    ['gpu_mem_pct', 50.1],
    ['gpu_power_w', 191.6],
  ])('the mean of %s is %d', (column, mean) => {
    expect(numbers(column)).toHaveLength(1000)
    expect(meanOf(numbers(column))).toBeCloseTo(mean, 1)
  })

  test.each([
    ['gpu_util_pct', 0.259],
    ['sm_active_pct', 0.377],
  ])('%s is exactly 0 for a share of %d', (column, share) => {
    expect(shareOf(numbers(column), (value) => value === 0)).toBeCloseTo(share, 3)
  })
})
