import { instant, type ClusterRecord, type ClusterSnapshot, type Recommendation } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { factsOf, openTestSeptet, type ClusterFacts, type TestSeptet } from '@septet/server/testing'
import {
  ALL_THE_WAY,
  CHANGE,
  estimated,
  keptFrom,
  look,
  recommendationOf,
  runOf,
  writePricedTruth,
} from '@septet/server/testing/act'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { axeFindings, overflow } from '../../page-flaws.ts'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, settled, visitDashboard } from './dashboard-page.ts'

const known = (snapshot: ClusterSnapshot, one: Pick<ClusterRecord, 'id' | 'name' | 'kind'>): ClusterFacts => ({
  ...factsOf(snapshot, [], { ...one, createdAt: instant(0) }),
  asOf: () => instant(Date.now()),
})
const EAST = known(
  draw`
  a  H100-80GB-HBM3   [team/x]
  a  H100-80GB-HBM3   [-]
  b  A100-SXM4-40GB   [team/y]`,
  { id: 'east', name: 'Training east', kind: 'cluster' },
)
const WEST = known(
  draw`
  c  A100-SXM4-80GB  [3g.40gb lab/a-1] [3g.40gb -]
  d  H100-80GB-HBM3  [lab/b]`,
  { id: 'west', name: 'Inference west', kind: 'cluster' },
)
const DEMO = known(draw`z  H100-80GB-HBM3  [-]`, { id: 'demo', name: 'Demo cluster', kind: 'demo' })
let watched: readonly ClusterFacts[] = [EAST, WEST, DEMO]

let browser: Browser
let septet: TestSeptet
let session: Session

beforeAll(async () => {
  septet = await openTestSeptet({ dist: await webFolder(), facts: { clusters: () => watched } })
  await septet.signIn(ADMIN.email)
  session = await sessionOf(septet.url)
  const { store } = septet
  await writePricedTruth(store, 'east')
  await store.actions.propose(
    runOf('done', { cluster: 'east', saving: estimated(0.1 * 4 * 730), states: keptFrom(CHANGE) }),
  )
  await look(store, ALL_THE_WAY, { cluster: 'east' })
  for (const [cluster, names] of [
    ['east', ['chat', 'rank']],
    ['west', ['embed']],
  ] as const) {
    const recommendations = names.map((name, order) =>
      made(name, cluster, 1000 - 400 * order - (cluster === 'west' ? 200 : 0)),
    )
    await store.recommendations.replace(cluster, { madeAt: instant(Date.now()), recommendations })
  }
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await septet?.close()
})

const made = (name: string, cluster: string, rank: number): Recommendation => ({
  ...recommendationOf(name, { states: [], cluster, saving: estimated(rank / 2) }),
  kind: 'reclaim-idle',
  id: name,
  title: `Release ml/${name}`,
  message: 'It held a GPU for three days without using it. Scale it to 0 replicas.',
  rank,
})

const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  seen: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard(
    { browser, url: `${septet.url}${path}`, session, reducedMotion: 'reduce', ...options },
    async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      await seen(page)
    },
  )

const source = (page: Page) => page.getByRole('button', { name: /^Source:/u })

test('all clusters are one choice away from the figures of one, and lead back to each', () =>
  visit({ path: '/dashboard/cost?cluster=west&range=7d' }, async (page) => {
    await source(page).click()
    await page.getByRole('menuitemradio', { name: 'All clusters' }).click()
    await page.getByRole('heading', { level: 1, name: 'All clusters' }).waitFor()
    expect(await source(page).textContent()).toContain('All clusters')
    const table = page.getByRole('region', { name: 'Cost and waste of all clusters' })
    await table.getByText('Not included. Its GPUs and prices are made up').waitFor()
    expect(await table.getByRole('button', { name: /^GPUs of all clusters: /u }).textContent()).toBe('5 GPUs')
    await source(page).click()
    await page.getByRole('menuitemradio', { name: 'Training east' }).click()
    await page.waitForURL(
      (url) => url.pathname.replace(/\/$/u, '') === '/dashboard' && url.searchParams.get('cluster') === 'east',
    )
    expect(new URL(page.url()).searchParams.get('range')).toBe('7d')
  }))

test('recommendations of all clusters are one list, best first, and a row opens its card', () =>
  visit({ path: '/dashboard/clusters' }, async (page) => {
    const rows = page.getByRole('table', { name: 'Recommendations of all clusters, best first' })
    await rows.getByText('Release ml/rank').waitFor()
    expect((await rows.innerText()).match(/Release ml\/\w+/gu)).toEqual([
      'Release ml/chat',
      'Release ml/embed',
      'Release ml/rank',
    ])
    await rows.getByText('Release ml/embed').click()
    await page.waitForURL(
      ({ pathname, searchParams }) =>
        pathname === '/dashboard/actions' &&
        searchParams.get('cluster') === 'west' &&
        searchParams.get('recommendation') === 'embed',
    )
    await page.getByRole('dialog', { name: 'Release ml/embed' }).waitFor()
  }))

test('with one real cluster there is nothing to add up', async () => {
  watched = [EAST, DEMO]
  try {
    await visit({ path: '/dashboard/cost?cluster=east' }, async (page) => {
      await source(page).click()
      await page.getByRole('menuitemradio', { name: 'Demo cluster' }).waitFor()
      expect(await page.getByRole('menuitemradio', { name: 'All clusters' }).count()).toBe(0)
    })
  } finally {
    watched = [EAST, WEST, DEMO]
  }
})

test.each([360, 1280])('at %i pixels nothing is cut off, and axe finds nothing in either theme', (width) =>
  visit({ path: '/dashboard/clusters', viewport: { width, height: 800 } }, async (page) => {
    await page.getByText('Release ml/chat').first().waitFor()
    expect(await overflow(page)).toBe(0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
  }),
)
