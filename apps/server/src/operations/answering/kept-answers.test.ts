import { OPERATIONS, type Operation, type OperationKey, type ServerEvent } from '@septet/contract'
import type { Caller } from '@septet/domain'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import type { ClusterFacts } from '../../facts.ts'
import { SAMPLE_ANSWERS } from '../sample/sample-answers.ts'
import { ADMIN } from './admin-caller.fixture.ts'
import { answering, type Answers, type Implemented } from './answering.ts'
import { openAudited } from './audited.ts'
import { factsOf } from './facts.fixture.ts'
import { KeptAnswers, SHARED, textOf } from './kept-answers.ts'

const snapshot = draw`a  H100-80GB-HBM3  [lab/train]`
const AT = new Date(DRAWN_AT).toISOString()

/** Of which nothing can be said. */
const trend = (note = '') => ({ points: [], models: [], note })

let now: number
let editions: Record<string, object>
let kept: KeptAnswers
let publish: (event: ServerEvent) => void
let answers: Answers
/** How often each cluster was asked. */
let made: Record<string, number>
let make: () => Promise<object>

const cluster = (id: string): ClusterFacts => ({
  ...factsOf(snapshot, [], { id, name: id, kind: 'cluster', createdAt: DRAWN_AT }),
  edition: () => (editions[id] ??= {}),
})
const clusters = ['one', 'two'].map(cluster)

beforeEach(() => {
  now = 0
  editions = {}
  made = {}
  make = async () => trend()
  kept = new KeptAnswers(() => now, { follow: (heard) => (publish = (event) => heard({ event })) })
  answers = openAnswers(kept, clusters)
})

function openAnswers(sharing: KeptAnswers, of: readonly ClusterFacts[]): Answers {
  const audited = openAudited(
    async () => undefined,
    () => now,
  )
  const implemented = {
    utilizationTrend: ({ record: { id } }: ClusterFacts) => {
      made[id] = (made[id] ?? 0) + 1
      return make()
    },
    alertsList: () => make(),
    budgetsPut: async () => {
      throw new Error('half of it is written')
    },
  }
  const facts = { clusters: () => of }
  return answering({ facts, audited, sample: SAMPLE_ANSWERS, kept: sharing })(
    implemented as Partial<Implemented> as Implemented,
  )
}

const ask = (input: object = { cluster: 'one' }, caller: Caller = ADMIN) => answers.utilizationTrend(input, caller)

describe('what is shared', () => {
  test('is read of one cluster by those who look, and events say when it is old', () => {
    for (const key of SHARED) {
      const { role, method, effect, reach, staleAfter, input }: Operation = OPERATIONS[key]
      const [isStale, isOfCluster] = [(staleAfter ?? []).length > 0, 'cluster' in input.shape]
      expect({ key, role, method, effect, reach, isStale, isOfCluster }).toEqual({
        key,
        role: 'viewer',
        method: 'GET',
        effect: 'read',
        reach: 'namespaces',
        isStale: true,
        isOfCluster: true,
      })
    }
  })

  test('is nothing that tells of a person or of what somebody decides by', () => {
    const own: OperationKey[] = ['sessionMe', 'tokensList', 'auditList', 'copilotHistory', 'actionsGet', 'alertsList']
    for (const key of own) expect(SHARED.has(key)).toBe(false)
  })
})

describe('one answer', () => {
  test('is made for all who ask at once', async () => {
    const waiting = Promise.withResolvers<object>()
    make = () => waiting.promise
    const all = Array.from({ length: 200 }, () => ask())
    await new Promise(setImmediate)
    waiting.resolve(trend())
    expect(new Set(await Promise.all(all)).size).toBe(1)
    expect(made).toEqual({ one: 1 })
  })

  test('is that of a question that is written in another way', async () => {
    const first = await ask({ cluster: 'one', range: '24h' })
    expect(await ask({ range: '24h', cluster: 'one' })).toBe(first)
    expect(await ask({ cluster: 'one', range: '7d' })).not.toBe(first)
  })

  test('is written once', async () => {
    make = async () => trend('written')
    const answer = await ask()
    expect(JSON.parse(textOf(answer) ?? '')).toEqual(answer)
    expect(textOf({ points: [] })).toBeUndefined()
  })

  test.each<[string, Partial<Caller>]>([
    ['a viewer', { role: 'viewer' }],
    ['a visitor', { kind: 'visitor', role: 'viewer' }],
    ['one of some clusters', { clusters: ['one'] }],
    ['one of other clusters', { clusters: ['one', 'two'] }],
    ['one of some namespaces', { namespaces: ['lab'] }],
    ['one of no namespace', { namespaces: [] }],
  ])('is not that of %s', async (_who, rights) => {
    const first = await ask()
    expect(await ask({ cluster: 'one' }, { ...ADMIN, ...rights })).not.toBe(first)
    expect(made).toEqual({ one: 2 })
  })

  test('is that of two people with the same rights', async () => {
    const other: Caller = { ...ADMIN, id: 'account:2', name: 'other@septet.local', party: 'account:2', ip: '10.0.0.9' }
    expect(await ask({ cluster: 'one' }, other)).toBe(await ask())
  })

  test('is given to nobody who may not ask', async () => {
    await ask()
    await expect(ask({ cluster: 'one' }, { ...ADMIN, clusters: ['two'] })).rejects.toThrow('no cluster "one"')
  })
})

describe('an answer is made anew', () => {
  test('once it is a second old, counted from when it was begun', async () => {
    make = async () => {
      now += 400
      return trend()
    }
    const first = await ask()
    now = 999
    expect(await ask()).toBe(first)
    now = 1000
    expect(await ask()).not.toBe(first)
  })

  test('where facts of its cluster have changed, also while it was made', async () => {
    const other = await ask({ cluster: 'two' })
    const waiting = Promise.withResolvers<object>()
    make = () => waiting.promise
    const early = ask()
    editions['one'] = {}
    make = async () => trend('new')
    expect(await ask()).toMatchObject(trend('new'))
    waiting.resolve(trend('old'))
    await early
    expect(await ask()).toMatchObject(trend('new'))
    expect(await ask({ cluster: 'two' })).toBe(other)
  })

  test('after an event of its cluster, and after one that is of all', async () => {
    const [one, two] = [await ask(), await ask({ cluster: 'two' })]
    publish({ kind: 'agents', asOf: AT })
    publish({ kind: 'recommendations', cluster: 'two', asOf: AT })
    expect(await ask()).toBe(one)
    expect(await ask({ cluster: 'two' })).not.toBe(two)
    publish({ kind: 'reset', asOf: AT })
    expect(await ask()).not.toBe(one)
  })

  test('after something was written, also where that failed', async () => {
    const first = await ask()
    const budget = { id: 'all', cluster: 'one', scope: 'cluster', usdPerMonth: 5, zone: 'UTC' }
    await expect(answers.budgetsPut(budget, ADMIN)).rejects.toThrow('half of it')
    expect(await ask()).not.toBe(first)
  })

  test('after a failure, which only those are told who waited', async () => {
    make = async () => {
      throw new Error('away')
    }
    const both = await Promise.allSettled([ask(), ask()])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(made).toEqual({ one: 1 })
    make = async () => trend()
    expect(await ask()).toMatchObject(trend())
  })

  test('where its text is very long, once everybody who waited has it', async () => {
    make = async () => trend('x'.repeat(2 * 1024 * 1024))
    const [first, second] = await Promise.all([ask(), ask()])
    expect(second).toBe(first)
    expect(await ask()).not.toBe(first)
  })

  test('where many others were asked since', async () => {
    const first = await ask()
    // Each may see another namespace.
    const many = Array.from({ length: 48 }, (_, order) => ({ ...ADMIN, namespaces: [`team-${order}`] }))
    for (const other of many) await ask({ cluster: 'two' }, other)
    expect(await ask()).not.toBe(first)
  })

  test('where nothing says when its facts change, and where somebody decides by it', async () => {
    const { edition: _edition, ...silent } = cluster('one')
    answers = openAnswers(kept, [silent])
    expect(await ask()).not.toBe(await ask())
    answers = openAnswers(kept, clusters)
    expect(await answers.alertsList({ cluster: 'one' }, ADMIN)).not.toBe(
      await answers.alertsList({ cluster: 'one' }, ADMIN),
    )
  })
})
