import { type ActionView, invalidInput } from '@septet/contract'

import type { Answer, Answers } from '../septet.fake.ts'
import { at } from '../figures.fixture.ts'

type List = Answer<'actionsList'>
type Detail = Answer<'actionsGet'>
type Stop = List['acting']['stops'][number]

const answered = { source: { id: 'demo', name: 'Demo cluster', kind: 'demo' as const }, asOf: at(4), window: null }
export const DIGEST = '3fa912cd77'.padEnd(64, '0')

/** Two pods leave a node, which is cut again. */
const CUT: ActionView = {
  id: 'action-cut',
  class: 'repartition',
  object: 'node/gpu-b',
  title: 'Repartition 2 GPUs on gpu-b: 2 × 3g.40gb',
  state: 'proposed',
  because: '3 pods that wait would start.',
  since: at(240),
  until: at(-82_800),
  digest: DIGEST,
  proposedAt: at(240),
  proposedBy: 'ada@example.com',
  approvedBy: null,
  cause: {
    kind: 'advice',
    recommendation: 'remove-node-1',
    saving: { kind: 'none', brings: 'starts 3 pods', because: 'It starts waiting work.' },
  },
  shortfall: null,
  displaced: ['search/api-7p6l5', 'search/api-kxz9j'],
  nodes: ['gpu-b'],
  step: null,
  halfChanged: false,
  may: { approve: true, reject: true, undo: false },
}
const OVER = { approve: false, reject: false, undo: false }
const started = { approvedBy: 'bob@example.com', until: null, may: { ...OVER, undo: true } }

/** What the cut is in each state that a test looks at. */
export const CUTS = {
  proposed: CUT,
  approved: {
    ...CUT,
    ...started,
    state: 'approved',
    because: 'bob@example.com approved it.',
    may: { ...OVER, reject: true },
  },
  applying: {
    ...CUT,
    ...started,
    state: 'applying',
    because: 'search/api-7p6l5 has left.',
    step: { number: 2, of: 3 },
  },
  reverting: {
    ...CUT,
    ...started,
    state: 'reverting',
    because: 'Latency rose.',
    may: OVER,
    step: { number: 2, of: 3 },
  },
  kept: { ...CUT, ...started, state: 'kept', because: 'Nothing got worse while it was monitored.' },
  failed: {
    ...CUT,
    ...started,
    state: 'failed',
    halfChanged: true,
    because: 'Step 2 could not be reverted: HTTP 500.',
  },
} satisfies Record<string, ActionView>

const seconds = { low: 1, high: 120, source: 'assumed' }
const DONE = { proposed: 0, approved: 0, applying: 1, reverting: 2, kept: 3, failed: 2 } satisfies Record<
  keyof typeof CUTS,
  number
>

const steps = (state: keyof typeof CUTS): Detail['steps'] =>
  [
    { title: 'Cordon gpu-b', effect: 'No new pod starts there.', displaced: [], undo: ['Uncordon gpu-b'] },
    { title: 'Evict search/api-7p6l5', effect: 'It stops.', displaced: ['search/api-7p6l5'], undo: [] },
    { title: 'Repartition 2 of 8 GPUs of gpu-b', effect: '', displaced: [], undo: ['Repartition gpu-b: 2 whole GPUs'] },
  ].map((step, index) => ({
    ...step,
    number: index + 1,
    seconds,
    state: index < DONE[state] ? 'done' : state === 'applying' && index === DONE[state] ? 'doing' : 'to-do',
  }))

const detail = (state: keyof typeof CUTS, { digest, class: kind, cause, shortfall, outlook }: Acting): Detail => ({
  ...answered,
  outlook,
  action: { ...CUTS[state], digest, class: kind, cause, shortfall },
  undo: {
    stops: CUTS[state].may.undo ? ['lab/new-1'] : null,
    unknown: null,
    stopped: state === 'reverting' ? ['lab/new-1'] : [],
  },
  steps: steps(state),
  transitions: (['proposed', 'approved', 'applying'] as const).slice(0, DONE[state] + 1).map((name, index) => ({
    number: index + 1,
    at: at(240 - index * 60),
    state: name,
    by: index === 2 ? 'septet' : 'ada@example.com',
    because: CUTS[name].because,
    step: null,
    evidence: [{ kind: 'node' as const, id: 'gpu-b', window: null, says: 'gpu-b' }],
  })),
  rehearsals: [],
  writes: [1, 2, 3].slice(0, DONE[state]).map((number) => ({
    number,
    at: at(60 - number),
    step: number === 1 ? 1 : 2,
    isUndo: false,
    what: number === 1 ? 'patch nodes/gpu-b' : 'create pods/eviction search/api-7p6l5',
    says: number === 1 ? 'Close gpu-b to new pods.' : 'Ask search/api-7p6l5 to leave.',
    outcome: { kind: number === 2 ? 'refused' : 'done', because: 'The disruption budget allows none now.' },
    evidence: [{ kind: 'step' as const, id: '1', window: null, says: 'step 1' }],
  })),
})

/** What a Septet with one action answers, and does when it is told to. */
export type Acting = {
  state: keyof typeof CUTS | undefined
  digest: string
  class: ActionView['class']
  cause: ActionView['cause']
  shortfall: string | null
  outlook: Detail['outlook']
  stops: Stop[]
  acting: List['acting']['state']
  readonly answers: Answers
}

export function actingFixture(me: Partial<Answer<'sessionMe'>> = {}): Acting {
  const here: Acting = {
    state: 'proposed',
    digest: DIGEST,
    class: 'repartition',
    cause: CUT.cause,
    shortfall: null,
    outlook: { refused: null, waits: null },
    stops: [],
    acting: 'ready',
    answers: {},
  }
  const cut = (state: keyof typeof CUTS): ActionView => ({
    ...CUTS[state],
    digest: here.digest,
    class: here.class,
    cause: here.cause,
  })
  const moved = (state: keyof typeof CUTS): ActionView => {
    here.state = state
    return cut(state)
  }
  const stopped = (...stops: Stop[]) => ({ stops: (here.stops = stops) })
  Object.assign(here.answers, {
    sessionMe: () => ({ ...OPERATOR, ...me }),
    actionsList: ({ state }) => list(here, here.state === undefined ? [] : [cut(here.state)], state),
    actionsPropose: () => moved('proposed'),
    actionsGet: () => detail(here.state ?? 'proposed', here),
    actionsApprove: ({ digest }) =>
      digest === here.digest
        ? moved('approved')
        : invalidInput(
            '"Repartition 2 GPUs on gpu-b" was not approved: the digest is of another plan.',
            'Review the steps and approve the current plan.',
          ),
    actionsUndo: () => moved('reverting'),
    actingStop: ({ everywhere, reason }) => stopped({ everywhere, at: at(5), by: 'ada@example.com', because: reason }),
    actingResume: () => stopped(),
  } satisfies Answers)
  return here
}

function list({ stops, acting }: Acting, actions: readonly ActionView[], wanted: string | undefined): List {
  const over = ['kept', 'failed']
  const state = stops.length > 0 ? 'stopped' : acting
  const because = BECAUSE[state]
  return {
    ...answered,
    acting: { state, because, stops: [...stops] },
    actions: actions.filter((action) => wanted !== 'open' || !over.includes(action.state)),
  }
}

const BECAUSE = {
  ready: 'Septet can change Demo cluster with your approval.',
  observe: 'Septet only observes Demo cluster: it has no credentials to change it.',
  others: 'Another installation of Septet acts on Demo cluster.',
  stopped: 'ada@example.com has stopped acting on Demo cluster.',
} satisfies Record<List['acting']['state'], string>

const OPERATOR: Answer<'sessionMe'> = {
  kind: 'account',
  name: 'operator@example.com',
  role: 'operator',
  namespaces: null,
  clusters: null,
  mode: 'embedded',
  session: 'one',
  secondFactor: false,
  expiresAt: null,
}
