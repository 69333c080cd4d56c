import { expect, test } from 'vitest'

import { ratio } from '../units.ts'
import { draw } from './draw.fixture.ts'
import { whyReserved, withCaches } from './reserved-cache.ts'
import type { ReservedCache } from './workload.ts'

const cache = (peak: number): ReservedCache => ({ engine: 'vLLM', peak: ratio(peak) })
const [first] = draw`a  A100-SXM4-80GB  [lab/chat]`.workloads
const chat = { id: 'lab/Deployment/chat', pods: ['lab/chat-1', 'lab/chat-2', 'lab/chat-3'] }
const workloads = first === undefined ? [] : [{ ...first, ...chat }, first]

test('work has the cache of its fullest pod, and none where no engine tells of one', () => {
  const caches = new Map([
    ['lab/chat-1', cache(0.2)],
    ['lab/chat-2', cache(0.7)],
    ['web/other', cache(0.9)],
  ])
  expect(withCaches(workloads, caches).map((each) => each.cache)).toEqual([cache(0.7), undefined])
  expect(withCaches(workloads, new Map())).toEqual(workloads)
})

test('memory that an engine reserved for a cache says nothing of what the work needs, unless the cache was full', () => {
  expect(whyReserved({ cache: cache(0.35) })).toBe(
    'vLLM reserves its memory for a KV cache, of which at most 35% was in use in the last week: memory in use is not what it needs. Let it reserve less, and measure again',
  )
  expect(whyReserved({ cache: cache(0.899) })).toContain('at most 90%')
  expect(whyReserved({ cache: cache(0.9) })).toBeUndefined()
  expect(whyReserved({})).toBeUndefined()
})
