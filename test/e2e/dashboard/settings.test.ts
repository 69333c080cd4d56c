import { OPERATIONS } from '@septet/contract'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eventually, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../../server-process.ts'
import { openBrowser } from '../../shared/shared.ts'
import { ADMIN, signInByForm } from './dashboard-page.ts'

let septet: SeptetProcess
let browser: Browser
let page: Page
let headers: { authorization: string }
/** A second demo cluster, whose user may not look at pods. */
let narrow: DemoCluster
let narrowDir: string

beforeAll(async () => {
  narrowDir = await mkdtemp(join(tmpdir(), 'septet-narrow-'))
  ;[septet, browser, narrow] = await Promise.all([
    startSeptet(),
    openBrowser(),
    startDemoCluster({ seed: 7, scale: 'small', dataDir: narrowDir, forbidden: ['pods'] }),
  ])
  headers = await signIn(septet, ADMIN)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(30_000)
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
const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
const ask = async (path: string): Promise<unknown> => (await fetch(`${septet.url}${path}`, { headers })).json()

describe('a cluster comes and goes while Septet runs', () => {
  test('a permission that is missing is named, with what is lost and the role that gives it', async () => {
    await button('Add a cluster').click()
    await page.getByLabel('Kubeconfig', { exact: true }).fill(await readFile(narrow.kubeconfigPath, 'utf8'))
    await page.getByText('signs in by token').waitFor()
    await button('Test the connection').click()
    const steps = page.getByRole('list', { name: 'Steps of the test' })
    await steps.getByText('Missing: list pods, watch pods.').waitFor()
    await steps.getByText('who holds or waits for a GPU').waitFor()
    await expect.poll(() => steps.getByLabel('RBAC to add').textContent()).toContain('resources: [pods]')
  })

  test('what would run a program on the server is refused in words', async () => {
    const text = await readFile(narrow.kubeconfigPath, 'utf8')
    await page.getByLabel('Kubeconfig', { exact: true }).fill(text.replace(/token: .*/u, 'exec: { command: sh }'))
    const refusal = page.getByRole('alert').getByText('would run a program on the server of Septet')
    await refusal.waitFor()
    expect(await refusal.textContent()).toContain('Use the token of a service account instead')
  })

  test('the demo cluster is added a second time and shows its figures', async () => {
    const text = await readFile(join(septet.dataDir, 'demo.kubeconfig'), 'utf8')
    const server = /server: https:\/\/(\S+)/u.exec(text)?.[1] ?? ''
    await page.getByLabel('Kubeconfig', { exact: true }).fill(text)
    await page.getByLabel('Address').fill(`http://${server}/prometheus`)
    await button('Test the connection').click()
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
    await panel.getByText('The name is not typed yet.').waitFor()
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
  await button('Save the policies').click()
  await page.getByText('Changed', { exact: false }).first().waitFor()
  const formula = await eventually(
    async () =>
      OPERATIONS.summaryGet.output.parse(await ask('/api/v1/summary?cluster=demo')).cost?.idleHeld.explain.formula,
    (words) => words.includes('12.5%'),
  )
  expect(formula).toMatch(/busy ≤ 12\.5% for ≥ 30 min in a row \(since \d{4}-/u)
})
