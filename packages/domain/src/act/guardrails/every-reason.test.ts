import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { ACTION_CLASSES } from '../../plan/words/action-class.ts'
import { DAY_MS, HOUR_MS, ratio } from '../../units.ts'
import { type DrawnWishes, drawnWishes } from '../../plan/steps/drawn-wishes.fixture.ts'
import { makePlan } from '../../plan/steps/make-plan.ts'
import type { ActionRun, RunState } from '../action-run.ts'
import { type BlastLimits, DEFAULT_ACT_POLICY } from '../policy/act-policy.ts'
import { later, runFor } from '../policy/drawn-run.fixture.ts'
import type { ActQuestion } from './act-context.ts'
import { allowed, AUTOMATIC, bySeptet, factsOf, NOW } from './act-question.fixture.ts'
import { judgeRun } from './guardrails.ts'

const codes = (question: ActQuestion): ReadonlySet<string> => new Set(judgeRun(question).map(({ code }) => code))

const withSnapshot = (question: ActQuestion, change: Partial<ClusterSnapshot>): ActQuestion => ({
  ...question,
  snapshot: { ...question.snapshot, ...change },
})
const withPolicy = (question: ActQuestion, change: Partial<ActQuestion['policy']>): ActQuestion => ({
  ...question,
  policy: { ...question.policy, ...change },
})
const withPods = (question: ActQuestion, scheduling: object): ActQuestion =>
  withSnapshot(question, {
    pods: question.snapshot.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, ...scheduling } })),
  })
/** An object that the plan writes to. */
function writtenBy({ plan }: ActionRun): string {
  const objects = plan.steps.flatMap(({ action }) =>
    'node' in action ? `node/${action.node}` : 'from' in action ? `workload/${action.workload}` : [],
  )
  return objects[0] ?? ''
}
const withFacts = (question: ActQuestion, change: Parameters<typeof factsOf>[1]): ActQuestion => ({
  ...question,
  objects: [...question.objects, factsOf(writtenBy(question.run), change)],
})

/** The same plan, in a run of its own that ended so. */
const withPast = (question: ActQuestion, state: RunState, at: number): ActQuestion => ({
  ...question,
  history: [
    ...question.history,
    {
      ...question.run,
      id: `past-${question.history.length}`,
      transitions: [
        ...question.run.transitions,
        { number: 2, at: later(at - 2), state: 'approved', by: 'septet', because: 'It is approved.' },
        { number: 3, at: later(at - 1), state: 'applying', by: 'septet', because: 'It begins.' },
        { number: 4, at: later(at), state, by: 'septet', because: `It is ${state}.` },
      ],
    },
  ],
})

const NOTHING: BlastLimits = { pods: -1, nodes: -1, gpus: -1, usdPerHour: -1 }

/** Each adds a reason to refuse, and takes away nothing that another rule minds. */
const REASONS: Readonly<Record<string, (question: ActQuestion) => ActQuestion>> = {
  stopped: (question) => ({
    ...question,
    stops: [{ cluster: undefined, at: NOW, by: 'ann', because: 'Wait.' }],
  }),
  observed: (question) => withPolicy(question, { modes: DEFAULT_ACT_POLICY.modes }),
  'another plan approved': (question) => ({
    ...question,
    approval: question.approval && { ...question.approval, digest: 'another' },
  }),
  'approved long ago': (question) => ({
    ...question,
    approval: question.approval && { ...question.approval, at: later(-2 * DAY_MS) },
  }),
  'proposed by an agent': (question) => ({
    ...question,
    run: { ...question.run, proposer: 'token', proposedBy: question.approval?.name ?? 'token:agent' },
  }),
  'old reading': (question) => withSnapshot(question, { takenAt: later(-HOUR_MS) }),
  'old plan': (question) => ({
    ...question,
    run: { ...question.run, plan: { ...question.run.plan, madeFrom: later(-30 * DAY_MS) } },
  }),
  'no telemetry': (question) => ({ ...question, samples: [] }),
  'nodes down': (question) =>
    withSnapshot(question, { nodes: question.snapshot.nodes.map((node) => ({ ...node, ready: false })) }),
  'faulty GPUs': (question) =>
    withSnapshot(question, {
      nodes: question.snapshot.nodes.map((node) => ({
        ...node,
        gpus: node.gpus.map((gpu) => ({
          ...gpu,
          fault: { code: 'gpu-fault', message: 'It needs a reset.', object: `gpu/${gpu.id}` },
        })),
      })),
    }),
  'GPUs used by nobody known': (question) =>
    withSnapshot(question, {
      nodes: question.snapshot.nodes.map((node) => ({
        ...node,
        gpus: node.gpus.map((gpu) => ({ ...gpu, unrequestedSince: NOW })),
      })),
    }),
  'pods not to disturb': (question) => withPods(question, { evictable: false }),
  'bare pods': (question) => withPods(question, { managed: false }),
  'rules nobody reads': (question) => withPods(question, { unread: ['podAntiAffinity'] }),
  budgets: (question) =>
    withSnapshot(question, {
      budgets: [
        ...question.snapshot.budgets,
        { id: 'lab/none', pods: question.snapshot.pods.map(({ id }) => id), allowed: 0 },
      ],
    }),
  quotas: (question) =>
    withSnapshot(question, { quotas: question.snapshot.quotas.map((quota) => ({ ...quota, used: quota.hard })) }),
  'other pods': (question) =>
    withSnapshot(question, {
      pods: question.snapshot.pods.map((pod) => ({ ...pod, uid: `${pod.uid}-again` })),
    }),
  'all namespaces protected': (question) => withPolicy(question, { protectedNamespaces: ['*'] }),
  'two people': (question) => withPolicy(question, { twoPeople: ACTION_CLASSES }),
  'a label protected': (question) => withPolicy(question, { protectedLabels: { tier: '*' } }),
  kept: (question) => withFacts(question, { keep: { kind: 'for-good' } }),
  'kept by git': (question) => withFacts(question, { owner: { kind: 'gitops', tool: 'flux', application: 'x' } }),
  autoscaled: (question) => withFacts(question, { autoscaler: { kind: 'refuse', name: 'x', because: 'HPA.' } }),
  'no window': (question) => withPolicy(question, { windows: [{ weekday: 0, from: 0, to: 1, zone: 'UTC' }] }),
  'too small': (question) =>
    withPolicy(question, { minimum: { usdPerMonth: 1e9, gpuHoursPerMonth: 1e9, confidence: ratio(1) } }),
  'nothing allowed': (question) => withPolicy(question, { limits: { run: NOTHING, hour: NOTHING, day: NOTHING } }),
  'no budget': (question) =>
    withPolicy(question, { auto: { ...question.policy.auto, budget: { hour: NOTHING, day: NOTHING } } }),
  'under way elsewhere': (question) => withPast(question, 'applying', 0),
  'failed before': (question) => withPast(question, 'failed', 0),
  'taken back before': (question) => withPast(question, 'reverted', 0),
  'taken back twice': (question) => withPast(withPast(question, 'reverted', -1), 'reverted', 0),
}

const reasons = fc.constantFrom(...Object.keys(REASONS))
const drawn = [drawnWishes('mig-manager'), fc.boolean(), fc.uniqueArray(reasons, { maxLength: 3 })] as const

/** A question about a plan for a drawn cluster, with some reasons to refuse it already. */
function questionOf(
  { snapshot, wishes, policy }: DrawnWishes,
  isAutomatic: boolean,
  names: readonly string[],
): ActQuestion {
  const plan = makePlan({ snapshot, wishes, policy, title: 'drawn' })
  fc.pre(plan.steps.length > 0)
  const run: ActionRun = { ...emptyRun(snapshot), plan }
  const asked = allowed(run, snapshot, isAutomatic ? { policy: AUTOMATIC, approval: bySeptet(run) } : {})
  return names.reduce((question, name) => REASONS[name]?.(question) ?? question, asked)
}

function emptyRun(snapshot: ClusterSnapshot): ActionRun {
  const run = runFor({ ...snapshot, nodes: [], pods: [], workloads: [], allocations: [] }, NO_WISH)
  return { ...run, class: 'reclaim-idle', object: `node/${snapshot.nodes[0]?.name}` }
}
const NO_WISH = { kind: 'layout', targets: [], moves: [] } as const

test('watching refuses everything, whatever is asked', () => {
  fc.assert(
    fc.property(...drawn, (...facts) => {
      expect(codes({ ...questionOf(...facts), policy: DEFAULT_ACT_POLICY })).toContain('mode')
    }),
    { numRuns: 50 },
  )
})

test('one more reason to refuse never takes another away', () => {
  fc.assert(
    fc.property(reasons, ...drawn, (name, ...facts) => {
      const question = questionOf(...facts)
      const more = codes(REASONS[name]?.(question) ?? question)
      expect([...codes(question)].filter((code) => !more.has(code))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('judging changes nothing that it was given, and says the same again', () => {
  fc.assert(
    fc.property(...drawn, (...facts) => {
      const question = questionOf(...facts)
      const text = JSON.stringify(question)
      expect(judgeRun(question)).toEqual(judgeRun(question))
      expect(JSON.stringify(question)).toBe(text)
    }),
    { numRuns: 30 },
  )
})
