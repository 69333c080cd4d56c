import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { known, unknown } from '../analyze/figure.ts'
import type { ServedRow, ServedTokens } from '../analyze/served-tokens.ts'
import { gpuHours, instant, ratio, usd } from '../units.ts'
import { tokenCost, type TokenCostSources } from './token-cost.ts'

const window = { from: instant(0), to: instant(3_600_000) }
const chat = 'ml/Deployment/chat'
const row = (rest: Partial<ServedRow> = {}): ServedRow => ({
  workload: chat,
  namespace: 'ml',
  model: 'llama',
  engines: ['vLLM'],
  prompt: 3_000_000,
  generation: 1_000_000,
  ...rest,
})
const held = (rest: Partial<TokenCostSources['workloads'][number]> = {}) => ({
  id: chat,
  hours: gpuHours(10),
  idleHours: gpuHours(2),
  cost: usd(20),
  idleCost: usd(4),
  busy: known(ratio(0.25)),
  ...rest,
})
const servedBy = (rows: readonly ServedRow[], counted = 1, beyond = 0): ServedTokens => ({
  window,
  rows,
  workloads: [...new Set(rows.map(({ workload }) => workload))]
    .filter((workload) => workload !== '')
    .map((workload) => ({ workload, counted: ratio(counted), beyond: ratio(beyond), pods: 1, silentPods: 0 })),
  refused: [],
})
const sources = (rest: Partial<TokenCostSources> = {}): TokenCostSources => ({
  served: servedBy([row()]),
  workloads: [held()],
  unpriced: new Set(),
  split: false,
  ...rest,
})
const byWorkload = ({ workload }: ServedRow) => workload
const byModel = ({ model }: ServedRow) => model

test('a million tokens cost what the GPUs cost: all the time they were held, and the part that was busy; idle time stands apart', () => {
  expect(tokenCost(sources(), byWorkload)).toEqual([
    {
      key: chat,
      workloads: [chat],
      models: ['llama'],
      engines: ['vLLM'],
      tokens: { prompt: 3_000_000, generation: 1_000_000, total: 4_000_000 },
      allocated: { hours: 10, usd: 20 },
      busy: { hours: 2.5, usd: 5 },
      idle: { hours: 2, usd: 4 },
      rated: 1,
      perMillion: {
        allocated: { prompt: 20 / 3, generation: 20, total: 5 },
        busy: { prompt: 5 / 3, generation: 5, total: 1.25 },
      },
      counted: 1,
      because: [],
    },
  ])
})

const only = (rest: Partial<TokenCostSources>) => tokenCost(sources(rest), byWorkload)[0]

describe('unknown stays unknown', () => {
  const none = { prompt: undefined, generation: undefined, total: undefined }

  test('where nobody measured the GPUs, busy and idle are', () => {
    const group = only({ workloads: [held({ busy: unknown('not measured') })] })
    expect(group).toMatchObject({
      busy: { hours: undefined, usd: undefined },
      idle: { hours: undefined, usd: undefined },
      perMillion: { busy: none, allocated: { total: 5 } },
      because: ['No rate by busy time: its GPUs were not measured.'],
    })
    const other = 'ml/Deployment/other'
    const both = tokenCost(
      sources({
        served: servedBy([row(), row({ workload: other })]),
        workloads: [held(), held({ id: other, busy: unknown('not measured') })],
      }),
      ({ namespace }) => namespace,
    )
    expect(both).toMatchObject([{ rated: 2, perMillion: { allocated: { total: 5 }, busy: { total: 1.25 } } }])
    expect(both[0]?.because).toEqual(['1 of 2 workloads is in no rate by busy time: its GPUs were not measured.'])
  })
  test('where a GPU has no price, dollars are', () => {
    const group = only({ unpriced: new Set([chat]) })
    expect(group).toMatchObject({ allocated: { hours: 10, usd: undefined }, rated: 0, perMillion: { allocated: none } })
    expect(group?.because).toEqual(['No rate: some of its GPUs have no price.'])
  })
  test('where tokens were counted for a part of the time, the rate is', () => {
    const group = only({ served: servedBy([row()], 0.43) })
    expect(group).toMatchObject({ allocated: { usd: 20 }, rated: 0, perMillion: { allocated: none } })
    expect(group?.because).toEqual(['No rate: tokens were counted for only 43% of the time in which it held GPUs.'])
  })
  test('where tokens were counted while nobody knows what it held, the rate is', () => {
    const group = only({ served: servedBy([row()], 1, 0.5) })
    expect(group).toMatchObject({ rated: 0, perMillion: { allocated: none } })
    expect(group?.because[0]).toMatch(/for longer than it is known to have held GPUs/u)
  })
  test('where one direction is not counted, it and the total are', () => {
    expect(only({ served: servedBy([row({ prompt: undefined })]) })).toMatchObject({
      tokens: { prompt: undefined, generation: 1_000_000, total: undefined },
      perMillion: { allocated: { prompt: undefined, generation: 20, total: undefined } },
    })
  })
  test('where no token was counted, the rate is, and the cost is not', () => {
    const group = only({ served: servedBy([row({ prompt: 0, generation: 0 })]) })
    expect(group).toMatchObject({ tokens: { total: 0 }, allocated: { usd: 20 }, perMillion: { allocated: none } })
    expect(group?.because).toEqual(['No rate: it counted no tokens.'])
  })
  test('tokens of no known workload are in no group', () => {
    expect(tokenCost(sources({ served: servedBy([row({ workload: '' })]) }), byModel)).toEqual([])
  })
})

describe('a workload that serves several models', () => {
  const served = servedBy([row(), row({ model: 'qwen', prompt: 1_000_000, generation: 3_000_000 })])
  test('has one cost by workload, and by model only where it is to be split by tokens', () => {
    expect(tokenCost(sources({ served }), byWorkload)).toMatchObject([
      { allocated: { usd: 20 }, rated: 1, because: [] },
    ])
    const unsplit = tokenCost(sources({ served }), byModel)
    expect(unsplit).toMatchObject([{ allocated: { usd: undefined } }, { allocated: { usd: undefined } }])
    expect(unsplit[0]?.because[0]).toMatch(/several models/u)
    expect(tokenCost(sources({ served, split: true }), byModel)).toMatchObject([
      { key: 'llama', allocated: { usd: 10 } },
      { key: 'qwen', allocated: { usd: 10 } },
    ])
  })
  test('is not split by what is not counted', () => {
    const partly = servedBy([row(), row({ model: 'qwen', prompt: undefined })])
    expect(tokenCost(sources({ served: partly, split: true }), byModel)[0]?.because[0]).toMatch(/cannot be split/u)
  })
})

test('a group leaves out of its rates, and says so, what it cannot divide', () => {
  const other = 'ml/Deployment/other'
  const group = tokenCost(
    sources({
      served: servedBy([row(), row({ workload: other })]),
      workloads: [held(), held({ id: other, cost: undefined })],
      unpriced: new Set([other]),
    }),
    ({ namespace }) => namespace,
  )[0]
  expect(group).toMatchObject({ tokens: { total: 8_000_000 }, rated: 1, perMillion: { allocated: { total: 5 } } })
  expect(group?.because).toEqual([`1 of 2 workloads is in no rate, such as ${other}: some of its GPUs have no price.`])
})

const amounts = fc.record({
  cents: fc.integer({ min: 0, max: 10_000_000 }),
  models: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 })), {
    minLength: 1,
    maxLength: 3,
  }),
})

test('however it is cut, the groups cost what their workloads do; dollars are tokens at their rate', () => {
  fc.assert(
    fc.property(fc.array(amounts, { minLength: 1, maxLength: 6 }), (drawn) => {
      const rows = drawn.flatMap(({ models }, order) =>
        [...new Map(models.map((of) => [of[0], of])).values()].map(([model, prompt, generation]) =>
          row({ workload: `ml/Deployment/${order}`, model: `m${model}`, prompt, generation }),
        ),
      )
      const workloads = drawn.map(({ cents }, order) => held({ id: `ml/Deployment/${order}`, cost: usd(cents / 100) }))
      const whole = drawn.reduce((sum, { cents }) => sum + cents, 0) / 100
      for (const [keyOf, slack] of [
        [byWorkload, 0],
        [byModel, 4 * 0.005],
        [() => 'all', 0],
      ] as const) {
        const groups = tokenCost(sources({ served: servedBy(rows), workloads, split: true }), keyOf)
        const cost = groups.reduce((sum, { allocated }) => sum + (allocated.usd ?? NaN), 0)
        expect(Math.abs(cost - whole)).toBeLessThanOrEqual(slack + 1e-6)
        for (const { tokens, perMillion, allocated } of groups) {
          const back = ((tokens.total ?? NaN) / 1e6) * (perMillion.allocated.total ?? NaN)
          expect(Math.abs(back - (allocated.usd ?? NaN))).toBeLessThanOrEqual(0.005 + 1e-6)
        }
      }
    }),
  )
})
