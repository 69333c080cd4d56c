import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import type { Wish } from '../../plan/words/wish.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, ratio, usd } from '../../units.ts'
import type { ActionRun, RunState } from '../action-run.ts'
import { adviceIn, later, runFor, withAdvice } from '../policy/drawn-run.fixture.ts'
import type { ActQuestion } from './act-context.ts'
import { allowed, approvedBy, APPROVING, AUTOMATIC, bySeptet, measured } from './act-question.fixture.ts'
import { judgeRun, passesByItself } from './guardrails.ts'

const cluster = withRequests(draw`
  node-a  T4  [lab/one]
  node-a  T4  [-]
  node-b  T4  [lab/two]
  node-b  T4  [-]`)
const STOP: Wish = { kind: 'scale', workload: 'lab/Pod/one', to: 0 }
const stop = runFor(cluster, STOP)
const remove = runFor(cluster, { kind: 'remove-node', node: 'node-b', moves: [] })

/** What a rule says when it is asked about that. */
const said = (code: string, question: ActQuestion): string =>
  judgeRun(question).find((refusal) => refusal.code === code)?.because ?? 'It has nothing against it.'
const asked = (code: string, change: Partial<ActQuestion>): string => said(code, allowed(stop, cluster, change))

const withPlan = (change: Partial<ActionRun['plan']>): ActionRun => ({ ...stop, plan: { ...stop.plan, ...change } })
const advised = (change: Partial<Recommendation>): ActQuestion => allowed(withAdvice(stop, change), cluster)
/** A run of the past that came through these states, each an hour after the other, until so long ago. */
const past = (wish: Wish, ago: number, ...states: readonly RunState[]): ActionRun =>
  runFor(cluster, wish, {
    id: `past-${ago}`,
    states: states.map((state, order) => [state, -ago - (states.length - 1 - order) * HOUR_MS, 'ann']),
  })
const openIn = (zone: string): ActQuestion['policy'] => ({
  ...APPROVING,
  windows: [{ weekday: 4, from: 60, to: 120, zone }],
})
const unmovable = (snapshot: ClusterSnapshot, mayWait = true): string => {
  const question = allowed(remove, snapshot)
  return said('unmovable', { ...question, plans: { ...question.plans, mayWait } })
}

describe('a rule that refuses says why and what to do', () => {
  test.each<[string, string, string]>([
    [
      'of another plan',
      asked('other-plan-approved', { approval: approvedBy(stop, { digest: 'another' }) }),
      'ann@example.com approved a different plan. Review the current plan and approve it again.',
    ],
    [
      'of an old approval',
      asked('approval-expired', { approval: approvedBy(stop, { at: later(-25 * HOUR_MS) }) }),
      'ann@example.com approved this 1 d 1 h ago, and an approval holds for 1 d. Approve it again.',
    ],
    [
      'of an old reading',
      asked('reading-too-old', { now: later(10 * MINUTE_MS) }),
      'The cluster was last read 10 min ago. Check its connection; acting resumes with the next reading.',
    ],
    [
      'of a reading from before the plan',
      said('reading-too-old', allowed(withPlan({ madeFrom: later(1) }), cluster)),
      'The plan was made from a newer reading of the cluster than the one at hand. Wait for the next reading.',
    ],
    [
      'of another cluster',
      said('other-cluster', allowed({ ...stop, cluster: 'other' }, cluster)),
      'The plan was made for another cluster. Create a new one for this cluster.',
    ],
    [
      'of an old plan',
      said('plan-too-old', allowed(withPlan({ madeFrom: later(-8 * DAY_MS) }), cluster)),
      'The plan was made 8 d ago from cluster data that is now outdated. Propose it again.',
    ],
    [
      'of a plan of nothing',
      said('nothing-to-do', allowed(withPlan({ steps: [], refused: [] }), cluster)),
      'The plan has no step that Septet can apply.',
    ],
    [
      'of a node that is gone',
      said('node-not-healthy', allowed(remove, { ...cluster, nodes: cluster.nodes.slice(0, 1) })),
      'node-b is no longer in the cluster. Propose it again.',
    ],
    [
      'of a GPU that nobody measures',
      asked('telemetry-unknown', { samples: measured(cluster).filter(({ gpu }) => gpu !== 'GPU-node-a-0') }),
      'It is unknown how busy GPU GPU-node-a-0 on node-a is: No exporter reports this device. Nothing changes there until it is measured again.',
    ],
    [
      'of a closed window',
      asked('maintenance-window', { policy: openIn('UTC') }),
      'No maintenance window is open. The next one opens on 2026-01-02 01:00 UTC; windows are set in Settings → What Septet may do.',
    ],
    [
      'of windows that nobody can read',
      asked('maintenance-window', { policy: openIn('Mars/Olympus') }),
      'No maintenance window ever opens: their time zones are unknown. Correct them in Settings → What Septet may do.',
    ],
    [
      'of evidence that is not sure enough',
      said('not-sure-enough', advised({ risk: { ...adviceIn(stop).risk, confidence: ratio(0.3) } })),
      'Confidence in its evidence is 30%; the minimum is 50%. Wait for more history, or lower the minimum in Settings → What Septet may do.',
    ],
  ])('%s', (_, words, wanted) => expect(words).toBe(wanted))

  const undisturbed = (evictable: boolean): ClusterSnapshot => ({
    ...cluster,
    pods: cluster.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, evictable } })),
  })
  test('of a pod that must not be disturbed', () => {
    expect(said('do-not-disrupt', allowed(stop, undisturbed(false)))).toBe(
      "lab/one is marked as not disruptable (karpenter.sh/do-not-disrupt, safe-to-evict or a daemon's pod). Wait for its end, or remove the annotation.",
    )
    expect(said('do-not-disrupt', allowed(stop, undisturbed(true)))).toBe('It has nothing against it.')
  })
})

describe('what is too little to save is told beside the minimum', () => {
  const estimate = { ...adviceIn(stop).saving, kind: 'estimated', gpuHoursPerMonth: 10 } as const
  const end = ' Leave it, or lower the minimum in Settings → What Septet may do.'
  test.each<[string, Partial<Recommendation>, string]>([
    [
      'in money',
      { saving: { ...estimate, usdPerMonth: usd(49.6) } as Recommendation['saving'] },
      'It saves $49.60 a month; the minimum is $50.00.',
    ],
    [
      'in GPU-hours',
      { saving: { ...estimate, usdPerMonth: undefined } as Recommendation['saving'] },
      'It frees 10 GPU-hours a month; without a price, the minimum is 24.',
    ],
    [
      'or that it is not known',
      { saving: { kind: 'none', because: 'It was never measured.' } as unknown as Recommendation['saving'] },
      'The saving cannot be estimated: It was never measured.',
    ],
  ])('%s', (_, change, words) => expect(said('saving-too-small', advised(change))).toBe(`${words}${end}`))
})

describe('what earlier runs did is told with the run that it is about', () => {
  test.each<[string, string, string]>([
    [
      'one that is under way',
      asked('other-run', { history: [past(STOP, HOUR_MS, 'approved', 'applying')] }),
      'Another change of node-a is under way: A drawn change. Wait until it is verified.',
    ],
    [
      'one that changed it lately',
      asked('cool-down', { history: [past(STOP, 2 * HOUR_MS, 'approved', 'applying', 'applied')] }),
      'lab/one was changed on 2025-12-31 22:00 UTC and is left alone until 2026-01-01 04:00 UTC. Wait until then.',
    ],
    [
      'one that failed half-way',
      asked('earlier-change-failed', { history: [past(STOP, 10 * DAY_MS, 'approved', 'applying', 'failed')] }),
      'An earlier change of node-a failed partway: It is failed. Undo it, or fix it by hand, then resume "Stopping idle work" in Settings → What Septet may do.',
    ],
    [
      'two that were taken back',
      asked('flapping', {
        history: [2, 4].map((days) => past(STOP, days * DAY_MS, 'applying', 'reverting', 'reverted')),
      }),
      'lab/one was changed and changed back 2 times within 7 days. Find out who wants it as it was, or keep it with septet.io/keep.',
    ],
  ])('%s', (_, words, wanted) => expect(words).toBe(wanted))
})

const auto = (history: readonly ActionRun[]) => ({ policy: AUTOMATIC, approval: bySeptet(stop), history })

const byItself = (run: ActionRun): ActionRun => {
  const [proposed, ...others] = run.transitions
  return { ...run, transitions: [proposed, ...others.map((each) => ({ ...each, by: 'septet' }))] }
}

describe('on auto a class says how far it may go', () => {
  const two: Wish = { kind: 'scale', workload: 'lab/Pod/two', to: 0 }

  test('while its changes are not kept yet', () => {
    expect(asked('rollout-stage', auto([byItself(past(two, HOUR_MS, 'approved', 'applying', 'applied'))]))).toMatch(
      /^Stopping idle work may touch 1 node at once for now, and this would make it 2\. It spreads once \d more changes were kept; approve it yourself to go ahead\.$/u,
    )
  })

  test('once one did not last', () => {
    expect(
      asked('rollout-halted', auto([past(two, 3 * DAY_MS, 'approved', 'applying', 'reverting', 'reverted')])),
    ).toMatch(
      /^Stopping idle work is halted on this cluster since 2025-12-2\d \d\d:00 UTC, because one change did not hold: It is revert(?:ing|ed)\. Review it, then resume it in Settings → What Septet may do\.$/u,
    )
  })
})

describe('a node whose work has no other place says which', () => {
  test('that came since the plan', () => {
    const late = {
      ...cluster,
      pods: cluster.pods.map((pod) => (pod.id === 'lab/one' ? { ...pod, node: 'node-b' } : pod)),
    }
    expect(unmovable(late)).toBe(
      'node-b cannot be removed: lab/one runs there and is in no step of the plan. Propose it again.',
    )
  })

  test('whose rules are not all known', () => {
    const pods = cluster.pods.map((pod) => ({
      ...pod,
      scheduling: { ...pod.scheduling, unread: ['podAntiAffinity', 'topologySpreadConstraints'] },
    }))
    expect(unmovable({ ...cluster, pods })).toBe(
      'node-b cannot be removed: where else lab/two may run is known only in part (podAntiAffinity, topologySpreadConstraints). Move it by hand first.',
    )
  })

  test('for which no room is kept, where plans leave nobody waiting', () => {
    expect(unmovable(cluster, false)).toBe(
      'node-b cannot be removed: no room is kept for lab/two elsewhere, so it would wait. Wait for room, or let plans leave pods waiting.',
    )
  })
})

test.each([
  ['reading-too-old', true],
  ['maintenance-window', true],
  ['telemetry-unknown', true],
  ['blast-radius-hour', true],
  ['blast-radius-run', false],
  ['approval-expired', false],
  ['plan-outdated', false],
  ['cool-down', true],
])('%s is waited for, as it goes away by itself: %s', (code, passes) => expect(passesByItself({ code })).toBe(passes))
