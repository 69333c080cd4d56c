import type { ModelSection, Allocation } from '@septet/domain'
import { instant } from '@septet/domain'
import { expect, test } from 'vitest'

import { draw } from '@septet/domain/testing'
import type { ClusterFacts, ClusterPicture } from '../facts.ts'
import { ListWriter } from './list-writer.ts'
import { ModelWriter } from './model-writer.ts'
import { ReadModel } from './read-model.ts'

const items = Array.from({ length: 5000 }, (_, index) => ({ id: `lab/pod-${index * 7919}` }))
const joined = (written: { order: readonly number[] }, known: Map<number, readonly { id: string }[]>) =>
  written.order.flatMap((number) => known.get(number) ?? [])

test('pieces make the list again, whatever comes, goes or changes', () => {
  const writer = new ListWriter<{ id: string }>(100, ({ id }) => id)
  const known = new Map<number, readonly { id: string }[]>()
  const lists = [
    items,
    items.slice(1),
    [...items.slice(0, 2500), { id: 'lab/new' }, ...items.slice(2500)],
    items.with(4000, { id: items[4000]?.id ?? '' }),
    [],
    items.toReversed(),
  ]
  for (const list of lists) {
    const written = writer.write(list)
    for (const { number, items: fresh } of written.fresh) known.set(number, fresh)
    for (const number of written.gone) known.delete(number)
    expect(joined(written, known)).toEqual(list)
    expect(known.size).toBe(written.order.length)
  }
})

test('one item that comes, goes or changes costs a piece or two, not the list', () => {
  const writer = new ListWriter<{ id: string }>(100, ({ id }) => id)
  expect(writer.write(items).fresh.length).toBeGreaterThan(20)
  const changes = [
    items.toSpliced(2500, 0, { id: 'lab/new' }),
    items,
    items.toSpliced(10, 1),
    items.with(99, { id: 'x' }),
  ]
  for (const changed of changes) expect(writer.write(changed).fresh.length).toBeLessThanOrEqual(3)
  expect(writer.write(changes[3] ?? []).fresh).toEqual([])
})

test('a picture is read whole, and a change of one pod is one piece of it', async () => {
  const drawn = draw`node-a  A100-SXM4-80GB  [4g.40gb -] [3g.40gb lab/train-7]`
  const [node, allocation] = [drawn.nodes[0], drawn.allocations[0]]
  if (node === undefined || allocation === undefined) throw new Error('a node with a holder is drawn')
  const nodes = Array.from({ length: 250 }, (_, index) => ({ ...node, name: `node-${index}` }))
  const allocations = Array.from({ length: 9001 }, (_, index): Allocation => ({ ...allocation, pod: `lab/${index}` }))
  const before: ClusterPicture = { nodes, allocations, workloads: drawn.workloads }
  const after = { ...before, allocations: allocations.with(5000, { ...allocation, pod: 'lab/other' }) }
  let picture = before
  const written: (readonly ModelSection[])[] = []
  const model = new ReadModel()
  const writer = new ModelWriter({
    facts: factsOf(() => picture),
    firstVersion: 0,
    write: (sections) => {
      written.push(sections)
      model.take(sections)
    },
    answer: () => undefined,
  })
  writer.publish()
  expect(model.picture()).toEqual(before)
  expect(model.picture()).toBe(model.picture())
  picture = after
  writer.publish()
  await model.settled()
  expect(model.picture()).toEqual(after)
  expect(written[1]?.filter(({ bytes }) => bytes !== undefined).length).toBeLessThanOrEqual(3)
})

const factsOf = (picture: () => ClusterPicture): ClusterFacts => {
  const [samples, idle, targets] = [new Map(), new Set<string>(), []]
  return {
    record: { id: 'c', name: 'C', kind: 'cluster', createdAt: instant(0) },
    connection: () => ({ kind: 'connecting', lastContact: undefined, problems: [] }),
    picture,
    size: () => undefined,
    samples: () => samples,
    idle: () => idle,
    targets: () => targets,
    problems: () => [],
    asOf: () => undefined,
    history: () => undefined,
    acting: () => ({ kind: 'observe' }),
    admission: () => undefined,
    health: () => undefined,
    analysis: async () => undefined,
    plan: async () => undefined,
    files: async () => undefined,
    tokens: async () => ({ kind: 'unread', because: 'nobody counts' }),
    outlook: async () => undefined,
    judge: async () => [],
    start: async () => undefined,
    workload: async () => undefined,
  }
}
