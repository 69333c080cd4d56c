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
import { afterAll, beforeAll } from 'vitest'

import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, settled, visitDashboard } from './dashboard-page.ts'

const known = (snapshot: ClusterSnapshot, one: Pick<ClusterRecord, 'id' | 'name' | 'kind'>): ClusterFacts => ({
  ...factsOf(snapshot, [], { ...one, createdAt: instant(0) }),
  asOf: () => instant(Date.now()),
})
export const EAST = known(
  draw`
  a  H100-80GB-HBM3   [team/x]
  a  H100-80GB-HBM3   [-]
  b  A100-SXM4-40GB   [team/y]`,
  { id: 'east', name: 'Training east', kind: 'cluster' },
)
export const WEST = known(
  draw`
  c  A100-SXM4-80GB  [3g.40gb lab/a-1] [3g.40gb -]
  d  H100-80GB-HBM3  [lab/b]`,
  { id: 'west', name: 'Inference west', kind: 'cluster' },
)
export const DEMO = known(draw`z  H100-80GB-HBM3  [-]`, { id: 'demo', name: 'Demo cluster', kind: 'demo' })
let watched: readonly ClusterFacts[] = [EAST, WEST, DEMO]
export const watch = (clusters: readonly ClusterFacts[]): void => void (watched = clusters)

let browser: Browser
let septet: TestSeptet
let session: Session

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
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
}

const made = (name: string, cluster: string, rank: number): Recommendation => ({
  ...recommendationOf(name, { states: [], cluster, saving: estimated(rank / 2) }),
  kind: 'reclaim-idle',
  id: name,
  title: `Release ml/${name}`,
  message: 'It held a GPU for three days without using it. Scale it to 0 replicas.',
  rank,
})

export const visit = (
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

export const source = (page: Page) => page.getByRole('button', { name: /^Source:/u })
