import { instant, RUN_STATES, type ActionStore, type Instant, type RunState, type Store } from '@septet/domain'
import { actionRun, openTestStore, transition } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

import { callStore, NOTHING_KEPT, type Kept } from './store-twin.ts'

const AT = Date.UTC(2026, 10, 23, 9)
const STATES: readonly RunState[] = [
  'approved',
  'checked',
  'rehearsed',
  'applying',
  'applied',
  'reverting',
  'cancelled',
]

const steps = fc.array(
  fc.record({
    does: fc.constantFrom(
      ...(['advance', 'advance', 'intend', 'intend', 'settle', 'take', 'take', 'release'] as const),
      ...(['stop', 'resume'] as const),
    ),
    run: fc.nat(1),
    token: fc.integer({ min: 0, max: 6 }),
    state: fc.constantFrom(...STATES),
    off: fc.constantFrom(0, 0, 0, 1),
    isRehearsal: fc.boolean(),
    after: fc.constantFrom(0, 5000, 15_000),
  }),
  { minLength: 4, maxLength: 24 },
)
type Step = Parameters<Parameters<typeof steps.filter>[0]>[0][number]
type World = { readonly kept: Kept; readonly cluster: string; readonly now: Instant }

/** The arguments of the call that a step makes in this state of things. */
const GIVEN: Readonly<
  Record<Exclude<Step['does'], 'take' | 'release'>, (step: Step, world: World) => readonly unknown[]>
> = {
  stop: (_step, { cluster, now }) => [{ cluster, at: now, by: 'ann', because: 'an incident' }],
  resume: (_step, { cluster }) => [cluster],
  settle: ({ run, token }, { cluster, now }) => [`${cluster}/${run}`, token, { kind: 'done', at: now, because: '' }],
  advance: ({ run, state, off, token }, { kept, cluster }) => {
    const id = `${cluster}/${run}`
    const number = (kept.runs.find((each) => each.id === id)?.transitions.length ?? 0) + 1 + off
    return [id, transition(number, state), token === 0 ? undefined : { cluster, token }]
  },
  intend: ({ run, token, isRehearsal }, { cluster, now }) => {
    const what = { step: 1, isUndo: false, key: 'k', what: 'patch nodes/a', says: 'Cordon a' }
    return [
      { run: `${cluster}/${run}`, at: now, ...what, ...(isRehearsal ? { isRehearsal } : {}) },
      { cluster, token },
    ]
  },
}

/** Who leads is told by PostgreSQL, and its clock. */
async function led(
  { leads }: Pick<Store, 'leads'>,
  kept: Kept,
  { cluster, does }: { readonly cluster: string; readonly does: 'take' | 'release' },
): Promise<Kept> {
  if (does === 'release') {
    await leads.release({ cluster, token: kept.actor?.token ?? 0 })
    return { ...kept, actor: kept.actor && { ...kept.actor, holder: undefined } }
  }
  await leads.revoke(cluster)
  const { token = 0 } = (await leads.take(cluster, 'somebody', 3_600_000)) ?? {}
  return { ...kept, actor: { token, holder: 'somebody', heardAt: AT } }
}

const called = (store: ActionStore, name: keyof ActionStore, given: readonly unknown[]): Promise<unknown> =>
  Promise.resolve(Reflect.apply(store[name], store, given)).catch((error: unknown) => String(error))

test('the twin of the store answers as PostgreSQL does', async () => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  expect(STATES.every((state) => RUN_STATES.includes(state))).toBe(true)
  let clusters = 0
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      clusters += 1
      const cluster = `twin-${clusters}`
      let kept = NOTHING_KEPT
      let now = AT
      const both = async (name: keyof ActionStore, given: readonly unknown[]): Promise<void> => {
        const told = callStore(kept, name, given)
        ;({ kept } = told)
        const theirs = await called(store.actions, name, given)
        const isRefused = told.error !== undefined && String(theirs).includes(told.error)
        expect(isRefused ? undefined : (theirs ?? undefined)).toEqual(told.answer)
      }
      for (const of of [0, 1])
        await both('propose', [actionRun(`${cluster}/${of}`, { cluster, proposedAt: instant(AT + of) })])
      for (const step of all) {
        now += step.after
        if (step.does === 'take' || step.does === 'release') kept = await led(store, kept, { cluster, does: step.does })
        else await both(step.does, GIVEN[step.does](step, { kept, cluster, now: instant(now) }))
      }
      await both('list', [{ cluster, limit: 10 }])
      for (const of of [0, 1]) {
        await both('writes', [`${cluster}/${of}`])
        await both('rehearsals', [`${cluster}/${of}`])
      }
    }),
    { numRuns: 60, seed: 7 },
  )
})
