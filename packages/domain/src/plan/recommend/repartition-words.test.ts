import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { missingWords, repartitionTitle } from './repartition.ts'

const { nodes } = draw`
  node-a  H100-80GB-HBM3  [-]
  node-a  H100-80GB-HBM3  [-]
  node-a  H100-80GB-HBM3  [-]
  node-a  H100-80GB-HBM3  [-]
  node-b  H100-80GB-HBM3  [-]
`
const change = (on: string, index: number, profiles: readonly string[]) => {
  const node = nodes.find(({ name }) => name === on)
  const gpu = node?.gpus[index]
  if (node === undefined || gpu === undefined) throw new Error('it was not drawn')
  const layout = profiles.map((profile, at) => ({ profile, placement: { start: at, size: 1 } }))
  return { node, gpu, target: { gpu: gpu.id, migEnabled: true, layout } }
}

test('a title says which GPU gets what', () => {
  const large = change('node-a', 0, ['7g.80gb'])
  const halves = change('node-a', 1, ['3g.40gb', '3g.40gb'])
  expect(repartitionTitle([halves, large])).toBe('Repartition node-a: GPU 0 to 1 × 7g.80gb, GPU 1 to 2 × 3g.40gb')
})

test('GPUs that get the same are told together, and of many changes the first', () => {
  const alike = [2, 0].map((index) => change('node-a', index, ['7g.80gb']))
  expect(repartitionTitle(alike)).toBe('Repartition node-a: GPUs 0 and 2 to 1 × 7g.80gb')
  const many = [['7g.80gb'], ['3g.40gb'], ['2g.20gb'], ['1g.10gb']].map((cut, index) => change('node-a', index, cut))
  expect(repartitionTitle(many)).toBe(
    'Repartition node-a: GPU 0 to 1 × 7g.80gb, GPU 1 to 1 × 3g.40gb, GPU 2 to 1 × 2g.20gb and 1 more GPU',
  )
})

test('GPUs of several nodes are named with their node', () => {
  const both = [change('node-b', 0, ['7g.80gb']), change('node-a', 3, ['7g.80gb'])]
  expect(repartitionTitle(both)).toBe('Repartition GPU 3 on node-a to 1 × 7g.80gb, GPU 0 on node-b to 1 × 7g.80gb')
})

test('what is waited for is slices or GPUs, one or several', () => {
  const slice = { resource: 'nvidia.com/mig-3g.40gb', count: 1 }
  const gpu = { resource: 'nvidia.com/gpu', count: 1 }
  expect(missingWords([slice])).toBe('a slice')
  expect(missingWords([slice, slice])).toBe('slices')
  expect(missingWords([{ ...gpu, count: 2 }])).toBe('GPUs')
  expect(missingWords([slice, gpu, slice])).toBe('slices and a GPU')
})
