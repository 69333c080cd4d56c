import { type ActionStore, type Baseline, type Fence, type Store } from '@septet/domain'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { actionRun, fenceOf, intention, minute, TO_APPLYING, transition } from './action-run.fixture.ts'

const ODD = `<b>'"\\\0\ud800${String.fromCodePoint(0x1f680)}`
const MENDED = `<b>'"\\\uFFFD\uFFFD🚀`
const TTL = 30_000
const order = (cluster: string | undefined, because = 'incident') => ({ cluster, at: minute(1), by: 'a@x', because })

/** What every PostgreSQL keeps of runs, asked by two processes. Names are new in each test. */
export function actionStoreBehaves(open: () => Promise<readonly [Store, Store]>): void {
  // Within a group of its own, so that the connections are there for these tests only.
  describe('acting', () => {
    behaves(open)
  })
}

function behaves(open: () => Promise<readonly [Store, Store]>): void {
  let stores: readonly [Store, Store]
  let one: ActionStore
  let two: ActionStore
  let cluster = ''
  beforeAll(async () => {
    stores = await open()
    one = stores[0].actions
    two = stores[1].actions
  })
  afterAll(() => Promise.all(stores.map((each) => each.close())))
  beforeEach(() => {
    cluster = `actions-${Math.random()}`
  })

  const name = (id: string) => `${cluster}/${id}`
  const run = (id: string, rest: Parameters<typeof actionRun>[1] = {}) => actionRun(name(id), { cluster, ...rest })
  const taken = async (of = cluster): Promise<Fence> => {
    const fence = await stores[0].leads.take(of, 'p1', TTL)
    if (fence === undefined) throw new Error('somebody else has it')
    return fence
  }
  /** A run in which writes may be sent. */
  const applying = async (id: string) => {
    await one.propose(run(id))
    for (const each of TO_APPLYING) await one.advance(name(id), each)
    return name(id)
  }

  describe('runs', () => {
    test('come back as they were proposed, and once', async () => {
      const proposed = run('a')
      expect(await one.propose(proposed)).toBe(true)
      expect(await two.propose(run('a', { title: 'another' }))).toBe(false)
      expect(await two.get(proposed.id)).toEqual(proposed)
      expect(await one.get(name('none'))).toBeUndefined()
    })

    test('keep who decided, and for whom, where that is known', async () => {
      const of = { by: 'token:agent', caller: 'token:1', party: 'account:ann' }
      await one.propose(run('a', { transitions: [transition(1, 'proposed', of)] }))
      await one.advance(name('a'), transition(2, 'approved', { ...of, caller: 'token:2', party: undefined }))
      const found = (await two.get(name('a')))?.transitions.map(({ caller, party }) => [caller, party])
      expect(found).toEqual([
        ['token:1', 'account:ann'],
        ['token:2', undefined],
      ])
    })

    test('are proposed once also by two at the same time', async () => {
      const made = await Promise.all([one, two, one, two].map((store) => store.propose(run('a'))))
      expect(made.filter(Boolean)).toHaveLength(1)
      expect((await one.get(name('a')))?.transitions).toHaveLength(1)
    })

    test('are listed newest first, by cluster and state', async () => {
      await one.propose(run('a', { proposedAt: minute(0) }))
      await one.propose(run('b', { proposedAt: minute(2) }))
      await one.propose(run('c', { proposedAt: minute(1) }))
      await one.propose(actionRun(name('other'), { cluster: `${cluster}-other` }))
      const approved = await one.advance(name('c'), transition(2, 'approved'))
      const ids = async (query: object) =>
        (await two.list({ cluster, limit: 10, ...query })).map(({ id }) => id.slice(cluster.length + 1))
      expect(await ids({})).toEqual(['b', 'c', 'a'])
      expect(await ids({ limit: 2 })).toEqual(['b', 'c'])
      expect(await ids({ states: ['approved'] })).toEqual(['c'])
      expect(await ids({ states: ['proposed'] })).toEqual(['b', 'a'])
      expect(await ids({ states: [] })).toEqual([])
      expect(await two.list({ cluster, states: ['approved'], limit: 1 })).toEqual([approved])
      expect((await two.list({ limit: 1000 })).map(({ id }) => id)).toContain(name('other'))
    })

    test('go on one number at a time, and tell where they stand', async () => {
      await one.propose(run('a'))
      expect(await one.advance(name('a'), transition(3, 'approved'))).toBeUndefined()
      const second = transition(2, 'approved', { step: 4, until: minute(30), by: 'a@x' })
      const after = await two.advance(name('a'), second)
      expect(after).toEqual(run('a', { transitions: [transition(1, 'proposed'), second] }))
      expect(await one.advance(name('a'), second)).toBeUndefined()
      expect(await one.get(name('a'))).toEqual(after)
      expect(await one.advance(name('none'), second)).toBeUndefined()
    })

    test('refuse what may not follow, and keep nothing of it', async () => {
      await one.propose(run('a'))
      await expect(one.advance(name('a'), transition(2, 'applied'))).rejects.toThrow(
        'A run that is proposed cannot become applied, so nothing was stored.',
      )
      await expect(one.propose(run('b', { transitions: [transition(1, 'approved')] }))).rejects.toThrow('begins as')
      const leap = run('b', { transitions: [transition(1, 'proposed'), transition(3, 'approved')] })
      await expect(one.propose(leap)).rejects.toThrow('after number 1')
      expect(await one.get(name('b'))).toBeUndefined()
      expect(await one.get(name('a'))).toEqual(run('a'))
    })

    test('of two that add one number at the same time exactly one wins, whatever came before', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: TO_APPLYING.length }),
          fc.integer({ min: 2, max: 6 }),
          async (ahead, rivals) => {
            const id = `${name('race')}-${Math.random()}`
            await one.propose(actionRun(id, { cluster }))
            for (const each of TO_APPLYING.slice(0, ahead)) await one.advance(id, each)
            const next = transition(
              ahead + 2,
              ahead === TO_APPLYING.length ? 'applied' : (TO_APPLYING[ahead]?.state ?? 'failed'),
            )
            const answers = await Promise.all(
              Array.from({ length: rivals }, (_, rival) =>
                (rival % 2 ? one : two).advance(id, { ...next, by: `rival-${rival}` }),
              ),
            )
            const winners = answers.flatMap((answer) => answer ?? [])
            expect(winners).toHaveLength(1)
            expect(await two.get(id)).toEqual(winners[0])
            expect(winners[0]?.transitions.map(({ number }) => number)).toEqual(
              Array.from({ length: ahead + 2 }, (_, index) => index + 1),
            )
          },
        ),
        { numRuns: 25 },
      )
    })

    test('keep hostile texts as far as a database can, and what is approved to the letter', async () => {
      const odd = actionRun(`${name('a')}${ODD}`, {
        cluster: `${cluster}${ODD}`,
        title: ODD,
        object: ODD,
        plan: { ...run('a').plan, title: ODD },
      })
      await one.propose(odd)
      expect(await one.get(odd.id)).toEqual(odd)
      expect(await one.list({ cluster: odd.cluster, limit: 1 })).toEqual([odd])
      const fence = await stores[0].leads.take(odd.cluster, ODD, TTL)
      const after = await one.advance(odd.id, transition(2, 'approved', { because: ODD, by: ODD }), fence)
      expect(after?.transitions[1]).toMatchObject({ because: MENDED, by: MENDED })
      expect(await one.intend(intention(odd.id, { what: ODD, says: ODD, key: ODD }), fence ?? fenceOf('', 0))).toEqual({
        kind: 'recorded',
        number: 1,
      })
      await one.settle(odd.id, 1, { kind: 'refused', at: minute(1), because: ODD })
      const [write] = await one.writes(odd.id)
      expect(write).toMatchObject({ what: MENDED, says: MENDED, key: MENDED, outcome: { because: MENDED } })
      await one.stop({ cluster: odd.cluster, at: minute(0), by: ODD, because: ODD })
      expect(await one.resume(odd.cluster)).toBe(true)
      const long = await one.advance(odd.id, transition(3, 'checked', { because: 'x'.repeat(20_000) }), fence)
      expect(long?.transitions[2]?.because).toHaveLength(20_000)
    })

    test('keep the first baseline, with what was not measured as that', async () => {
      const baseline: Baseline = {
        window: { from: minute(-120), to: minute(0) },
        workload: undefined,
        heldByHour: [2.5, null, 0],
        usdPerGpuHour: undefined,
        priceSource: undefined,
      }
      await one.propose(run('a'))
      expect(await one.baseline(name('a'))).toBeUndefined()
      await one.keepBaseline(name('a'), baseline)
      await two.keepBaseline(name('a'), { ...baseline, heldByHour: [] })
      expect(await two.baseline(name('a'))).toEqual(baseline)
      await expect(one.keepBaseline(name('none'), baseline)).rejects.toThrow('nothing was stored')
    })

    test('keep the newest of what was measured after them, beside the baseline', async () => {
      const baseline: Baseline = {
        window: { from: minute(-120), to: minute(0) },
        workload: 'ml/Job/a',
        heldByHour: [2, null],
        usdPerGpuHour: 2,
        priceSource: 'list',
      }
      const after = { window: { from: minute(60), to: minute(120) }, heldByHour: [null], goneByHour: [0.5] }
      await one.propose(run('a'))
      await one.propose(run('b'))
      await one.keepAfter(name('a'), after)
      expect(await two.measured([name('a')])).toEqual(new Map())
      await one.keepBaseline(name('a'), baseline)
      expect(await two.measured([name('a'), name('b')])).toEqual(new Map([[name('a'), { baseline, after: undefined }]]))
      await one.keepAfter(name('a'), { ...after, heldByHour: [1] })
      await two.keepAfter(name('a'), after)
      expect((await one.measured([name('a')])).get(name('a'))?.after).toEqual(after)
      expect(await one.measured([])).toEqual(new Map())
    })
  })

  describe('writes', () => {
    test('are numbered, and what came of each is kept once', async () => {
      const id = await applying('a')
      const fence = await taken()
      const undo = intention(id, { isUndo: true, step: 2, stops: ['ml/vllm-1', 'ml/vllm-2'] })
      expect(await one.intend(intention(id), fence)).toEqual({ kind: 'recorded', number: 1 })
      expect(await two.intend(undo, fence)).toEqual({ kind: 'recorded', number: 2 })
      const result = { kind: 'done', at: minute(10), because: '' } as const
      await one.settle(id, 2, result)
      await two.settle(id, 2, { ...result, kind: 'refused', because: 'late' })
      await two.settle(id, 7, result)
      expect(await two.writes(id)).toEqual([
        { ...intention(id), number: 1, outcome: undefined },
        { ...undo, number: 2, outcome: result },
      ])
      expect(await one.writes(name('none'))).toEqual([])
    })

    test('that are only rehearsed are numbered with them, and told apart', async () => {
      const id = await applying('a')
      const fence = await taken()
      const rehearsal = intention(id, { isRehearsal: true })
      expect(await one.intend(rehearsal, fence)).toEqual({ kind: 'recorded', number: 1 })
      expect(await one.intend(intention(id), fence)).toEqual({ kind: 'recorded', number: 2 })
      const result = { kind: 'refused', at: minute(10), because: 'denied' } as const
      await one.settle(id, 1, result)
      expect(await two.rehearsals(id)).toEqual([{ ...rehearsal, number: 1, outcome: result }])
      expect((await two.writes(id)).map(({ number }) => number)).toEqual([2])
      expect(await one.intend(rehearsal, fenceOf(cluster, fence.token + 1))).toEqual({ kind: 'fenced' })
      await two.stop(order(cluster))
      expect(await one.intend(rehearsal, fence)).toEqual({ kind: 'stopped', order: order(cluster) })
      await two.resume(cluster)
    })

    test('have numbers without gaps also where many are written down at the same time', async () => {
      const id = await applying('a')
      const fence = await taken()
      const intents = await Promise.all(
        Array.from({ length: 12 }, (_, index) => (index % 2 ? one : two).intend(intention(id), fence)),
      )
      expect(intents.every(({ kind }) => kind === 'recorded')).toBe(true)
      expect((await one.writes(id)).map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
    })

    test('and transitions need the fence of their own cluster', async () => {
      const id = await applying('a')
      const fence = await taken()
      for (const wrong of [fenceOf(cluster, fence.token + 1), await taken(`${cluster}-other`)]) {
        expect(await one.intend(intention(id), wrong)).toEqual({ kind: 'fenced' })
        expect(await one.advance(id, transition(6, 'applied'), wrong)).toBeUndefined()
      }
      expect(await one.intend(intention(name('none')), fence)).toEqual({ kind: 'fenced' })
      expect(await one.writes(id)).toEqual([])
      expect(await one.advance(id, transition(6, 'applied'), fence)).toMatchObject({ id })
    })
  })

  describe('the lead', () => {
    test('once taken over is never used again, in any order of what two processes do', async () => {
      const kind = fc.constantFrom('take', 'release', 'revoke', 'intend', 'intend', 'advance')
      const step = fc.record({ kind, who: fc.nat(1) })
      // Those of one round are done at the same time.
      const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(rounds, async (all) => {
          const own = `${cluster}-${Math.random()}`
          const id = `${own}/a`
          await one.propose(actionRun(id, { cluster: own }))
          for (const each of TO_APPLYING) await one.advance(id, each)
          const fences: [Fence, Fence] = [fenceOf(own, 0), fenceOf(own, 0)]
          /** The highest token that anybody was told of. */
          let newest = 0
          /** Each tells whether it did something in the cluster's name. */
          const acts: Record<string, (store: ActionStore, who: 0 | 1, fence: Fence) => Promise<boolean>> = {
            revoke: () => stores[0].leads.revoke(own).then(() => false),
            release: (_store, who, fence) => stores[who].leads.release(fence).then(() => false),
            take: async (_store, who) => {
              // It is over as soon as it is taken.
              const got = await stores[who].leads.take(own, `p${who}`, -1)
              if (got !== undefined) fences[who] = got
              newest = Math.max(newest, got?.token ?? 0)
              return false
            },
            intend: async (store, _who, fence) =>
              (await store.intend(intention(id, { key: String(fence.token) }), fence)).kind === 'recorded',
            advance: async (store, _who, fence) => {
              const number = ((await store.get(id))?.transitions.length ?? 0) + 1
              const next = transition(number, 'applying', { by: String(fence.token) })
              return (await store.advance(id, next, fence)) !== undefined
            },
          }
          for (const round of all) {
            const before = newest
            const acted = await Promise.all(
              round.map(async (each) => {
                const who = each.who === 0 ? 0 : 1
                const fence = fences[who]
                const did = await acts[each.kind]?.(who === 0 ? one : two, who, fence)
                return did === true ? [fence.token] : []
              }),
            )
            expect(acted.flat().filter((token) => token < before)).toEqual([])
          }
          const written = (await one.writes(id)).map(({ key }) => Number(key))
          expect(written).toEqual(written.toSorted((a, b) => a - b))
          const advanced = (await one.get(id))?.transitions.slice(5).map(({ by }) => Number(by)) ?? []
          expect(advanced).toEqual(advanced.toSorted((a, b) => a - b))
        }),
        { numRuns: 40 },
      )
    })
  })

  describe('stop orders', () => {
    test('stop what is about to be written, undoing too, until they are lifted', async () => {
      const id = await applying('a')
      const fence = await taken()
      await two.stop(order(cluster, 'first'))
      await two.stop(order(cluster))
      await two.stop(order(`${cluster}-other`))
      for (const isUndo of [false, true]) {
        expect(await one.intend(intention(id, { isUndo }), fence)).toEqual({ kind: 'stopped', order: order(cluster) })
      }
      await two.stop(order(undefined))
      expect(await one.stops()).toEqual(
        expect.arrayContaining([order(undefined), order(cluster), order(`${cluster}-other`)]),
      )
      expect((await one.stops()).filter((each) => each.cluster === cluster)).toHaveLength(1)
      expect(await one.resume(cluster)).toBe(true)
      expect(await one.resume(cluster)).toBe(false)
      expect(await one.intend(intention(id), fence)).toEqual({ kind: 'stopped', order: order(undefined) })
      expect(await two.resume(undefined)).toBe(true)
      expect(await one.intend(intention(id), fence)).toEqual({ kind: 'recorded', number: 1 })
    })

    test('once given let nothing through that was begun before', async () => {
      const id = await applying('a')
      const fence = await taken()
      for (let round = 0; round < 5; round += 1) {
        const intents = Array.from({ length: 12 }, (_, index) => (index % 2 ? one : two).intend(intention(id), fence))
        await two.stop(order(cluster))
        const atOnce = (await one.writes(id)).length
        await Promise.all(intents)
        expect(await one.writes(id)).toHaveLength(atOnce)
        await two.resume(cluster)
      }
    })
  })

  test('forgets one cluster alone', async () => {
    const id = await applying('a')
    const fence = await taken()
    await one.intend(intention(id), fence)
    await one.stop({ cluster, at: minute(0), by: 'a@x', because: 'x' })
    const other = actionRun(name('other'), { cluster: `${cluster}-other` })
    await one.propose(other)
    await one.forget(cluster)
    expect(await one.list({ cluster, limit: 1 })).toEqual([])
    expect(await one.get(id)).toBeUndefined()
    expect(await one.writes(id)).toEqual([])
    expect((await one.stops()).filter((each) => each.cluster === cluster)).toEqual([])
    expect(await one.get(other.id)).toEqual(other)
  })
}
