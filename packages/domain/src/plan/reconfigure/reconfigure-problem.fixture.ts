import * as fc from 'fast-check'

import type { Actuator } from '../../gpu/actuator.ts'
import type { Board } from '../../gpu/board.ts'
import { enumerateLayouts } from '../../gpu/enumerate-layouts.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { placeAt, type Layout } from '../../gpu/layout.ts'
import type { GpuNow, ReconfigureProblem } from './reconfigure-problem.ts'

export function boardOf(model: string): Board {
  const board = boardFor(model)
  if (board === undefined) throw new Error(model)
  return board
}

/** A GPU that runs this layout, a pod that may move on each instance. */
export const gpuOf =
  (board: Board, actuator: Actuator) =>
  (layout: Layout, index: number): GpuNow => ({
    gpu: `gpu-${index}`,
    supplyClass: 'class',
    board,
    actuator,
    instances: layout.map((instance) => ({
      ...instance,
      partition: `gpu-${index}/${instance.placement.start}`,
      pod: `team/pod-${index}-${instance.placement.start}`,
      movable: true,
    })),
  })

export const demand = (id: string, profile: string, count: number) => ({
  id,
  count,
  fits: [{ supplyClass: 'class', profile }],
})

export const one = (board: Board, name: string, start: number): Layout => {
  const profile = board.profiles.find((each) => each.name === name)
  return profile === undefined ? [] : [placeAt(profile, start)]
}

/** Random layouts on few GPUs, and what is wanted beside them. */
export const reconfigureProblems = (
  board: Board,
  actuator: Actuator,
  most: number,
): fc.Arbitrary<ReconfigureProblem> => {
  const layouts = enumerateLayouts(board)
  const names = [...new Set(layouts.flatMap((layout) => layout.map(({ profile }) => profile)))].toSorted()
  return fc
    .record({
      layouts: fc.array(fc.constantFrom(...layouts), { minLength: 1, maxLength: most }),
      wanted: fc.array(fc.constantFrom(...names), { maxLength: most }),
    })
    .map(({ layouts: running, wanted }) => ({
      gpus: running.map(gpuOf(board, actuator)),
      demands: [...new Set(wanted)].map((name) => demand(name, name, wanted.filter((each) => each === name).length)),
    }))
}
