import { OPERATIONS, type GpuView, type MadePlan } from '@septet/contract'
import { draw } from '@septet/domain/testing'
import { describe, expect, test } from 'vitest'

import { factsOf } from '../answering/facts.fixture.ts'
import { factsOfNamespaces } from '../answering/namespace-facts.ts'
import { makeLivePlan } from './live-plan.ts'

const PLAN = OPERATIONS.plansMake.output.shape.result.unwrap()

/** Two boards; GPU a-1 strands a compute slice by construction, b-0 by where its instance sits. */
const fleet = draw`
  a@train  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]
  a@train  A100-SXM4-80GB  [2g.20gb -] [1g.10gb web/z]
  b@train  A100-SXM4-80GB  [7g.80gb -]
  c@edge   A30             [2g.12gb web/q] [2g.12gb -]
  d@edge   T4              [1/2 web/r] [1/2 -]`

const target = (gpu: string, ...profiles: ReadonlyArray<readonly [string, number]>) => ({
  gpu,
  mig: true,
  instances: profiles.map(([profile, start]) => ({ profile, start })),
})
const NOTHING_KEPT = {
  actions: { list: async () => [] },
  prices: { list: async () => [] },
  recommendations: { current: async () => undefined },
}
const wishOf = (wish: object) => {
  const { cluster: _cluster, wait: _wait, ...parsed } = OPERATIONS.plansMake.input.parse(wish)
  return parsed
}
type Wish = {
  readonly targets?: readonly object[]
  readonly goal?: object
  readonly maxDisplaced?: number
  readonly mayWait?: boolean
}
const draft = ({ targets, ...more }: Wish): Promise<MadePlan> =>
  makeLivePlan(
    factsOf(fleet, []),
    NOTHING_KEPT,
    wishOf(targets === undefined ? more : { goal: { kind: 'layout', targets }, ...more }),
  )
const room = (profile: string, more = {}) => ({ goal: { kind: 'room-for', profile, ...more } })

const cut = (bar: GpuView | null) => bar?.blocks.map(({ profile }) => profile)

describe('a draft', () => {
  test('of a node that nobody holds displaces nobody, and comes with the way back and files', async () => {
    const plan = await draft({ targets: [target('GPU-b-0', ['3g.40gb', 0], ['3g.40gb', 4])] })
    expect(plan).toMatchObject({ kind: 'plan', displaced: [], noFiles: [] })
    expect(plan.steps.map(({ title }) => title.split(' ')[0])).toEqual(['Cordon', 'Repartition', 'Uncordon'])
    expect(plan.wayBack.steps.length).toBeGreaterThan(0)
    expect(plan.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['PLAN.md', 'commands.sh']))
    expect(plan.gpus.map(({ node, before, after }) => [node, cut(before), cut(after)])).toEqual([
      ['b', ['7g.80gb'], ['3g.40gb', '3g.40gb']],
    ])
    expect(PLAN.parse(plan)).toEqual(plan)
  })

  test('that a guardrail refuses says so in its words', async () => {
    const input = { targets: [target('GPU-a-0', ['7g.80gb', 0])] }
    const plan = await draft({ ...input, maxDisplaced: 0 })
    expect(plan).toMatchObject({ kind: 'refused', steps: [], files: [] })
    expect(plan.because).toBe(plan.refused[0]?.message)
    // Room for both is on no other GPU, unless they may wait.
    expect((await draft(input)).because).toContain('No room is left for')
    expect((await draft({ ...input, mayWait: true })).displaced).toEqual(['lab/x', 'lab/y'])
  })

  test('of what there is already is not a change', async () => {
    expect(await draft({ targets: [target('GPU-b-0', ['7g.80gb', 0])] })).toMatchObject({
      kind: 'no-change',
      steps: [],
    })
  })

  test('finds room by the fewest moves, or says why there is none', async () => {
    const found = await draft(room('4g.40gb', { model: 'A100-SXM4-80GB' }))
    expect(found).toMatchObject({ kind: 'plan', displaced: [] })
    expect(await draft(room('9g.99gb'))).toMatchObject({ kind: 'none', steps: [] })
  })

  test.each([
    ['a layout that the board does not allow', { targets: [target('GPU-b-0', ['4g.40gb', 4])] }, /cannot start at/u],
    ['instances that overlap', { targets: [target('GPU-b-0', ['4g.40gb', 0], ['1g.10gb', 3])] }, /overlaps/u],
    ['a profile of another board', { targets: [target('GPU-b-0', ['1g.6gb', 0])] }, /has no profile 1g\.6gb/u],
    ['a GPU that is not there', { targets: [target('GPU-z-9')] }, /There is no GPU/u],
    ['a board without MIG', { targets: [target('GPU-d-0', ['1g.10gb', 0])] }, /is unknown/u],
    [
      'instances out of MIG mode',
      { targets: [{ ...target('GPU-b-0', ['1g.10gb', 0]), mig: false }] },
      /need MIG mode/u,
    ],
  ])('is refused for %s', async (_name, input, words) => {
    await expect(draft(input)).rejects.toThrow(words)
  })

  test('is not made for a caller of some namespaces, as a plan speaks of whoever is in its way', async () => {
    const facts = factsOfNamespaces(factsOf(fleet, []), ['web'])
    await expect(makeLivePlan(facts, NOTHING_KEPT, wishOf(room('1g.10gb')))).rejects.toThrow(
      /cannot be planned for yet/u,
    )
  })
})
