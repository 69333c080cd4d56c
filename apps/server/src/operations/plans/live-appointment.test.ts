import { OPERATIONS } from '@septet/contract'
import { makePlan, SHOWN_POLICY } from '@septet/domain'
import { RECOMMENDATION } from '@septet/storage/testing'
import { describe, expect, test } from 'vitest'

import { draw, withRequests } from '@septet/domain/testing'
import { factsOf } from '../answering/facts.fixture.ts'
import { factsOfNamespaces } from '../answering/namespace-facts.ts'
import { makeLivePlan } from './live-plan.ts'

const fleet = withRequests(draw`
  node-a  H100-80GB-HBM3  [lab/one]
  node-a  H100-80GB-HBM3  [lab/two]
  node-b  H100-80GB-HBM3  [lab/both]
  node-b  H100-80GB-HBM3  [lab/both]`)

const SMALL = Array.from({ length: 7 }, (_, start) => ({ profile: '1g.10gb', placement: { start, size: 1 } }))

const PLAN = OPERATIONS.plansMake.output.shape.result.unwrap()
const asked = (input: object) => {
  const goal = { kind: 'appointment', gpus: 2, perNode: 2, at: '2026-01-01T12:00:00Z', hours: 8, ...input }
  const { maxDisplaced = 10, ...rest } = goal as typeof goal & { maxDisplaced?: number }
  const { cluster: _cluster, wait: _wait, ...wish } = OPERATIONS.plansMake.input.parse({ goal: rest, maxDisplaced })
  return wish
}
const nothingKept = {
  actions: { list: async () => [] },
  prices: { list: async () => [] },
  recommendations: { current: async () => undefined },
}
const planned = (input: object) => makeLivePlan(factsOf(fleet, []), nothingKept, asked(input))

describe('an appointment that is asked for', () => {
  test('comes with its times, its bound, what lets the work in, and files', async () => {
    const answer = await planned({})
    expect(answer).toMatchObject({
      kind: 'plan',
      proof: 'best',
      appointment: { possible: 2, evictions: 1, atLeast: 1 },
      noFiles: [],
    })
    expect(answer.appointment?.nodes).toMatchObject([
      {
        node: 'node-b',
        closesAt: '2026-01-01T00:00:00.000Z',
        evictsAt: '2026-01-01T11:49:30.000Z',
        opensAt: '2026-01-01T20:00:00.000Z',
        evicted: ['lab/both'],
      },
    ])
    expect(answer.steps.map(({ notBefore }) => notBefore)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T11:49:30.000Z',
      '2026-01-01T11:50:00.000Z',
      '2026-01-01T20:00:00.000Z',
    ])
    expect(answer.wayBack.steps).toEqual(['Uncordon node-b'])
    expect(answer.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['commands.sh', 'let-in.yaml']))
    expect(PLAN.parse(answer)).toEqual(answer)
  })

  test('says how many can be had where not all can', async () => {
    const answer = await planned({ gpus: 4, maxDisplaced: 1 })
    expect(answer).toMatchObject({
      kind: 'none',
      appointment: { possible: 2, from: null, evictions: null },
      steps: [],
      files: [],
    })
    expect(answer.because).toContain('2 GPUs of 4 are available at 2026-01-01 12:00 UTC.')
    expect(PLAN.parse(answer)).toEqual(answer)
  })

  test('is closed later where no work runs longer than is said', async () => {
    const { appointment } = await planned({ longestHours: 4 })
    const { evictions, nodes } = appointment ?? {}
    expect({ evictions, closesAt: nodes?.[0]?.closesAt }).toEqual({
      evictions: 0,
      closesAt: '2026-01-01T07:59:00.000Z',
    })
  })

  test('of MIG instances that are not there names what has to be cut first, and the Repartition that is recommended', async () => {
    const cut = withRequests(draw`
      node-a  A100-SXM4-80GB  [1g.10gb lab/one][3g.40gb lab/big]
      node-b  A100-SXM4-80GB  [3g.40gb -][3g.40gb -]`)
    const wanted = asked({ gpus: 4, perNode: 1, profile: '1g.10gb' })
    const without = await makeLivePlan(factsOf(cut, []), nothingKept, wanted)
    expect(without.appointment?.cutFirst).toEqual([
      { node: 'node-b', gpus: [0], each: 7, gives: 7, recommendation: null },
    ])
    expect(without.because).toContain('Septet recommends none of these now')
    const plan = makePlan({
      snapshot: cut,
      wishes: [{ kind: 'layout', moves: [], targets: [{ gpu: 'GPU-node-b-0', migEnabled: true, layout: SMALL }] }],
      title: 'Cut it',
      policy: SHOWN_POLICY,
    })
    const advice = {
      ...RECOMMENDATION,
      kind: 'repartition' as const,
      plan,
      title: 'Cut node-b into 1g.10gb',
    }
    const recommendations = { current: async () => ({ madeAt: plan.madeFrom, recommendations: [advice] }) }
    const answer = await makeLivePlan(factsOf(cut, []), { ...nothingKept, recommendations }, wanted)
    expect(answer.appointment?.cutFirst).toMatchObject([{ recommendation: { title: 'Cut node-b into 1g.10gb' } }])
    expect(answer.because).toContain('Propose and approve “Cut node-b into 1g.10gb” under Actions.')
    expect(PLAN.parse(answer)).toEqual(answer)
  })

  test('is not planned for a caller of some namespaces, as it speaks of whoever is in its way', async () => {
    const facts = factsOfNamespaces(factsOf(fleet, []), ['lab'])
    await expect(makeLivePlan(facts, nothingKept, asked({}))).rejects.toThrow(/cannot be planned for yet/u)
  })
})
