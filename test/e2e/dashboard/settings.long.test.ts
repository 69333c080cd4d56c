import { OPERATIONS } from '@septet/contract'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eventually, removeDataDir, signIn, type SeptetProcess } from '../../server-process.ts'
import { openBrowser, ownDemoSeptet, webFolder } from '../../shared/shared.ts'
import { ADMIN, signInByForm } from './dashboard-page.ts'

let septet: SeptetProcess
let browser: Browser
let page: Page
let headers: { authorization: string }
/** A second demo cluster, whose user may not look at pods. */
let narrow: DemoCluster
let narrowDir: string

beforeAll(async () => {
  await webFolder()
  narrowDir = await mkdtemp(join(tmpdir(), 'septet-narrow-'))
  ;[septet, browser, narrow] = await Promise.all([
    ownDemoSeptet(),
    openBrowser(),
    startDemoCluster({ seed: 7, scale: 'small', dataDir: narrowDir, forbidden: ['pods'] }),
  ])
  headers = await signIn(septet, ADMIN)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await signInByForm(page, septet.url, { next: '/dashboard/settings/clusters' })
  await page.getByRole('heading', { name: 'Clusters', level: 1 }).waitFor()
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await narrow?.close()
  await removeDataDir(septet.dataDir)
  await rm(narrowDir, { recursive: true, force: true })
})

const settings = (section: string) => page.goto(`${septet.url}/dashboard/settings/${section}`)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const rowOf = (name: string) =>
  page.getByRole('region', { name: 'Clusters and their state' }).getByRole('row').filter({ hasText: name })
const ask = async (path: string): Promise<unknown> => (await fetch(`${septet.url}${path}`, { headers })).json()

const actingOn = async (cluster: string): Promise<string> =>
  OPERATIONS.actionsList.output.parse(await ask(`/api/v1/actions?cluster=${cluster}`)).acting.state

describe('a cluster comes and goes while Septet runs', () => {
  test('a permission that is missing is named, with what is lost and the role that gives it', async () => {
    await button('Add a cluster').click()
    await page.getByLabel('Kubeconfig', { exact: true }).fill(await readFile(narrow.kubeconfigPath, 'utf8'))
    await page.getByText('signs in by token').waitFor()
    await button('Test connection').click()
    const steps = page.getByRole('list', { name: 'Steps of the test' })
    await steps.getByText('Missing: list pods, watch pods.').waitFor()
    await steps.getByText('who holds or waits for a GPU').waitFor()
    await expect.poll(() => steps.getByLabel('RBAC to add').textContent()).toContain('resources: [pods]')
  })

  test('what would run a program on the server is refused in words', async () => {
    const text = await readFile(narrow.kubeconfigPath, 'utf8')
    await page.getByLabel('Kubeconfig', { exact: true }).fill(text.replace(/token: .*/u, 'exec: { command: sh }'))
    const refusal = page.getByRole('alert').getByText('would run the program "sh" on the server of Septet')
    await refusal.waitFor()
    expect(await refusal.textContent()).toContain('Use the token of a service account instead')
  })

  test('the demo cluster is added a second time and shows its figures', async () => {
    const text = await readFile(join(septet.dataDir, 'demo.kubeconfig'), 'utf8')
    const server = /server: https:\/\/(\S+)/u.exec(text)?.[1] ?? ''
    await page.getByLabel('Kubeconfig', { exact: true }).fill(text)
    await page.getByLabel('Address').fill(`http://${server}/prometheus`)
    await button('Test connection').click()
    await page.getByText('It works').or(page.getByText('Everything works.')).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Second')
    await button('Add the cluster').click()
    await rowOf('Second').getByText('connected', { exact: true }).waitFor()
    await page.goto(`${septet.url}/dashboard?cluster=second`)
    const utilization = page.getByRole('button', { name: /^GPU utilization: \d/iu }).first()
    // Its thirty days are read first, which a busy machine takes its time for.
    await utilization.waitFor({ timeout: 120_000 })
    await expect.poll(() => utilization.textContent()).toMatch(/^[\d.]+ ?%$/u)
  })

  test('its source of metrics is changed, and label matchers that no engine would take are refused in words', async () => {
    await settings('clusters')
    await page.getByRole('button', { name: 'Open Second' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Change metrics source' }).click()
    const matchers = panel.getByLabel('Label matchers')
    await matchers.fill('cluster=second')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByRole('alert').getByText('label matchers as in PromQL').waitFor()
    await matchers.fill('Hostname!=""')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('series with Hostname!=""').waitFor()
    await rowOf('Second').getByText('connected', { exact: true }).waitFor()
    expect(await ask('/api/v1/connections')).toMatchObject({
      connections: expect.arrayContaining([
        expect.objectContaining({ id: 'second', prometheusMatchers: 'Hostname!=""' }),
      ]),
    })
  })

  test('a cluster that an agent reads is added with a token that is shown once, and its token is replaced', async () => {
    await settings('clusters')
    await button('Add a cluster').click()
    await page.getByText('An agent inside it').click()
    await page.getByText('Septet cannot change a cluster through an agent.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Far away')
    await button('Add the cluster').click()
    const shown = page.getByRole('region', { name: 'The agent of Far away' })
    const token = /spa_far-away_[\w-]{43}/u
    await expect.poll(() => shown.textContent()).toMatch(token)
    const first = token.exec((await shown.textContent()) ?? '')?.[0]
    await expect.poll(() => shown.textContent()).toContain(`--set agent.server=${septet.url}`)
    await shown.getByRole('button', { name: 'I saved it' }).click()
    await rowOf('Far away').getByText('connecting', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Open Far away' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText('has not reported yet').waitFor()
    await panel.getByText('No agent of Far away has reported yet.').waitFor()
    await panel.getByRole('button', { name: 'Replace the token' }).click()
    await expect.poll(() => panel.textContent()).toMatch(token)
    expect(token.exec((await panel.textContent()) ?? '')?.[0]).not.toBe(first)
    expect(await actingOn('far-away')).toBe('observe')
    await panel.getByRole('button', { name: 'I saved it' }).click()
    await panel.getByRole('button', { name: 'Remove this cluster…' }).click()
    await panel.getByLabel('Type Far away to confirm').fill('Far away')
    await panel.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => rowOf('Far away').count()).toBe(0)
  })

  test('a stored token of its source of metrics is kept, replaced or removed', async () => {
    await settings('clusters')
    await page.getByRole('button', { name: 'Open Second' }).click()
    const panel = page.getByRole('dialog')
    const form = async (): Promise<void> => {
      await panel.getByRole('button', { name: 'Change metrics source' }).click()
      await panel.getByLabel('Bearer token').waitFor()
    }
    await form()
    await panel.getByLabel('Bearer token').fill('abc')
    await panel.getByText('Headers', { exact: true }).first().click()
    await panel.getByRole('textbox', { name: 'Headers' }).fill('X-Team: gpu')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('with a token and headers').waitFor()
    await form()
    await panel.getByRole('button', { name: 'Remove the stored token' }).click()
    await panel.getByText('Removed when you save.').waitFor()
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('with headers').waitFor()
    const { connections } = OPERATIONS.connectionsList.output.parse(await ask('/api/v1/connections'))
    expect(connections.find(({ id }) => id === 'second')?.prometheusSecrets).toEqual(['prometheusHeaders'])
  })

  test('the demo, which the second one is too, is not added to it', async () => {
    await page.goto(`${septet.url}/dashboard/clusters`)
    const table = page.getByRole('region', { name: 'Cost and waste of all clusters' })
    const gpusOf = async (name: string): Promise<number> =>
      Number.parseInt(
        (await table.getByRole('button', { name: new RegExp(`^GPUs of ${name}: `, 'u') }).textContent()) ?? '',
        10,
      )
    await table.getByText('Not included. Has the same GPUs as Second, where they are counted.').waitFor()
    await expect.poll(() => gpusOf('Second')).toBeGreaterThan(0)
    await expect.poll(() => gpusOf('all clusters')).toBe(await gpusOf('Second'))
  })

  test('Septet may act on it by credentials of their own: those that read it and those of another API server are refused in words', async () => {
    await settings('clusters')
    await page.getByRole('button', { name: 'Open Second' }).click()
    const changes = page.getByRole('dialog').getByRole('region', { name: 'Changes' })
    await changes.getByText('Septet has read-only access to this cluster.').waitFor()
    expect(await actingOn('second')).toBe('observe')
    await changes.getByRole('button', { name: 'Let Septet act here' }).click()
    const save = () => changes.getByRole('button', { name: 'Save', exact: true }).click()
    await save()
    await changes.getByText('Paste the kubeconfig of the actor’s account first.').waitFor()
    const give = async (kubeconfigPath: string): Promise<void> => {
      await changes.getByLabel('Kubeconfig', { exact: true }).fill(await readFile(kubeconfigPath, 'utf8'))
      await changes.getByText('signs in by token').waitFor()
      await save()
    }
    await give(join(septet.dataDir, 'demo.kubeconfig'))
    await changes.getByRole('alert').getByText('the credentials by which Septet reads Second').waitFor()
    await give(narrow.actorKubeconfigPath)
    await changes
      .getByRole('alert')
      .getByText(`These credentials are for ${narrow.apiUrl.replace('http:', 'https:')}`)
      .waitFor()
    expect(await actingOn('second')).toBe('observe')
    await give(join(septet.dataDir, 'demo-actor.kubeconfig'))
    await changes.getByText('Septet can apply what you approve. Its actor signs in by token').waitFor()
    await eventually(
      () => actingOn('second'),
      (state) => state === 'ready',
    )
    await changes.getByRole('button', { name: 'Make read-only' }).click()
    await changes.getByText('Septet has read-only access to this cluster.').waitFor()
    await eventually(
      () => actingOn('second'),
      (state) => state === 'observe',
    )
  })

  test('it is renamed, and removed once its name was typed', async () => {
    await settings('clusters')
    await page.getByRole('button', { name: 'Open Second' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText('an admin, here').waitFor()
    await panel.getByRole('button', { name: 'Rename', exact: true }).click()
    await panel.getByLabel('Name', { exact: true }).fill('Twin')
    await panel.getByRole('button', { name: 'Rename', exact: true }).click()
    await rowOf('Twin').waitFor()
    await panel.getByRole('button', { name: 'Remove this cluster…' }).click()
    await panel.getByText('Type the name to confirm.').waitFor()
    expect(await panel.getByRole('button', { name: 'Remove', exact: true }).isEnabled()).toBe(false)
    await panel.getByLabel('Type Twin to confirm').fill('Twin')
    await panel.getByRole('button', { name: 'Remove', exact: true }).click()
    await rowOf('Twin').waitFor({ state: 'detached' })
    const { clusters } = OPERATIONS.clustersList.output.parse(await ask('/api/v1/clusters'))
    expect(clusters.map(({ id }) => id)).toEqual(['demo', 'sample'])
  })
})

test('another idle threshold stands beside every idle number', async () => {
  await settings('policies')
  await page.getByLabel('Busy at most').fill('12.5')
  await button('Save policies').click()
  await page.getByText('Changed', { exact: false }).first().waitFor()
  const formula = await eventually(
    async () =>
      OPERATIONS.summaryGet.output.parse(await ask('/api/v1/summary?cluster=demo')).cost?.idleHeld.explain.formula,
    (words) => words.includes('12.5%'),
  )
  expect(formula).toMatch(/busy ≤ 12\.5% for ≥ 30 min in a row \(since \d{4}-/u)
})
