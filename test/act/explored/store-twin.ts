/* oxlint-disable max-params, typescript/no-unsafe-type-assertion -- a call has the parameters of the port, after the value it is done to */
import {
  mayFollow,
  stateOf,
  type ActionRun,
  type ActionStore,
  type Fence,
  type RecordedWrite,
  type StopOrder,
} from '@septet/domain'

/** What the store holds of one cluster, as a value: each change makes another. */
export type Kept = {
  readonly runs: readonly ActionRun[]
  readonly writes: readonly RecordedWrite[]
  /** Who leads the cluster; undefined before the first. */
  readonly actor: { readonly token: number; readonly holder: string | undefined; readonly heardAt: number } | undefined
  readonly stops: readonly StopOrder[]
}

export const NOTHING_KEPT: Kept = { runs: [], writes: [], actor: undefined, stops: [] }

/** What comes of a call: the answer, or why it is refused, and what is kept then. */
export type Told = { readonly kept: Kept; readonly answer?: unknown; readonly error?: string }

type Calls = {
  readonly [Name in keyof ActionStore]?: (kept: Kept, ...given: Parameters<ActionStore[Name]>) => Told
}

const ofRun = (kept: Kept, id: string) => kept.runs.find((run) => run.id === id)
const isHeld = ({ actor }: Kept, { token }: Fence): boolean => actor?.token === token && actor.holder !== undefined
const writesOf = (kept: Kept, id: string, isRehearsal: boolean): readonly RecordedWrite[] =>
  kept.writes.filter((write) => write.run === id && (write.isRehearsal === true) === isRehearsal)

/** What `packages/storage` does in PostgreSQL, done to a value; a test holds the two to each other. */
const CALLS: Calls = {
  propose: (kept, run) =>
    ofRun(kept, run.id) === undefined
      ? { kept: { ...kept, runs: [...kept.runs, run] }, answer: true }
      : { kept, answer: false },
  get: (kept, id) => ({ kept, answer: ofRun(kept, id) }),
  list: (kept, { states, limit }) => ({
    kept,
    answer: kept.runs
      .filter((run) => states === undefined || states.includes(stateOf(run).state))
      .toSorted((a, b) => b.proposedAt - a.proposedAt || (a.id < b.id ? 1 : -1))
      .slice(0, limit),
  }),
  advance: (kept, id, transition, fence) => {
    const run = ofRun(kept, id)
    if (run === undefined || transition.number !== run.transitions.length + 1) return { kept }
    const { state } = stateOf(run)
    if (!mayFollow(state, transition.state)) {
      return { kept, error: `A run that is ${state} cannot become ${transition.state}, so nothing was stored.` }
    }
    if (fence !== undefined && !isHeld(kept, fence)) return { kept }
    const after: ActionRun = { ...run, transitions: [...run.transitions, transition] }
    return { kept: { ...kept, runs: kept.runs.map((each) => (each === run ? after : each)) }, answer: after }
  },
  intend: (kept, write, fence) => {
    if (ofRun(kept, write.run) === undefined || !isHeld(kept, fence)) return { kept, answer: { kind: 'fenced' } }
    const [order] = kept.stops
    if (order !== undefined) return { kept, answer: { kind: 'stopped', order } }
    const number = 1 + kept.writes.filter(({ run }) => run === write.run).length
    const recorded = { ...write, number, outcome: undefined }
    return { kept: { ...kept, writes: [...kept.writes, recorded] }, answer: { kind: 'recorded', number } }
  },
  settle: (kept, run, number, outcome) => ({
    kept: {
      ...kept,
      writes: kept.writes.map((write) =>
        write.run === run && write.number === number && write.outcome === undefined ? { ...write, outcome } : write,
      ),
    },
  }),
  writes: (kept, id) => ({ kept, answer: writesOf(kept, id, false) }),
  rehearsals: (kept, id) => ({ kept, answer: writesOf(kept, id, true) }),
  stop: (kept, order) => ({
    kept: { ...kept, stops: [...kept.stops.filter(({ cluster }) => cluster !== order.cluster), order] },
  }),
  resume: (kept, cluster) => ({
    kept: { ...kept, stops: kept.stops.filter((order) => order.cluster !== cluster) },
    answer: kept.stops.some((order) => order.cluster === cluster),
  }),
  stops: (kept) => ({ kept, answer: kept.stops }),
}

const isCall = (name: string): name is keyof typeof CALLS => Object.hasOwn(CALLS, name)

/** One call to the store as it is. */
export function callStore(kept: Kept, name: string, given: readonly unknown[]): Told {
  const call: unknown = isCall(name) ? CALLS[name] : undefined
  if (typeof call !== 'function') throw new Error(`the store's twin has no ${name}`)
  return call(kept, ...given) as Told
}

export const STORE_CALLS = Object.keys(CALLS)
