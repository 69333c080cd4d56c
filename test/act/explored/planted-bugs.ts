/* oxlint-disable typescript/no-unsafe-type-assertion -- bugs do what types forbid */
import {
  stateOf,
  textAt,
  type ActionStore,
  type ClusterWrite,
  type ClusterWriter,
  type LiveObject,
} from '@septet/domain'

import { merged, MIG } from './cluster-model.ts'
import type { Bug } from './play-turn.ts'
import { aCut, aStop, twoCuts } from './scenarios.ts'
import { callStore, type Kept, type Told } from './store-twin.ts'
import type { Scenario } from './world.ts'

/** A mistake that somebody could make in the protocol, and where it must be found. */
type Planted = { readonly bug: Bug; readonly scenario: Scenario; readonly finds: RegExp; readonly isDeep?: boolean }

const store = (change: (store: ActionStore) => Partial<ActionStore>): Bug => ({
  store: (own) => ({ ...own, ...change(own) }),
})
const writer = (change: (own: ClusterWriter) => Partial<ClusterWriter>): Bug => ({
  writer: (own) => ({ ...own, ...change(own) }),
})
const call = (name: string, does: (kept: Kept, given: readonly unknown[]) => Told): Bug => ({
  call: (kept, called, given) => (called === name ? does(kept, given) : undefined),
})
const hand = (
  change: (own: Parameters<NonNullable<Bug['options']>>[0]['hand'], line: ClusterWriter) => object,
): Bug => ({
  options: (options, line) => ({ ...options, hand: { ...options.hand, ...change(options.hand, line) } }),
})

/** An advance or an intent as if it came from whoever acts now. */
const unfenced = (kept: Kept, name: string, [first, second, third]: readonly unknown[]): Told => {
  const fence = { cluster: 'drawn', token: kept.actor?.token ?? 0 }
  return callStore(
    kept,
    name,
    name === 'intend' ? [first, fence] : [first, second, third === undefined ? undefined : fence],
  )
}

const withoutVersion = (write: ClusterWrite): ClusterWrite => {
  if (write.verb !== 'patch') return write
  const body = Array.isArray(write.body)
    ? write.body.filter(({ op }: { op: string }) => op !== 'test')
    : merged(write.body as LiveObject, { metadata: { resourceVersion: '' } })
  return { ...write, body }
}

type Transitioned = { state: string; step?: number | undefined; because: string }
const saying = (change: (transition: Transitioned) => Transitioned): Bug =>
  store((own) => ({
    advance: (id, transition, fence) =>
      own.advance(id, { ...transition, ...change(transition) } as typeof transition, fence),
  }))

/** Somebody sets another layout in the middle, and the change is then taken back. */
const FOREIGN = { foreign: 1 }

export const PLANTED_BUGS: Readonly<Record<string, Planted>> = {
  'a write is recorded after it was sent': {
    bug: hand((_own, line) => ({
      write: async (write: ClusterWrite, under: Parameters<typeof _own.write>[1]) => {
        const isRehearsal = under.intent.isRehearsal === true
        const outcome = await line.write(write, { dryRun: isRehearsal })
        const { verb, object } = write
        const what = `${verb} ${object.resource} ${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`
        const intent = await under.store.intend({ ...under.intent, at: under.clock(), what }, under.fence)
        const result = { kind: 'done', at: under.clock(), because: '' } as const
        if (intent.kind === 'recorded') await under.store.settle(under.intent.run, intent.number, result)
        return outcome
      },
    })),
    scenario: aCut({}, { actors: 1 }),
    finds: /was sent and not recorded before/u,
  },
  'a write is never recorded': {
    bug: store(() => ({ intend: async () => ({ kind: 'recorded', number: 99 }) })),
    scenario: aCut({}, { actors: 1 }),
    finds: /was sent and not recorded before/u,
  },
  'the fence is not asked when a write is recorded': {
    bug: call('intend', (kept, given) => unfenced(kept, 'intend', given)),
    scenario: aCut({ pause: 1 }),
    finds: /under an old fence/u,
  },
  'the fence is not asked when a run goes on': {
    bug: call('advance', (kept, given) => unfenced(kept, 'advance', given)),
    scenario: aCut({ pause: 1 }),
    finds: /under an old fence/u,
  },
  'whoever takes over gets no new number': {
    bug: { isUnnumbered: true },
    scenario: aCut({ pause: 1 }),
    finds: /under one fence/u,
  },
  'two go on from the same state': {
    bug: call('advance', (kept, [id, transition, fence]) => {
      const run = kept.runs.find((each) => each.id === id)
      const number = (run?.transitions.length ?? 0) + 1
      return callStore(kept, 'advance', [id, { ...(transition as object), number }, fence])
    }),
    scenario: aCut({ undo: 1 }, { actors: 1 }),
    finds: /from the same state|cannot become/u,
  },
  'what came of a write is not written down': {
    bug: store(() => ({ settle: async () => undefined })),
    scenario: aCut({}, { actors: 1 }),
    finds: /was not written down/u,
  },
  'every write is written down as done': {
    bug: store((own) => ({ settle: (run, number, result) => own.settle(run, number, { ...result, kind: 'done' }) })),
    scenario: aCut({ refused: 1 }, { actors: 1 }),
    isDeep: true,
    finds: /was not written down/u,
  },
  'an answer that is lost is taken for done': {
    bug: writer((own) => ({ write: (write, how) => own.write(write, how).catch(() => ({ kind: 'done' })) })),
    scenario: aCut({ lost: 1 }, { actors: 1 }),
    finds: /of which no answer came/u,
  },
  'a busy API server is taken for done': {
    bug: writer((own) => ({
      write: async (write, how) => {
        const outcome = await own.write(write, how)
        return outcome.kind === 'later' ? { kind: 'done' } : outcome
      },
    })),
    scenario: aCut({ refused: 1 }, { actors: 1 }),
    isDeep: true,
    finds: /was not written down/u,
  },
  'writes do not name the version that was read': {
    bug: writer((own) => ({ write: (write, how) => own.write(withoutVersion(write), how) })),
    scenario: aCut({ late: 1 }, { actors: 1 }),
    finds: /times|changed something when/u,
  },
  'a stop order is not asked for': {
    bug: {
      call: (kept, name, given) => {
        if (name === 'stops') return { kept, answer: [] }
        if (name !== 'intend') return undefined
        const told = callStore({ ...kept, stops: [] }, name, given)
        return { ...told, kept: { ...told.kept, stops: kept.stops } }
      },
    },
    scenario: aCut({ stop: 1 }, { actors: 1 }),
    finds: /under a stop order/u,
  },
  'a stop order is lifted by who acts': {
    bug: store((own) => ({
      stops: async () => {
        const orders = await own.stops()
        if (orders.length > 0) await own.resume(undefined)
        return []
      },
    })),
    scenario: aCut({ stop: 1 }, { actors: 1 }),
    finds: /lifted a stop order/u,
  },
  'the switch in the cluster is not looked at': {
    bug: writer((own) => ({ get: async (object) => (object.name === 'septet-stop' ? undefined : own.get(object)) })),
    scenario: aCut({ stop: 1 }, { actors: 1 }),
    finds: /without a look at the switch/u,
  },
  'the dry run is left out': {
    bug: hand((own) => ({
      write: (write: ClusterWrite, under: Parameters<typeof own.write>[1]) =>
        under.intent.isRehearsal === true ? Promise.resolve({ kind: 'done' }) : own.write(write, under),
    })),
    scenario: aCut({}, { actors: 1 }),
    finds: /without a dry run/u,
  },
  'the dry run is sent in earnest': {
    bug: writer((own) => ({ write: (write) => own.write(write, { dryRun: false }) })),
    scenario: aCut({}, { actors: 1 }),
    finds: /was sent and not recorded before/u,
  },
  'the Lease of another installation is ignored': {
    bug: hand(() => ({ lease: async () => ({ kind: 'held' }) })),
    scenario: aCut({ lease: 1 }, { actors: 1 }),
    finds: /another installation holds the Lease/u,
  },
  'the way back overwrites what somebody else has set': {
    bug: writer((own) => ({
      get: async (object) => {
        const live = await own.get(object)
        const isTheirs = textAt(live, 'metadata', 'labels', MIG) === 'sevenths'
        return live !== undefined && isTheirs
          ? merged(live, { metadata: { labels: { [MIG]: 'septet-3ee461546054b32e' } } })
          : live
      },
    })),
    scenario: aCut({ ...FOREIGN, undo: 1 }, { actors: 1 }),
    isDeep: true,
    finds: /overwrites what somebody else has set|is kept, and|is reverted, and/u,
  },
  'a node is opened whoever has closed it': {
    bug: writer((own) => ({
      get: async (object) => {
        const live = await own.get(object)
        return live !== undefined && object.resource === 'nodes'
          ? merged(live, { metadata: { annotations: { 'septet.io/cordoned-by': 'cut' } } })
          : live
      },
    })),
    scenario: aCut(FOREIGN, { actors: 1 }),
    finds: /overwrites what somebody else has set/u,
  },
  'a step of the way back is left out': {
    bug: saying((transition) =>
      transition.state === 'reverting' && transition.because.endsWith('is reverted.')
        ? { ...transition, step: Math.max(0, (transition.step ?? 1) - 1) }
        : transition,
    ),
    scenario: aCut({ undo: 1 }, { actors: 1 }),
    finds: /is reverted, and/u,
  },
  'it is called reverted before it is': {
    bug: saying((transition) =>
      transition.because.endsWith('is reverted.') ? { ...transition, state: 'reverted' } : transition,
    ),
    scenario: aCut({ undo: 1 }, { actors: 1 }),
    finds: /is reverted, and/u,
  },
  'whoever takes over begins with the first step': {
    bug: store((own) => ({
      list: async (query) =>
        (await own.list(query)).map((run) => {
          const last = stateOf(run)
          if (last.state !== 'applying') return run
          const again = { ...last, step: 1 }
          return { ...run, transitions: [...run.transitions.slice(0, -1), again] as unknown as typeof run.transitions }
        }),
    })),
    scenario: aCut({ crash: 1 }, { actors: 1 }),
    finds: /times/u,
  },
  'no reason is given': {
    bug: saying((transition) => (transition.state === 'kept' ? { ...transition, because: '' } : transition)),
    scenario: aCut({}, { actors: 1 }),
    finds: /nothing says why/u,
  },
  'the budget of an hour is not kept': {
    bug: {
      options: (options) => ({
        ...options,
        policy: async () => {
          const policy = await options.policy()
          return { ...policy, limits: { ...policy.limits, hour: policy.limits.run } }
        },
      }),
    },
    scenario: twoCuts({}, { actors: 1 }),
    isDeep: true,
    finds: /within an hour/u,
  },
  'an owner is not warned': {
    bug: {
      options: (options) => ({
        ...options,
        policy: async () => ({ ...(await options.policy()), warning: 0 as never }),
      }),
    },
    scenario: aStop({}, { actors: 1 }),
    finds: /whose owner was not warned/u,
  },
  'what an owner keeps is not looked at': {
    bug: writer((own) => ({
      get: async (object) => {
        const live = await own.get(object)
        return live && merged(live, { metadata: { annotations: { 'septet.io/keep': null } } })
      },
    })),
    scenario: aStop(FOREIGN, { actors: 1 }),
    finds: /that its owner keeps/u,
  },
  'a right that is missing is waited for without end': {
    bug: {
      options: (options) => ({
        ...options,
        clock: () => Math.min(options.clock(), Date.UTC(2026, 0, 1, 0, 0, 30)) as never,
      }),
    },
    scenario: aCut({ mig: 1 }, { actors: 1 }),
    finds: /no end can be reached/u,
  },
}
