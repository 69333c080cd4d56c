import { describe, expect, test } from 'vitest'

import type { Quota } from './scheduling.ts'
import { limits, quotaName } from './quota-limits.ts'

const quota = (change: Partial<Quota>): Quota =>
  ({ id: 'lab/gpus', namespace: 'lab', limits: {}, used: {}, ...change }) as Quota
const WORK = { namespace: 'lab', queue: 'team-a' }

describe('a quota limits', () => {
  test.each<[string, Partial<Quota>, boolean]>([
    ['work of its namespace', {}, true],
    ['no work of another namespace', { namespace: 'web' }, false],
    ['work of its queue, of whatever namespace', { namespace: '', queue: 'team-a' }, true],
    ['no work of another queue', { namespace: 'lab', queue: 'team-b' }, false],
    ['work of a queue below it', { queue: 'department', below: ['team-a', 'team-b'] }, true],
    ['no work of a queue that is not below it', { queue: 'department', below: ['team-b'] }, false],
    ['no work of a queue of that name that another scheduler has', { queue: 'team-a', queueOwner: 'Volcano' }, false],
  ])('%s', (_, change, limited) => expect(limits(quota(change), WORK)).toBe(limited))

  test('no work that stands in no queue, where it is for a queue', () => {
    expect(limits(quota({ queue: 'team-a' }), { ...WORK, queue: undefined })).toBe(false)
  })
})

test.each<[Partial<Quota>, string]>([
  [{}, 'the quota lab/gpus'],
  [{ queue: 'team-a' }, 'the cluster queue team-a'],
  [{ queue: 'team-a', queueOwner: 'Volcano' }, 'the Volcano queue team-a'],
])('%j is called %s', (change, name) => expect(quotaName(quota(change))).toBe(name))
