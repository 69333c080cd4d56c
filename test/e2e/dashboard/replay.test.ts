import type { OPERATIONS, OutputOf } from '@septet/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { at, NOW } from '@septet/web/testing'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import { settled, visitDashboard } from './dashboard-page.ts'
import { type FixtureServer, healthy, openFixtureServer, signedIn } from './fixture-server.ts'
import { actPolicyFixture } from './live-act-policy.ts'

type Replay = OutputOf<typeof OPERATIONS.shadowGet>
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
const REPLAY: Replay = {
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

const REMOVALS: Replay = {
  ...REPLAY,
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

let browser: Browser
let server: FixtureServer
beforeAll(async () => {
  const dist = await webFolder()
  browser = await openBrowser()
  server = await openFixtureServer(dist)
  server.answers = {
    ...healthy(),
    ...actPolicyFixture({ role: 'viewer' }),
    '/api/v1/shadow': (search) => ({ body: search.get('class') === 'remove-node' ? REMOVALS : REPLAY }),
  }
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const visit = (look: (page: Page) => Promise<void>): Promise<void> =>
  visitDashboard(
    { browser, url: `${server.url}/dashboard/settings/acting?cluster=demo`, session: signedIn(NOW), now: NOW },
    async (page) => {
      await page.getByText('Septet would have stopped 2 workloads.').waitFor()
      await settled(page)
      await look(page)
    },
  )

test('a replay unfolds into every stop, each with a link to what was seen of it', () =>
  visit(async (page) => {
    const panel = page.getByRole('region', { name: 'What Reclaim idle would have done on Auto' })
    await panel.getByText('All 2 stops').click()
    const link = panel.getByRole('link', { name: 'lab/chat' })
    const search = new URL((await link.getAttribute('href')) ?? '', server.url).searchParams
    expect(Object.fromEntries(search)).toEqual({
      cluster: 'demo',
      workload: 'lab/Deployment/chat',
      range: `${at(180_000)}/${at(80_000)}`,
    })
    await panel.getByText('What this does not show').click()
    await expect.poll(() => panel.getByText('Right-size is not replayed.').isVisible()).toBe(true)
  }))

test('what a replay folds stands in one list, evenly spaced', () =>
  visit(async (page) => {
    const tops = await page
      .getByRole('region', { name: 'What Reclaim idle would have done on Auto' })
      .locator('summary')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)))
    expect(tops).toHaveLength(3)
    const gaps = tops.slice(1).map((top, order) => top - (tops[order] ?? 0))
    expect(new Set(gaps).size).toBe(1)
  }))

test('another class is replayed by itself: what it would have got wrong stands open, and amounts are off the bill', () =>
  visit(async (page) => {
    await page.getByLabel('Action', { exact: true }).selectOption('Scale down')
    const panel = page.getByRole('region', { name: 'What Scale down would have done on Auto' })
    await panel.getByText('Septet would have removed 1 node.').waitFor()
    const wrong = panel.getByRole('region', { name: 'Where it would have been wrong' })
    expect(await wrong.getByRole('columnheader').allTextContents()).toEqual([
      'Removed',
      'Node',
      'Observed',
      'Off the bill',
      'What happened next',
    ])
    await wrong.getByRole('link', { name: 'gpu-a' }).waitFor()
    expect(await panel.getByText('5 nodes that left GPUs unused').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('replay')).toBe('remove-node')
  }))
