import { describe, expect, test } from 'vitest'

import type { TokenCount } from '../cluster/inference-reader.ts'
import { HOUR_MS, instant } from '../units.ts'
import { servedTokens } from './served-tokens.ts'

const FROM = 100 * HOUR_MS
const window = { from: instant(FROM), to: instant(FROM + 4 * HOUR_MS) }
const hours = (from: number, to: number) => ({ from: instant(FROM + from * HOUR_MS), to: instant(FROM + to * HOUR_MS) })
const chat = 'ml/Deployment/chat'
const count = (pod: string, rest: Partial<TokenCount> = {}): TokenCount => ({
  pod,
  model: 'llama',
  engine: 'vLLM',
  prompt: 30,
  generation: 10,
  steps: [0, 1, 2, 3],
  ...rest,
})
const served = (counts: readonly TokenCount[], stays: Parameters<typeof servedTokens>[1]) =>
  servedTokens({ window, steps: 4, counts, refused: [] }, stays)

const beyond = (from: number, to: number, steps: readonly number[]) =>
  served([count('ml/a', { steps })], [{ pod: 'ml/a', workload: chat, ...hours(from, to) }]).workloads[0]?.beyond

test('pods of one workload and model add up; a pod that held no GPU has no workload', () => {
  const found = served(
    [count('ml/a'), count('ml/b', { engine: 'SGLang' }), count('ml/b', { model: 'qwen' }), count('ml/router')],
    [
      { pod: 'ml/a', workload: chat, ...hours(0, 2) },
      { pod: 'ml/b', workload: chat, ...hours(2, 4) },
    ],
  )
  expect(found.rows).toEqual([
    { workload: '', namespace: 'ml', model: 'llama', engines: ['vLLM'], prompt: 30, generation: 10 },
    { workload: chat, namespace: 'ml', model: 'llama', engines: ['SGLang', 'vLLM'], prompt: 60, generation: 20 },
    { workload: chat, namespace: 'ml', model: 'qwen', engines: ['vLLM'], prompt: 30, generation: 10 },
  ])
  expect(found.workloads).toEqual([{ workload: chat, counted: 1, beyond: 0, pods: 2, silentPods: 0 }])
})

test('what one pod does not count is unknown of all of them, and not less', () => {
  const stays = ['ml/a', 'ml/b'].map((pod) => ({ pod, workload: chat, ...hours(0, 4) }))
  expect(served([count('ml/a'), count('ml/b', { prompt: undefined })], stays).rows).toMatchObject([
    { prompt: undefined, generation: 20 },
  ])
})

describe('the counted share of the time in which a workload held GPUs', () => {
  test('is of that time and not of the window', () => {
    const stays = [{ pod: 'ml/a', workload: chat, ...hours(1, 3) }]
    expect(served([count('ml/a', { steps: [1, 2] })], stays).workloads).toMatchObject([{ counted: 1 }])
    expect(served([count('ml/a', { steps: [2] })], stays).workloads).toMatchObject([{ counted: 0.5 }])
  })
  test('counts an hour once, however many pods held GPUs in it', () => {
    const stays = ['ml/a', 'ml/b', 'ml/c'].map((pod) => ({ pod, workload: chat, ...hours(0, 4) }))
    expect(served([count('ml/a', { steps: [0, 1, 2] })], stays).workloads).toEqual([
      { workload: chat, counted: 0.75, beyond: 0, pods: 3, silentPods: 2 },
    ])
  })
  test('tells what was counted beyond it, but for the steps in which it began and ended', () => {
    expect(beyond(3, 4, [0, 1, 2, 3])).toBe(0.25)
    expect(beyond(1.5, 2.5, [1, 2])).toBe(0)
  })
  test('a pod that was gone within a step is no silent one', () => {
    const stays = [
      { pod: 'ml/a', workload: chat, ...hours(0, 4) },
      { pod: 'ml/b', workload: chat, ...hours(1, 1.5) },
    ]
    expect(served([count('ml/a')], stays).workloads).toMatchObject([{ pods: 1, silentPods: 0 }])
  })
})
