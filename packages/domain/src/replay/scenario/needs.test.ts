import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { plainProfiles } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { needOn, type ScenarioNeed } from './needs.ts'
import type { ScenarioShape } from './scenario.ts'

const shape = (model: string, size: ScenarioShape['size']): ScenarioShape => ({ model, size })
const whole = (gpus = 1) => ({ kind: 'whole', gpus }) as const
const mig = (profile: string) => ({ kind: 'mig', profile }) as const
const share = (milli: number) => ({ kind: 'share', milli }) as const
const told = (need: ScenarioNeed | undefined) =>
  need === undefined
    ? 'nothing'
    : need.kind === 'whole'
      ? `${need.gpus} whole`
      : `${need.profile?.name ?? 'no MIG'} ${need.milli}`

describe('what work asks of the model that it was seen on', () => {
  test.for<[string, ScenarioShape['size'], string]>([
    ['T4', whole(3), '3 whole'],
    ['T4', share(250), 'no MIG 250'],
    ['T4', share(1000), '1 whole'],
    ['T4', mig('1g.5gb'), '1 whole'],
    ['A100-SXM4-80GB', share(250), '2g.20gb 250'],
    ['A100-SXM4-80GB', mig('3g.40gb'), '3g.40gb 429'],
    ['A100-SXM4-80GB', mig('1g.10gb+me'), '1g.10gb 143'],
    ['A100-SXM4-80GB', mig('7g.80gb'), '1 whole'],
    ['A100-SXM4-80GB', mig('9g.90gb'), '1 whole'],
    ['an unknown board', mig('1g.5gb'), '1 whole'],
    ['an unknown board', share(1), 'no MIG 1'],
  ])('%s, %j: %s', ([model, size, need]) => {
    expect(told(needOn(shape(model, size), model, 'same'))).toBe(need)
  })
})

describe('what work asks of another model', () => {
  test.for<[string, ScenarioShape, string, string]>([
    [
      'of one board, of another size it is the smallest with as much',
      shape('A100-SXM4-40GB', mig('3g.20gb')),
      'H100-80GB-HBM3',
      '3g.40gb 429',
    ],
    ['memory decides where compute would do', shape('A100-SXM4-80GB', mig('1g.10gb')), 'A100-SXM4-40GB', '1g.10gb 143'],
    [
      'a board without MIG is shared by the larger of both shares',
      shape('A100-SXM4-40GB', mig('1g.5gb')),
      'T4',
      'no MIG 320',
    ],
    ['whole GPUs stay as many', shape('A100-SXM4-40GB', whole(2)), 'A100-SXM4-80GB', '2 whole'],
    ['too little memory', shape('A100-SXM4-80GB', whole()), 'T4', 'nothing'],
    ['memory that nobody knows', shape('an unknown board', whole()), 'T4', 'nothing'],
    ['memory of the other that nobody knows', shape('T4', whole()), 'an unknown board', 'nothing'],
    [
      'boards of one size, whose drivers keep back unlike amounts',
      shape('A100-SXM4-80GB', whole()),
      'H100-80GB-HBM3',
      '1 whole',
    ],
  ])('%s', ([, work, model, need]) => {
    expect(needOn(work, model, 'same')).toBeUndefined()
    expect(told(needOn(work, model, 'any'))).toBe(need)
  })

  test('is never less than it had: as much compute of its own GPU, and as much memory', () => {
    const models = ['A30', 'A100-SXM4-40GB', 'A100-SXM4-80GB', 'H100-80GB-HBM3'] as const
    const profiles = models.flatMap((model) => {
      const board = boardFor(model)
      return board === undefined ? [] : plainProfiles(board).map((profile) => ({ model, profile, board }))
    })
    fc.assert(
      fc.property(fc.constantFrom(...profiles), fc.constantFrom(...models), ({ model, profile, board }, other) => {
        const need = needOn(shape(model, mig(profile.name)), other, 'any')
        if (need?.kind !== 'part') return
        expect(need.milli / 1000).toBeGreaterThanOrEqual(profile.computeSlices / board.computeSlices)
        // Boards of one size differ a little by what their driver keeps back.
        expect(need.profile?.memory ?? 0).toBeGreaterThanOrEqual((profile.memory ?? 0) * 0.97)
      }),
    )
  })
})
