import { partsOfSnapshot } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { expect, test } from 'vitest'

import { nodePictures, pictureParts } from './node-pictures.ts'

const drawn = draw`
  node-a  A100-SXM4-80GB  [4g.40gb -] [3g.40gb lab/train-7]
  node-b  H100-80GB-HBM3  [lab/serve]
  node-c  H100-80GB-HBM3  [-]`

test('node by node they say what the whole picture says', () => {
  const parts = nodePictures(drawn).flatMap((one) => pictureParts(one))
  expect(parts).toEqual(partsOfSnapshot({ ...drawn, workloads: [] }))
  expect(parts.map(({ pod }) => pod)).toContain('lab/serve')
})

test('a new picture has the same objects of nodes that are as before, also where their holders were read again', () => {
  const before = nodePictures(drawn)
  const after = nodePictures({ ...drawn, allocations: drawn.allocations.map((one) => ({ ...one })) })
  expect(after.map((one, at) => one === before[at])).toEqual([true, true, true])
})

test('and another one of a node whose holders have changed, or are now kept from the caller', () => {
  const before = nodePictures(drawn)
  const [first, ...others] = drawn.allocations
  const gone = nodePictures({ ...drawn, allocations: others })
  expect(gone.map((one, at) => one === before[at])).toEqual([false, true, true])
  expect(gone[0]?.allocations).toEqual([])
  const kept = nodePictures({ ...drawn, allocations: others, heldByOthers: new Set([first?.partition ?? '']) })
  expect(kept.map((one, at) => one === gone[at])).toEqual([false, false, false])
})
