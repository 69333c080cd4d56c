import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import { asking, owned, past, sourcesOf, waitingFor } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'

/** A node of four GPUs that are free but for what is drawn on the first two, and small work that waits. */
const node = (model: string, big: string, more = '') =>
  waitingFor(
    asking(draw`
      node-a  ${model}  [${big}]
      node-a  ${model}  [${big}]
      node-a  ${model}  [-]
      node-a  ${model}  [-]
      ?       lab/w  3g.40gb
      ${more}`),
    3,
  )

const cut = (...drawn: Parameters<typeof node>) =>
  recommend(sourcesOf(node(...drawn))).recommendations.filter(({ kind }) => kind === 'repartition')

test('a node whose GPUs are joined is not cut while work that spans half of them runs or waits there', () => {
  expect(cut('H100-80GB-HBM3', 'lab/train')).toEqual([])
  expect(cut('H100-80GB-HBM3', '-', '?  lab/big  gpu ×4')).toEqual([])
  // It may not run there, spans too few of them, or they are not joined.
  expect(cut('H100-80GB-HBM3', '-', '?  lab/big  gpu ×4 zone=b')).toHaveLength(1)
  expect(cut('H100-80GB-HBM3', '-', '?  lab/one  gpu')).toHaveLength(1)
  expect(cut('H100-PCIe', 'lab/train')).toHaveLength(1)
})

const doing = (ago: number) => ({ busy: ago % 2 === 0 ? 0.01 : 0.1, memory: 3000 + 20 * (ago % 5) })

test('a smaller size is not cut from it either, and its holder is told why', () => {
  const cluster = owned(
    asking(draw`
      node-a  H100-80GB-HBM3  [lab/train]
      node-a  H100-80GB-HBM3  [lab/train]
      node-a  H100-80GB-HBM3  [lab/chat-1]`),
    ['lab/chat-1'],
  )
  const rows = past(cluster, 'lab/chat-1', { hours: 168, doing })
  const { recommendations, unanswered } = recommend(sourcesOf(cluster, { rows }))
  expect(recommendations.filter(({ object }) => object.includes('chat'))).toEqual([])
  expect(unanswered).toMatchObject([
    { workload: 'lab/Deployment/chat', reason: 'kept-whole', because: expect.stringContaining('stay whole') },
  ])
})
