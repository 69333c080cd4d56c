import {
  HOUR_MS,
  NOTHING_MEASURED,
  CAREFUL_POLICY,
  instant,
  makePlan,
  plannedGpus,
  ratio,
  seconds,
  usd,
  usdPerGpuHour,
  type Recommendation,
  type UsageRow,
} from '@septet/domain'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

import { openTestSeptet, type RunScenario, runScenarioHere, type TestSeptet } from '@septet/server/testing'
// Drawn clusters are for tests only, so they are not exported.
import { draw } from '@septet/domain/testing'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, visitDashboard } from './dashboard-page.ts'

const PODS = 1500
export const TITLE = 'Remove a and its GPU'

let browser: Browser
let septet: TestSeptet
let session: Session

/** Whether scenarios get no further than half of their way until they are cancelled. */
let held = false
export const holdScenarios = (hold: boolean): void => void (held = hold)
const runScenario: RunScenario = (question, progress) => {
  if (!held) return runScenarioHere(question, progress)
  const { promise, reject } = Promise.withResolvers<never>()
  progress(50, 100)
  return { answer: promise, cancel: () => reject(new Error('The scenario was cancelled.')) }
}

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
  beforeAll(async () => {
    septet = await openTestSeptet({ dist: await webFolder(), clusters: ['cluster'], runScenario })
    await septet.signIn(ADMIN.email)
    await septet.store.usage.write('production', pastWeek())
    await septet.store.recommendations.replace('production', {
      madeAt: instant(Date.now()),
      recommendations: [recommendation()],
      unanswered: [
        {
          workload: 'lab/Deployment/encoder',
          idleHours: 85.4,
          idleCost: usd(293),
          reason: 'needs-size',
          because: 'Fewer GPUs: it holds one device only.',
        },
      ],
    })
    session = await sessionOf(septet.url)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await septet?.close()
  })
}

function recommendation(): Recommendation {
  const snapshot = draw`a  H100-80GB-HBM3  [team/x]`
  const policy = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }
  const wishes = [{ kind: 'remove-node', node: 'a', moves: [] }] as const
  const plan = makePlan({ snapshot, wishes, title: TITLE, policy, bound: 'No plan can free more than one node.' })
  const now = instant(Date.now())
  return {
    id: 'remove-node-1',
    cluster: 'production',
    kind: 'remove-node',
    object: 'node/a',
    title: TITLE,
    message: 'It was not needed. Remove it.',
    rule: { name: 'remove-node', version: 1 },
    madeAt: now,
    evidence: {
      query: 'usage rows of node a',
      window: { from: instant(now - 168 * HOUR_MS), to: now },
      samples: 168,
      coverage: ratio(0.9),
      figures: { 'held, %': 12 },
    },
    saving: {
      kind: 'estimated',
      gpuHoursPerMonth: 730,
      usdPerMonth: usd(2190),
      price: {
        kind: 'known',
        price: usdPerGpuHour(3),
        source: 'a list',
        asOf: now,
        origin: 'shipped',
        scope: 'default',
      },
      effect: 'bill-reduced',
    },
    risk: {
      level: 'medium',
      displaced: ['team/x'],
      duration: { low: seconds(60), high: seconds(600), source: 'assumed' },
      overrun: undefined,
      confidence: ratio(0.8),
    },
    plan,
    gpus: plannedGpus(plan, snapshot, policy),
    rank: 1,
  }
}

const smallPod = (pod: string, at: number, span: '1h' | '5m'): UsageRow => ({
  at: instant(at),
  span,
  node: 'a',
  pool: '',
  gpu: 'GPU-a-0',
  partition: `GPU-a-0/gi-${pod}`,
  profile: '1g.10gb',
  model: 'H100-80GB-HBM3',
  machine: '',
  kind: 'held',
  share: ratio(1 / 7),
  namespace: 'lab',
  workload: `lab/Job/${pod}`,
  pod: `lab/${pod}`,
  workloadClass: 'training',
  present: seconds(span === '1h' ? 3600 : 300),
  measured: seconds(span === '1h' ? 3600 : 300),
  idle: seconds(0),
  oversized: seconds(0),
  ...NOTHING_MEASURED,
  busy: ratio(0.5),
  busyPeak: ratio(0.6),
  reason: undefined,
})

/** Small pods, one after the other and side by side, for six days; and one that still runs. */
function pastWeek(): UsageRow[] {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const past = Array.from({ length: PODS }, (_, pod) => smallPod(`p${pod}`, now - HOUR_MS * (1 + (pod % 144)), '1h'))
  return [...past, smallPod('last', now - HOUR_MS, '1h'), smallPod('last', now, '5m')]
}

export const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard({ browser, url: `${septet.url}${path}`, session, ...options }, async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look(page)
  })
