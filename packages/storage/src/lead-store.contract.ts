import { instant, type Fence, type LeadStore, type Store } from '@septet/domain'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { actionRun } from './action-run.fixture.ts'
import { usageRow } from './usage-row.fixture.ts'

const LONG = 3_600_000
/** As soon as it is taken it is over. */
const OVER = -1

/** How every store keeps who leads, asked by two servers. */
export function leadStoreBehaves(open: () => Promise<readonly [LeadStore, LeadStore]>): void {
  describe('leads', () => {
    behaves(open)
  })
}

function behaves(open: () => Promise<readonly [LeadStore, LeadStore]>): void {
  let one: LeadStore
  let two: LeadStore
  let cluster = ''
  beforeAll(async () => {
    ;[one, two] = await open()
  })
  beforeEach(() => {
    cluster = `leads-${Math.random()}`
  })
  const taken = async (store: LeadStore, holder: string, forMs = LONG): Promise<Fence> => {
    const lead = await store.take(cluster, holder, forMs)
    if (lead === undefined) throw new Error('another has it')
    return lead
  }

  test('are taken by one, kept while they are renewed, and taken again with a higher token', async () => {
    const first = await taken(one, 'a')
    expect(await two.take(cluster, 'b', LONG)).toBeUndefined()
    expect(await one.take(cluster, 'a', LONG)).toBeUndefined()
    expect(await two.led()).toContainEqual({ cluster, holder: 'a', asked: undefined })
    expect(await one.renew([first], OVER)).toEqual([first])
    expect((await two.led()).map((led) => led.cluster)).not.toContain(cluster)
    expect((await two.led(LONG)).map((led) => led.cluster)).toContain(cluster)
    const second = await taken(two, 'b')
    expect(second).toEqual({ cluster, token: first.token + 1 })
    expect(await one.renew([first, second], LONG)).toEqual([second])
    await one.release(first)
    expect(await one.take(cluster, 'a', LONG)).toBeUndefined()
    await two.release(second)
    expect(await two.renew([second], LONG)).toEqual([])
    expect((await taken(one, 'a')).token).toBe(second.token + 1)
  })

  test('that are over go on where no one has taken them meanwhile', async () => {
    const lead = await taken(one, 'a', OVER)
    expect(await one.renew([lead], LONG)).toEqual([lead])
    expect(await two.take(cluster, 'b', LONG)).toBeUndefined()
  })

  test('are asked for by one server at a time, until they are taken', async () => {
    const lead = await taken(one, 'a')
    for (const who of ['b', 'c']) await two.ask(cluster, who)
    expect(await one.led()).toContainEqual({ cluster, holder: 'a', asked: 'b' })
    await one.renew([lead], LONG)
    await one.release(lead)
    await taken(two, 'b')
    expect(await one.led()).toContainEqual({ cluster, holder: 'b', asked: undefined })
  })

  test('go to one of many who ask at the same time', async () => {
    const asked = Array.from({ length: 10 }, (_, n) => (n % 2 ? one : two).take(cluster, `s${n}`, LONG))
    expect((await Promise.all(asked)).filter((lead) => lead !== undefined)).toHaveLength(1)
  })

  test('are given no token twice, in any order of what three servers do', async () => {
    const act = fc.record({ kind: fc.constantFrom('take', 'over', 'renew', 'release', 'revoke'), who: fc.nat(2) })
    const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const own = `${cluster}-${Math.random()}`
        const tokens: number[] = []
        const leads: Fence[] = [0, 1, 2].map(() => ({ cluster: own, token: 0 }))
        for (const round of all) {
          const before = Math.max(0, ...tokens)
          const got = await Promise.all(
            round.map(async ({ kind, who }) => {
              const store = who === 1 ? one : two
              const mine = leads[who] ?? { cluster: own, token: 0 }
              if (kind === 'release') await store.release(mine)
              else if (kind === 'revoke') await store.revoke(own)
              else if (kind === 'renew') await store.renew([mine], LONG)
              else {
                const lead = await store.take(own, `s${who}`, kind === 'over' ? OVER : LONG)
                if (lead !== undefined) leads[who] = lead
                return lead?.token ?? []
              }
              return []
            }),
          )
          tokens.push(...got.flat())
          expect(got.flat().every((token) => token > before)).toBe(true)
        }
        expect(new Set(tokens).size).toBe(tokens.length)
      }),
      { numRuns: 40 },
    )
  })
}

/** That a store which was opened under a lead writes nothing once that is another's. */
export function leadsFenceWrites(open: (lead?: Fence) => Promise<Store>): void {
  describe('leads fence what is written under them', () => {
    let one: Store
    let cluster = ''
    beforeAll(async () => {
      one = await open()
    })
    afterAll(() => one.close())
    beforeEach(() => {
      cluster = `fenced-${Math.random()}`
    })
    const taken = async (holder: string, forMs = LONG): Promise<Fence> => {
      const lead = await one.leads.take(cluster, holder, forMs)
      if (lead === undefined) throw new Error('another has it')
      return lead
    }

    const writes: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
      ['usage', (store) => store.usage.write(cluster, [usageRow()])],
      ['packed hours and roll-ups', (store) => store.usage.rollUp(cluster, instant(Date.UTC(2040, 0, 1)))],
      [
        'a read model',
        (store) => store.readModels.write(cluster, [{ key: 'state', version: 1, bytes: new Uint8Array(1) }]),
      ],
      [
        'recommendations',
        (store) => store.recommendations.replace(cluster, { madeAt: instant(1), recommendations: [] }),
      ],
      ['events', (store) => store.events.prune(instant(0))],
      ['settings', (store) => store.settings.put(cluster, 1)],
      ['runs', (store) => store.actions.propose(actionRun(cluster, { cluster }))],
      ['alerts', (store) => store.alerts.prune(instant(0))],
      ['waits', (store) => store.waits.forget(cluster)],
      ['snapshots', (store) => store.clusters.remove(cluster)],
    ]

    test.each(writes)('%s: written while the lead is held, refused once it is another’s', async (_, write) => {
      await one.usage.write(cluster, [usageRow()])
      const lead = await taken('a', OVER)
      const fenced = await open(lead)
      // Whether it is over by the clock is for those who want it to find out.
      await write(fenced)
      await one.usage.write(cluster, [usageRow()])
      await taken('b')
      await expect(write(fenced)).rejects.toMatchObject({ code: 'fenced' })
      await write(one)
      await fenced.close()
    })

    test('also where the lead was given up or taken away', async () => {
      for (const end of ['release', 'revoke'] as const) {
        const lead = await taken('a')
        const fenced = await open(lead)
        await fenced.settings.put(cluster, end)
        await (end === 'release' ? one.leads.release(lead) : one.leads.revoke(cluster))
        await expect(fenced.settings.put(cluster, 'late')).rejects.toMatchObject({ code: 'fenced' })
        expect(await one.settings.get(cluster)).toBe(end)
        await fenced.close()
      }
    })
  })
}
