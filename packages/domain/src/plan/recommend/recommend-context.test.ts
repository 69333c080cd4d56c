import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { gpuHours } from '../../units.ts'
import { slackFor, workloadsToStudy } from './recommend-context.ts'

const id = (name: string) => `lab/Pod/${name}`

describe('whose past is read', () => {
  const snapshot = draw`
    a  A100-SXM4-80GB  [lab/one]
    a  A100-SXM4-80GB  [lab/two]
    a  A100-SXM4-80GB  [lab/two]
    b  A100-SXM4-80GB  [3g.40gb lab/part] [3g.40gb -]
    ?  lab/waits  gpu`
  test('is that of who holds most now, equal ones by name, and of nobody who waits', () => {
    expect(workloadsToStudy(snapshot)).toEqual(['two', 'one', 'part'].map(id))
    expect(workloadsToStudy(snapshot, [], 1)).toEqual([id('two')])
    expect(workloadsToStudy({ ...snapshot, nodes: [], allocations: [] })).toEqual([])
  })
  test('is half that of who idled most, as far as they still hold something', () => {
    const usage = [
      { id: id('part'), idleHours: gpuHours(5) },
      { id: id('one'), idleHours: gpuHours(9) },
      { id: id('two'), idleHours: gpuHours(0) },
      { id: id('gone'), idleHours: gpuHours(99) },
    ]
    expect(workloadsToStudy(snapshot, usage, 2)).toEqual(['one', 'two'].map(id))
    expect(workloadsToStudy(snapshot, usage, 3)).toEqual(['one', 'two', 'part'].map(id))
    expect(workloadsToStudy(snapshot, usage)).toEqual(['one', 'part', 'two'].map(id))
  })
})

const before = (kind: string, object: string) => (kind === 'share' && object === 'node/a' ? {} : undefined)

test('a limit gives way by a tenth for what was recommended before, so that it does not come and go', () => {
  const context = { before } as Parameters<typeof slackFor>[0]
  expect(slackFor(context, 'share', 'node/a')).toBe(0.9)
  expect(slackFor(context, 'share', 'node/b')).toBe(1)
  expect(slackFor(context, 'remove-node', 'node/a')).toBe(1)
})
