import { OPERATIONS } from '@septet/contract'
import { instant, type ClusterSnapshot, type KubernetesEvent, type Workload } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type ClusterFacts, factsOf, liveWorkload, liveWorkloads } from '@septet/server/testing'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { NOW } from '@septet/web/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import { visitDashboard } from './dashboard-page.ts'
import { type Answers, type FixtureServer, healthy, openFixtureServer, signedIn } from './fixture-server.ts'

/** Names as somebody may write them in a cluster or in what is reported of it. */
const LONG = 'x'.repeat(253)
const MARKUP = '<img src=x onerror=document.title=1>'
const ODD = `אימון-\u202Eabc-🧪-${MARKUP}`

const cluster = strangely(draw`
  a@train  A100-SXM4-80GB  [3g.40gb lab/x-1] [3g.40gb lab/y-1]
  b@train  H100-80GB-HBM3  [web/${LONG}]
  b@train  H100-80GB-HBM3  [-]
  c@edge   A100-SXM4-80GB  [1g.10gb -] [1g.10gb -]
  ?        lab/waits-1     4g.40gb
  ?        lab/waits-2     4g.40gb
  ?        web/held-1      gpu zone=nowhere`)

/** One name becomes odd, the waiting say why, and one carries labels that could be markup. */
function strangely(drawn: ClusterSnapshot): ClusterSnapshot {
  const waiting = {
    reason: 'Unschedulable',
    message: `0/3 nodes are available: 3 Insufficient nvidia.com/mig-4g.40gb, ${MARKUP}. preemption: none.`,
  }
  const change = (workload: Workload): Workload => ({
    ...workload,
    ...(workload.status === 'queued' ? { waiting } : {}),
    ...(workload.id.includes('/y-1') ? { name: ODD, labels: { 'team/label': MARKUP, לשון: '🧪' } } : {}),
  })
  return { ...drawn, workloads: drawn.workloads.map(change) }
}

const said = (reason: string, message: string): KubernetesEvent => ({
  at: instant(DRAWN_AT + 60_000),
  firstAt: DRAWN_AT,
  type: 'Warning',
  reason,
  message,
  count: 12,
  object: { kind: 'Pod', name: LONG },
  source: 'kubelet',
})

const whole = factsOf(cluster, [])
const facts: ClusterFacts = {
  ...whole,
  workload: async (id) => {
    const detail = await whole.workload(id)
    const owners = new Map(
      detail?.pods.map((pod) => [pod.id, [{ kind: 'ReplicaSet', name: LONG, createdAt: DRAWN_AT, byRule: false }]]),
    )
    const events = [said('BackOff', ODD), said(MARKUP, 'שלום <script>alert(1)</script>')]
    return detail && { ...detail, objects: { owners, events, eventsMissing: undefined } }
  },
}
const ids = new Map(cluster.workloads.map(({ id }) => [id.split('/').at(-1) ?? '', id]))
const idOf = (name: string): string => ids.get(name) ?? ''

let browser: Browser
let server: FixtureServer
const store = await openTestStore()

beforeAll(async () => {
  const dist = await webFolder()
  browser = await openBrowser()
  server = await openFixtureServer(dist)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await store.close()
})

/** What the server would answer to each question that the screen asks, worked out before it is asked. */
const lists = new Map<string, unknown>()
const cards = new Map<string, unknown>()
const answers: Answers = {
  '/api/v1/workloads': (query) => ({ body: lists.get(keyOf(query)) ?? lists.get('') }),
  '/api/v1/workload': (query) => {
    const body = cards.get(query.get('id') ?? '')
    if (body !== undefined) return { body }
    const words = { title: 'not-found', status: 404, code: 'not-found', detail: 'No workload of that name.', todo: '' }
    return { status: 404, body: { type: 'about:blank', ...words } }
  },
}
const FILTERS = ['status', 'idle', 'search', 'namespace', 'class', 'waitsFor'] as const
const keyOf = (query: URLSearchParams): string =>
  FILTERS.flatMap((name) => {
    const value = query.get(name)
    return value === null || value === 'all' ? [] : `${name}=${value}`
  }).join('&')

beforeAll(async () => {
  const asked: Record<string, string>[] = [
    {},
    { status: 'queued' },
    { status: 'queued', waitsFor: 'nvidia.com/mig-4g.40gb' },
    { search: 'lab' },
    { status: 'running', idle: 'true' },
  ]
  for (const query of asked) {
    const input = OPERATIONS.workloadsList.input.parse(query)
    lists.set(keyOf(new URLSearchParams(query)), await liveWorkloads(facts, input, []))
  }
  const needs = { store, recommendations: store.recommendations, rules: [], limited: false }
  for (const { id } of cluster.workloads) {
    cards.set(id, await liveWorkload(facts, OPERATIONS.workloadsGet.input.parse({ id }), needs))
  }
})
beforeEach(() => {
  server.answers = { ...healthy(), ...answers }
})

const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard(
    { browser, url: `${server.url}${path}`, session: signedIn(NOW), now: NOW, timezoneId: 'UTC', ...options },
    async (page) => {
      await look(page)
      // Whatever a cluster writes is text: nothing of it was made an element or ran.
      expect(await page.locator('img[src="x"]').count()).toBe(0)
      expect(await page.title()).toBe('Workloads · Septet')
    },
  )

const cardOf = (name: string): string =>
  `/dashboard/workloads?${new URLSearchParams({ cluster: 'demo', workload: idOf(name) })}`

describe('the workloads', () => {
  test('answers of the fixture are what the contract allows', () => {
    for (const list of lists.values()) expect(OPERATIONS.workloadsList.output.safeParse(list).error).toBeUndefined()
    for (const card of cards.values()) expect(OPERATIONS.workloadsGet.output.safeParse(card).error).toBeUndefined()
  })

  test('are listed, with the queue by what it waits for; one press shows who', () =>
    visit({ path: '/dashboard/workloads?cluster=demo' }, async (page) => {
      const queue = page.getByRole('region', { name: 'What the queue waits for' })
      await queue.getByRole('button', { name: /^2 wait for mig-4g\.40gb.*No mig-4g\.40gb is free/u }).click()
      await page.getByRole('table', { name: 'Waiting workloads' }).waitFor()
      const url = new URL(page.url())
      expect([url.searchParams.get('view'), url.searchParams.get('for')]).toEqual(['waiting', 'nvidia.com/mig-4g.40gb'])
      await page.getByRole('button', { name: 'Waits for nvidia.com/mig-4g.40gb: show all' }).waitFor()
      await page.goBack()
      await page.getByRole('table', { name: 'Workloads', exact: true }).waitFor()
    }))

  test('say why one waits, the cause first, then word for word, and what would start it', () =>
    visit({ path: cardOf('waits-1') }, async (page) => {
      const card = page.getByRole('dialog')
      const told = `0/3 nodes are available: 3 Insufficient nvidia.com/mig-4g.40gb, ${MARKUP}. preemption: none.`
      await card.getByText(told).waitFor()
      const words = (await card.textContent()) ?? ''
      const cause = words.indexOf('No mig-4g.40gb is free where it may run.')
      expect(cause).toBeGreaterThan(-1)
      expect(cause).toBeLessThan(words.indexOf(told))
      await card.getByText('1 GPU would have room for a 4g.40gb after repartitioning', { exact: false }).waitFor()
      await card.getByText('Unschedulable').first().waitFor()
      await expect.poll(() => card.getByText(MARKUP).count()).toBeGreaterThan(0)
    }))

  test('show strange names as text and keep their layout, wide and narrow', () =>
    visit({ path: cardOf('y-1') }, async (page) => {
      const card = page.getByRole('dialog')
      await card.getByRole('heading', { name: 'Kubernetes events' }).waitFor()
      for (const words of [ODD, MARKUP, 'שלום <script>alert(1)</script>', LONG])
        await expect.poll(() => card.getByText(words, { exact: false }).count()).toBeGreaterThan(0)
      const flaws = async (): Promise<number[]> => [
        await overflow(page),
        await card.evaluate((element) => element.scrollWidth - element.clientWidth),
      ]
      for (const width of [1440, 1280, 360]) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(async () => [width, ...(await flaws())]).toEqual([width, 0, 0])
      }
      expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await card.waitFor({ state: 'detached' })
      await page.getByText(LONG.slice(0, 40), { exact: false }).first().waitFor()
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(async () => [width, await overflow(page)]).toEqual([width, 0])
      }
    }))

  test('open and close by keyboard alone', () =>
    visit({ path: '/dashboard/workloads?cluster=demo&search=lab' }, async (page) => {
      const row = page.getByRole('button', { name: /^x-1|^x /u }).first()
      await row.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('heading', { name: 'Now' }).waitFor()
      await expect.poll(() => new URL(page.url()).searchParams.get('workload')).not.toBeNull()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }))

  test('say that one is gone', () =>
    visit({ path: '/dashboard/workloads?cluster=demo&workload=lab%2FJob%2Fnone' }, async (page) => {
      await page.getByText('This workload is not there').waitFor()
      await page.getByRole('button', { name: 'Back to the workloads' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).searchParams.get('workload')).toBeNull()
    }))

  test('keep what was known of one that goes while its card is open, and say so', () =>
    visit({ path: cardOf('x-1') }, async (page) => {
      await page.getByRole('heading', { name: 'Owners and labels' }).waitFor()
      await page.getByText('Connected', { exact: true }).waitFor()
      const known = server.answers['/api/v1/workload']
      server.answers['/api/v1/workload'] = () => known?.(new URLSearchParams({ id: 'gone' })) ?? 'hang-up'
      server.send({ kind: 'inventory', cluster: 'demo', asOf: new Date(NOW).toISOString() })
      await page.getByText('It ended and held no GPU', { exact: false }).waitFor()
      await expect.poll(() => page.getByRole('heading', { name: 'Owners and labels' }).isVisible()).toBe(true)
    }))

  test('say what is missing where nothing matches', () =>
    visit({ path: '/dashboard/workloads?cluster=demo&view=idle' }, async (page) => {
      await page.getByText('No running workload is holding an idle GPU.').waitFor()
      expect(await page.getByRole('row').filter({ hasText: 'lab' }).count()).toBe(0)
    }))
})
