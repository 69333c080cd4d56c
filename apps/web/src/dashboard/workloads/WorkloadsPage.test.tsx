import { notFound } from '@septet/contract'
import { instant, type ClusterSnapshot, type KubernetesEvent, type Workload } from '@septet/domain'
import { draw, DRAWN_AT } from '@septet/domain/testing'
import { type ClusterFacts, factsOf, liveWorkload, liveWorkloads } from '@septet/server/testing'
import { openTestStore } from '@septet/storage/testing'
import { screen, within } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { named, parameters, shows, wordsOf } from '../../read-page.fake.ts'
import type { Answers } from '../septet.fake.ts'
import { at } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'

/** Names as somebody may write them in a cluster or in what is reported of it. */
const LONG = 'x'.repeat(253)
const MARKUP = '<img src=x onerror=document.title=1>'
const ODD = `אימון-\u202Eabc-🧪-${MARKUP}`
const WAITING = `0/3 nodes are available: 3 Insufficient nvidia.com/mig-4g.40gb, ${MARKUP}. preemption: none.`

/** One name becomes odd, the waiting say why, and one carries labels that could be markup. */
const strange = (workload: Workload): Workload => ({
  ...workload,
  ...(workload.status === 'queued' ? { waiting: { reason: 'Unschedulable', message: WAITING } } : {}),
  ...(workload.id.includes('/y-1') ? { name: ODD, labels: { 'team/label': MARKUP, לשון: '🧪' } } : {}),
})

const drawn = draw`
  a@train  A100-SXM4-80GB  [3g.40gb lab/x-1] [3g.40gb lab/y-1]
  b@train  H100-80GB-HBM3  [web/${LONG}]
  b@train  H100-80GB-HBM3  [-]
  c@edge   A100-SXM4-80GB  [1g.10gb -] [1g.10gb -]
  ?        lab/waits-1     4g.40gb
  ?        lab/waits-2     4g.40gb
  ?        web/held-1      gpu zone=nowhere`
const cluster: ClusterSnapshot = { ...drawn, workloads: drawn.workloads.map(strange) }

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
const idOf = (name: string): string => cluster.workloads.find(({ id }) => id.endsWith(`/${name}`))?.id ?? ''

let store: Awaited<ReturnType<typeof openTestStore>>
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store?.close())

/** The cluster that is drawn, answered as the server does it. */
const answers: Answers = {
  workloadsList: (asked) => liveWorkloads(facts, asked, []),
  workloadsGet: (asked) =>
    liveWorkload(facts, asked, { store, recommendations: store.recommendations, rules: [], limited: false }),
}
const visit = (query = ''): ReturnType<typeof openDashboard> =>
  openDashboard(`/dashboard/workloads?cluster=demo${query}`, { answers })
const visitCard = (name: string): ReturnType<typeof openDashboard> =>
  visit(`&workload=${encodeURIComponent(idOf(name))}`)

describe('the workloads', () => {
  test('are listed, with the queue by what it waits for; one press shows who', async () => {
    const { user } = await visit()
    const queue = within(await screen.findByRole('region', { name: 'What the queue waits for' }))
    await user.click(
      queue.getByRole('button', named('2 wait for mig-4g.40gb. No mig-4g.40gb is free where it may run.')),
    )
    await screen.findByRole('table', { name: 'Waiting workloads' })
    expect(parameters()).toMatchObject({ view: 'waiting', for: 'nvidia.com/mig-4g.40gb' })
    screen.getByRole('button', { name: 'Waits for nvidia.com/mig-4g.40gb: show all' })
    history.back()
    await screen.findByRole('table', { name: 'Workloads' })
  })

  test('say why one waits, the cause first, then word for word, and what would start it', async () => {
    await visitCard('waits-1')
    const card = await screen.findByRole('dialog')
    await within(card).findByText(WAITING)
    const words = card.textContent ?? ''
    const cause = words.indexOf('No mig-4g.40gb is free where it may run.')
    expect(cause).toBeGreaterThan(-1)
    expect(cause).toBeLessThan(words.indexOf(WAITING))
    await shows('Repartition GPU 1 of b for 4g.40gb: no workload holds what changes, so nothing moves.', card)
    await shows('Unschedulable', card)
  })

  test('show strange names as text', async () => {
    const { user } = await visitCard('y-1')
    const card = await screen.findByRole('dialog')
    await within(card).findByRole('heading', { name: 'Kubernetes events' })
    for (const words of [ODD, MARKUP, 'שלום <script>alert(1)</script>', LONG]) expect(card.textContent).toContain(words)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('main').textContent).toContain(LONG)
    // Nothing of it was made an element or ran.
    expect([document.querySelector('img[src=x]'), document.title]).toEqual([null, 'Workloads · Septet'])
  })

  test('open and close by keyboard alone', async () => {
    const { user } = await visit('&search=lab')
    ;(await screen.findByRole('button', { name: /^x-1/u })).focus()
    await user.keyboard('{Enter}')
    await within(await screen.findByRole('dialog')).findByRole('heading', { name: 'Now' })
    expect(parameters()['workload']).toBe(idOf('x-1'))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('lead from a pod to its node on the Fleet screen, which looks for it', async () => {
    const { user } = await visitCard('x-1')
    await user.click(await within(await screen.findByRole('dialog')).findByRole('link', { name: 'a' }))
    expect([location.pathname, parameters()['q']]).toEqual(['/dashboard/fleet', 'a'])
  })

  test('say that one is gone', async () => {
    const { user } = await visit('&workload=lab%2FJob%2Fnone')
    await screen.findByText('This workload is not there')
    await user.click(screen.getByRole('button', { name: 'Back to the workloads' }))
    expect([screen.queryByRole('dialog'), parameters()['workload']]).toEqual([null, undefined])
  })

  test('keep what was known of one that goes while its card is open, and say so', async () => {
    const { septet } = await visitCard('x-1')
    await screen.findByRole('heading', { name: 'Owners and labels' })
    const gone = notFound('No workload of that name.', 'List the workloads.')
    septet.answers = { ...septet.answers, workloadsGet: () => gone }
    septet.send({ kind: 'inventory', cluster: 'demo', asOf: at(0) })
    await shows('It ended and held no GPU')
    screen.getByRole('heading', { name: 'Owners and labels' })
  })

  test('say what is missing where nothing matches', async () => {
    await visit('&view=idle')
    await screen.findByText('No running workload is holding an idle GPU.')
    expect(screen.queryByRole('row', { name: /lab/u })).toBeNull()
  })
})

test('what waiting cost is said by workload, and one press opens the workload', async () => {
  const { user } = await openDashboard('/dashboard/workloads?cluster=demo&view=waiting')
  const panel = await screen.findByRole('region', { name: 'Cost of waiting' })
  const row = await within(panel).findByRole('button', { name: /train/u })
  expect(wordsOf(row)).toContain('Fragmentation 20 h, Not watched 5 h')
  await user.click(row)
  expect(parameters()['workload']).toBe('lab/Job/train')
})
