import { setTimeout as sleep } from 'node:timers/promises'

import type { Browser, BrowserContext } from 'playwright-core'

import { launchBrowser } from '../test/browser.ts'
import { newDataDir, removeDataDir, startSeptet, type SeptetProcess } from '../test/server-process.ts'
import type { Figure } from './benchmark.ts'
import { LARGE_DEMO } from './large-demo.ts'
import { machineLoad } from './machine-load.ts'
import { installProbe } from './page-probe.ts'

const WINDOW = { width: 1440, height: 900 }

/** What benchmarks of the dashboard measure on, in words. */
export const LARGE_FLEET =
  'The dashboard of a real Septet on the demo cluster of 1,250 nodes, 10,000 GPUs and 50,000 pods, in headless ' +
  `Chromium with software rendering at ${WINDOW.width} × ${WINDOW.height}, while events arrive; server, database, demo cluster and browser share one machine.`

export type LargeFleet = { readonly url: string; readonly browser: Browser; readonly open: Open }

/** Opens a window with an empty cache in which somebody is signed in and has been here before. */
export type Open = () => Promise<BrowserContext>

/** Runs a measurement on a Septet of its own, once that has read everything; the load of the machine comes with it. */
export async function onLargeFleet(measure: (fleet: LargeFleet) => Promise<readonly Figure[]>): Promise<Figure[]> {
  const load = machineLoad()
  const dataDir = await newDataDir()
  const septet = await startSeptet({ dataDir, environment: LARGE_DEMO })
  const browser = await launchBrowser()
  try {
    const steady = await untilSteady(septet)
    const { url } = septet
    return [load, steady, ...(await measure({ url, browser, open: await opener(url, browser) }))]
  } finally {
    await browser.close()
    await septet.stop()
    await removeDataDir(dataDir)
  }
}

const STEADY_WITHIN_MS = 360_000

/** Waits until everything was read once, past usage too. */
async function untilSteady({ url }: SeptetProcess): Promise<Figure> {
  const started = performance.now()
  const isSteady = async (): Promise<boolean> => {
    const answers = await Promise.all(['readyz', 'api/v1/summary'].map((path) => fetch(`${url}/${path}`)))
    const clusters = await (await fetch(`${url}/api/v1/clusters`)).text()
    return answers.every(({ ok }) => ok) && /"kind":"demo"[^[]*"history":null/u.test(clusters)
  }
  while (performance.now() - started < STEADY_WITHIN_MS) {
    if (await isSteady()) break
    await sleep(1000)
  }
  const figure = (performance.now() - started) / 1000
  const note = (await isSteady()) ? 'past usage was read' : 'past usage was still being read'
  return { name: 'rest between start and the first measurement', figure, unit: 's', note }
}

async function opener(url: string, browser: Browser): Promise<Open> {
  const { key, value } = await storedSession(url)
  const first = await browser.newContext()
  await first.addInitScript((entry) => localStorage.setItem(entry.key, entry.value), { key, value })
  const page = await first.newPage()
  await page.goto(`${url}/dashboard`)
  await page.getByRole('heading', { name: 'GPU Optimization Summary' }).waitFor({ timeout: 60_000 })
  const storageState = await first.storageState()
  await first.close()
  return async () => {
    const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce', storageState })
    await context.addInitScript(installProbe)
    return context
  }
}

const ACCOUNT = { email: 'admin@septet.local', password: 'a long enough password' }

/** Signs in at a fresh Septet; what the page keeps of a session, to be put where it looks for it. */
async function storedSession(url: string): Promise<{ readonly key: string; readonly value: string }> {
  const post = (path: string): Promise<Response> =>
    fetch(`${url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    })
  // One that is there already is not an error: the sign-in tells.
  await (await post('signup')).arrayBuffer()
  const answer = await post('token?grant_type=password')
  const value = await answer.text()
  if (!answer.ok) throw new Error(`could not sign in as ${ACCOUNT.email}: ${answer.status} ${value}`)
  return { key: 'septet-auth', value }
}
