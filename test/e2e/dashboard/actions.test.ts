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
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { openTestSeptet, type RunScenario, runScenarioHere, type TestSeptet } from '@septet/server/testing'
// Drawn clusters are for tests only, so they are not exported.
import { draw } from '@septet/domain/testing'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, visitDashboard } from './dashboard-page.ts'

const PODS = 1500
const TITLE = 'Remove a and its GPU'

let browser: Browser
let septet: TestSeptet
let session: Session

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

/** Whether scenarios get no further than half of their way until they are cancelled. */
let held = false
const runScenario: RunScenario = (question, progress) => {
  if (!held) return runScenarioHere(question, progress)
  const { promise, reject } = Promise.withResolvers<never>()
  progress(50, 100)
  return { answer: promise, cancel: () => reject(new Error('The scenario was cancelled.')) }
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
  kind: 'held',
  share: ratio(1 / 7),
  namespace: 'lab',
  workload: `lab/Job/${pod}`,
  pod: `lab/${pod}`,
  workloadClass: 'training',
  present: seconds(span === '1h' ? 3600 : 300),
  measured: seconds(span === '1h' ? 3600 : 300),
  idle: seconds(0),
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

const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard({ browser, url: `${septet.url}${path}`, session, ...options }, async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look(page)
  })

describe('recommendations', () => {
  test('one opens with what changes, is dismissed with a reason, and taken back', () =>
    visit({ path: '/dashboard/actions' }, async (page) => {
      await page.getByRole('button', { name: /Bill reduction: \$2,190/u }).waitFor()
      await page.getByText(TITLE).first().click()
      const card = page.getByRole('dialog', { name: TITLE })
      await card.getByText('The node is removed.').waitFor()
      await card.getByText('No plan can free more than one node.', { exact: true }).waitFor()
      await card.getByText('90%', { exact: true }).first().waitFor()
      await card.getByLabel('File', { exact: true }).selectOption('PLAN.md')
      await expect.poll(() => new URL(page.url()).searchParams.get('recommendation')).toBe('remove-node-1')
      await card.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await card.getByText('Give a reason of at least 3 characters.').waitFor()
      await card.getByLabel('Reason').fill('It is kept for a launch')
      await card.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await card.waitFor({ state: 'hidden' })
      await page.getByText('“It is kept for a launch”').waitFor()
      await page.getByRole('button', { name: `Open ${TITLE}` }).click()
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.getByRole('heading', { name: /Dismissed \(/u }).waitFor({ state: 'detached' })
    }))

  test('the largest idle holders without an action stand below, each with why', () =>
    visit({ path: '/dashboard/actions' }, async (page) => {
      const list = page.getByRole('region', { name: 'Largest idle holders without an action' })
      await list.getByText('lab/Deployment/encoder', { exact: true }).waitFor()
      await list.getByText('Right size already', { exact: true }).waitFor()
      await list.getByText('Fewer GPUs: it holds one device only.').waitFor()
      await expect.poll(() => list.getByText('85 GPU-h idle, $293').isVisible()).toBe(true)
    }))

  test('a narrow screen leaves out the lines that have nothing to say', () =>
    visit({ path: '/dashboard/actions', viewport: { width: 360, height: 780 } }, async (page) => {
      const rows = page.getByRole('table', { name: 'Recommendations, best first' })
      await rows.getByText('$2,190/mo', { exact: true }).waitFor()
      const nothing = rows.getByText('–', { exact: true })
      await expect.poll(() => nothing.isVisible()).toBe(false)
      await page.setViewportSize({ width: 1280, height: 780 })
      await expect.poll(() => nothing.isVisible()).toBe(true)
    }))
})

describe('Reserve GPUs', () => {
  test('the form says what it takes, keeps it in the address, and names what speaks against it', () =>
    visit({ path: '/dashboard/actions/what-if?ask=gpus' }, async (page) => {
      await page.getByLabel('GPUs', { exact: true }).fill('1')
      await page.getByLabel('Together').selectOption('1')
      await page.getByRole('button', { name: 'Plan it' }).click()
      const answer = page.getByRole('region', { name: 'Reservation' })
      await answer.getByText('What happens, node by node').waitFor()
      await answer.getByText('Pods evicted').waitFor()
      await answer.getByRole('button', { name: /as one archive/u }).waitFor()
      await page.waitForURL(({ searchParams }) => searchParams.get('gpus') === '1' && searchParams.get('at') !== null)
      await page.getByLabel('GPUs', { exact: true }).fill('99')
      await page.getByRole('button', { name: 'Plan it' }).click()
      const words = page.getByText(/GPUs? of 99 are available at/u)
      await expect.poll(() => words.isVisible()).toBe(true)
    }))
})

describe('what if', () => {
  test('a scenario leads with the sentence that decides, before four rows and the figures behind them', () =>
    visit({ path: '/dashboard/actions/what-if' }, async (page) => {
      await page
        .getByText(/1,501 pods|1501 pods/u)
        .first()
        .waitFor()
      await page.getByLabel('Nodes of H100-80GB-HBM3').fill('3')
      await page.waitForURL((url) => url.searchParams.get('changes') === 'add*H100-80GB-HBM3**2*1*')
      await page.getByRole('button', { name: 'Compare' }).click()
      const decision = page.getByRole('heading', { name: /layout .* on \d+ GPUs?/u })
      await decision.waitFor()
      await expect.poll(() => decision.evaluate((heading) => heading === document.activeElement)).toBe(true)
      await expect
        .poll(() => decision.evaluate((heading) => heading.getBoundingClientRect().bottom < innerHeight / 2))
        .toBe(true)
      await page.getByRole('status').filter({ hasText: 'Comparison ready: ' }).waitFor({ state: 'attached' })
      const needed = page.getByRole('region', { name: 'GPUs needed for zero wait' })
      expect(await needed.getByRole('listitem').count()).toBe(4)
    }))

  test('one that is cancelled ends on the server too', () =>
    visit({ path: '/dashboard/actions/what-if' }, async (page) => {
      held = true
      onTestFinished(() => void (held = false))
      const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByText(/50 of about 100 events/u).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect((await deleted).status()).toBe(200)
      await page.getByRole('button', { name: 'Compare' }).waitFor()
    }))
})
