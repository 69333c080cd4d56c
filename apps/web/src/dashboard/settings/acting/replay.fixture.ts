import type { Answer } from '../../septet.fake.ts'
import { at } from '../../figures.fixture.ts'

type Replay = Answer<'shadowGet'>
type Stop = NonNullable<Replay['result']>['actions'][number]

const NO_OUTCOMES = {
  'came-back-at-once': 0,
  'too-little-memory': 0,
  'too-little-compute': 0,
  'no-room': 0,
  'came-back-later': 0,
  ended: 0,
  'still-idle': 0,
  'held-up': 0,
  'not-known': 0,
}
const FREED = { gpuHours: 12, usd: 24, unpricedGpuHours: 0, unknownHours: 0 }
const stop = (name: string, kind: Stop['outcome']['kind'], says: string): Stop => ({
  object: `workload/lab/Deployment/${name}`,
  title: `Stop lab/${name}`,
  message: `lab/${name} did nothing for 24 hours. Stop it.`,
  rule: { name: 'reclaim-idle', version: 1 },
  proposedAt: at(90_000),
  doneAt: at(86_400),
  pods: 1,
  gpus: 1,
  nodes: ['gpu-a'],
  evidence: { query: '', window: { from: at(180_000), to: at(86_400) }, samples: 24, coverage: 1, figures: {} },
  confidence: 0.9,
  outcome: { kind, isWrong: false, at: at(80_000), says },
  freed: FREED,
})
const RESULT: NonNullable<Replay['result']> = {
  class: 'reclaim-idle',
  effect: 'capacity-freed',
  of: 'workload',
  says: 'In the last 8 days Septet would have stopped 2 workloads.',
  recorded: { from: at(700_000), to: at(3600) },
  objects: { replayed: 5, leftOut: 0 },
  actions: [stop('chat', 'still-idle', 'It has not worked since.'), stop('etl', 'ended', 'It ended by itself.')],
  withdrawn: 1,
  heldBack: [{ code: 'protected-namespace', objects: 3, because: 'It is protected.' }],
  totals: {
    ...FREED,
    objects: 2,
    wrong: 0,
    outcomes: { ...NO_OUTCOMES, ended: 1, 'still-idle': 1 },
  },
  digest: '3fa912cd'.padEnd(64, '0'),
}

/** Two workloads that would have been stopped, and rightly. */
export const STOPS: Replay = {
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
  asOf: at(4),
  window: null,
  state: 'ready',
  days: 30,
  done: 1,
  problem: null,
  notReplayed: [{ class: 'right-size', because: 'Right-size is not replayed.' }],
  notes: ['The bill stays the same.'],
  result: RESULT,
}

/** A node that would have been removed, which would have been wrong. */
export const REMOVALS: Replay = {
  ...STOPS,
  result: {
    ...RESULT,
    class: 'remove-node',
    effect: 'bill-reduced',
    of: 'node',
    says: 'In the last 8 days Septet would have removed 1 node.',
    actions: [
      {
        ...stop('chat', 'no-room', 'Wrong: its work found no room.'),
        object: 'node/gpu-a',
        outcome: { kind: 'no-room', isWrong: true, at: at(80_000), says: 'Wrong: its work found no room.' },
      },
    ],
    heldBack: [],
  },
}
