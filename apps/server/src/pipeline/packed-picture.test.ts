import { setImmediate as turn } from 'node:timers/promises'

import type { Allocation } from '@septet/domain'
import { expect, test } from 'vitest'

import { draw } from '../../../../packages/domain/src/cluster/draw.ts'
import type { ClusterPicture } from '../facts.ts'
import { packPicture, unpackPicture } from './packed-picture.ts'

const drawn = draw`node-a  A100-SXM4-80GB  [4g.40gb -] [3g.40gb lab/train-7]`
const numbered = <Value>(length: number, of: (index: number) => readonly Value[]): Value[] =>
  Array.from({ length }, (_, index) => of(index)).flat()
const large: ClusterPicture = {
  nodes: numbered(250, (index) => drawn.nodes.map((node) => ({ ...node, name: `node-${index}` }))),
  allocations: numbered(9001, (index) => drawn.allocations.map((one): Allocation => ({ ...one, pod: `lab/${index}` }))),
  workloads: drawn.workloads,
}

test('a picture comes over whole, in its order', async () => {
  const { picture, whole } = unpackPicture(packPicture(large))
  await whole
  expect(picture()).toEqual(large)
  expect(picture()).toBe(picture())
})

test.each([0, 1, 2, 3, 4])('looked at after %i turns it is whole too, and stays as it is', async (turns) => {
  const { picture, whole } = unpackPicture(packPicture(large))
  for (let time = 0; time < turns; time += 1) await turn()
  const early = picture()
  expect(early).toEqual(large)
  await whole
  expect(picture()).toBe(early)
  expect(early.allocations).toHaveLength(9001)
})

test('an empty one is a picture', async () => {
  const { picture, whole } = unpackPicture(packPicture({ nodes: [], allocations: [], workloads: [] }))
  await whole
  expect(picture()).toEqual({ nodes: [], allocations: [], workloads: [] })
})
