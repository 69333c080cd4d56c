import * as fc from 'fast-check'

import type { Board } from '../../gpu/board.ts'
import { BOARDS } from '../../gpu/known-boards.ts'
import { usdPerGpuHour } from '../../units.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { DemandClass, Fit, LayoutProblem, SupplyClass } from './layout-problem.ts'

function board(key: string): Board {
  const found = BOARDS.find((candidate) => candidate.key === key)
  if (found === undefined) throw new Error(`no board ${key}`)
  return found
}

export const supply = (id: string, parts: Partial<SupplyClass> = {}): SupplyClass => ({
  id,
  model: id,
  pool: 'pool',
  board: board('A100-80GB'),
  supply: 100,
  price: usdPerGpuHour(1),
  actuator: 'mig-manager',
  ...parts,
})

/** `'1g.10gb'` on class `a`, or `'b 1g.10gb'` with the class named. */
export const demand = (id: string, count: number, ...fits: readonly string[]): DemandClass => ({
  id,
  count,
  fits: fits.map((fit): Fit => {
    const [supplyClass = 'a', profile] = fit.includes(' ') ? fit.split(' ') : ['a', fit]
    return { supplyClass, profile: profile ?? WHOLE_GPU }
  }),
})

export type Size = { readonly supply: number; readonly count: number; readonly demands: number }

const MENUS = [board('A100-80GB'), board('H100-80GB-SXM5'), board('A30-24GB'), undefined]

/** Problems with up to three classes, some of them without a price, a board or a GPU. */
export const layoutProblems = (size: Size): fc.Arbitrary<LayoutProblem> =>
  fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) =>
          fc
            .record({
              board: fc.constantFrom(...MENUS),
              supply: fc.integer({ min: 0, max: size.supply }),
              price: fc.constantFrom(1, 1.5, 2.25, 4, 4, undefined),
            })
            .map((parts) =>
              supply(id, {
                ...parts,
                price: parts.price === undefined ? undefined : usdPerGpuHour(parts.price),
              }),
            ),
        ),
      ),
    )
    .chain((classes) => {
      const fits = classes.flatMap(({ id, board: menu }): Fit[] =>
        [...(menu?.profiles ?? []).map(({ name }) => name), WHOLE_GPU].map((profile) => ({ supplyClass: id, profile })),
      )
      const demands = fc
        .array(
          fc.record({
            count: fc.integer({ min: 0, max: size.count }),
            fits: fc.uniqueArray(fc.constantFrom(...fits), { maxLength: 3 }),
          }),
          { maxLength: size.demands },
        )
        .map((list) => list.map((each, index): DemandClass => ({ id: `demand-${index}`, ...each })))
      return demands.map((list): LayoutProblem => ({ classes, demands: list }))
    })
