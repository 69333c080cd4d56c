import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { openClusterWriter } from '@septet/connectors'
import { OPERATIONS, type OutputOf } from '@septet/contract'
import type { Browser, Page } from 'playwright-core'

import { launchBrowser } from '../test/browser.ts'
import {
  eventually,
  newDataDir,
  removeDataDir,
  signIn,
  startSeptet,
  type SeptetProcess,
} from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'
import { storedSession } from './stored-session.ts'

type View = OutputOf<typeof OPERATIONS.actionsGet>['action']
type Writes = OutputOf<typeof OPERATIONS.actionsGet>['writes']

/** Changes that are under way when somebody stops them. */
const AT_ONCE = 6
const ALONE = 6
/** How long after a stop it is waited for writes that must not come, milliseconds. */
const AFTER_MS = 3000

/** From an approval to its first write, and from a stop to the last one, over HTTP on the demo cluster. */
export const benchmark: Benchmark = {
  name: 'acting-speed',
  description: `Septet and its demo cluster, as processes, stopping idle work without a warning: ${ALONE} approvals one by one, each once the previous change is verified; then, from each of four places, a stop while ${AT_ONCE} changes approved together are under way.`,
  onDemand: true,
  async run() {
    const load = machineLoad()
    const dataDir = await newDataDir()
    const septet = await startSeptet({ dataDir })
    const browser = await launchBrowser()
    try {
      const demo = new Acting(septet, await signIn(septet))
      const proposals = await demo.proposals(ALONE + 4 * AT_ONCE)
      const first: number[] = []
      for (const proposal of proposals.splice(0, ALONE)) first.push(await demo.untilFirstWrite(proposal))
      const page = await aboutToStop(browser, septet)
      const figures: Figure[] = []
      for (const [name, stop] of places(septet, demo, page)) {
        figures.push(await demo.stopped(name, stop, proposals.splice(0, AT_ONCE)))
      }
      return [
        load,
        {
          name: 'approval → first write, median',
          figure: round(quantile(first, 0.5)),
          unit: 's',
          aim: '≤ 1 s',
          note: `longest of ${first.length}: ${round(Math.max(...first))} s; checked again, rehearsed and recorded before`,
        },
        ...figures,
      ]
    } finally {
      await browser.close()
      await septet.stop()
      await removeDataDir(dataDir)
    }
  },
}

const round = (value: number): number => Math.round(value * 1000) / 1000

type Stop = () => Promise<unknown>

const places = (
  septet: SeptetProcess,
  demo: Acting,
  page: Page,
): ReadonlyArray<readonly [name: string, stop: Stop]> => [
  ['the API', () => demo.ask('acting/stop', 'PUT', { cluster: 'demo', reason: 'benchmark' })],
  ['the command line', () => stopByCommand(septet, demo.headers)],
  ['the dashboard', () => page.getByRole('button', { name: 'Stop acting now' }).click()],
  ['a ConfigMap in the cluster', () => stopInCluster(septet)],
]

const COMMAND = join(import.meta.dirname, '../apps/cli/src/main.ts')

const stopByCommand = ({ url }: SeptetProcess, { authorization = '' }: Record<string, string>) =>
  promisify(execFile)(
    process.execPath,
    [COMMAND, 'actions', 'stop', '--reason', 'benchmark', '--cluster', 'demo', '--server', url],
    {
      env: { ...process.env, SEPTET_TOKEN: authorization.replace('Bearer ', '') },
    },
  )

/** A dashboard where somebody has everything filled in, and only has to press the button. */
async function aboutToStop(browser: Browser, { url }: SeptetProcess): Promise<Page> {
  const { key, value } = await storedSession(url)
  const page = await browser.newPage()
  await page.addInitScript(([name, text]) => localStorage.setItem(name ?? '', text ?? ''), [key, value])
  await page.goto(`${url}/dashboard?cluster=demo`)
  await page.getByRole('button', { name: /Find/u }).click()
  await page.getByPlaceholder(/Go to a screen/u).fill('stop act')
  await page.getByRole('option', { name: /Stop acting/u }).click()
  await page.getByRole('alertdialog').getByLabel('Why', { exact: true }).fill('benchmark')
  return page
}

const STOP_MAP = { group: '', version: 'v1', resource: 'configmaps', namespace: 'septet', name: 'septet-stop' }

async function stopInCluster({ dataDir }: SeptetProcess): Promise<void> {
  const writer = openClusterWriter({ kubeconfig: { path: join(dataDir, 'demo-actor.kubeconfig') } })
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: STOP_MAP.name },
    data: { because: 'benchmark' },
  }
  await writer.write({ verb: 'create', object: STOP_MAP, body }, { dryRun: false })
  await writer.close()
}

class Acting {
  readonly headers: Record<string, string>
  readonly #url: string

  constructor({ url }: SeptetProcess, headers: Record<string, string>) {
    this.#url = url
    this.headers = headers
  }

  async ask(path: string, method = 'GET', body?: object): Promise<unknown> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }

  /** Changes that no rule speaks against, put up for approval. */
  async proposals(count: number): Promise<View[]> {
    const { policy } = OPERATIONS.actPoliciesGet.output.parse(await this.ask('act-policy?cluster=demo'))
    const none = { pods: null, nodes: null, gpus: null, usdPerHour: null }
    const limits = { run: none, hour: none, day: none }
    const minimum = { ...policy.minimum, usdPerMonth: 0, gpuHoursPerMonth: 0, confidence: 0 }
    await this.ask('act-policy', 'PUT', {
      cluster: 'demo',
      policy: { ...policy, limits, minimum, warning: 0, coolDown: 0 },
    })
    const { recommendations } = await eventually(
      async () =>
        OPERATIONS.recommendationsList.output.parse(await this.ask('recommendations?cluster=demo&kind=reclaim-idle')),
      (found) => found.recommendations.length >= count,
    )
    const views: View[] = []
    for (const { id } of recommendations) {
      if (views.length === count) break
      const view = await this.propose(id).catch(() => undefined)
      if (view !== undefined) views.push(view)
    }
    if (views.length < count) throw new Error(`only ${views.length} of ${count} changes can be proposed`)
    return views
  }

  async propose(recommendation: string): Promise<View> {
    return OPERATIONS.actionsPropose.output.parse(
      await this.ask('actions', 'POST', { cluster: 'demo', recommendation }),
    )
  }

  approve({ id, digest }: View): Promise<unknown> {
    return this.ask(`actions/${id}/approval`, 'PUT', { cluster: 'demo', digest })
  }

  async state({ id }: View): Promise<View['state']> {
    return OPERATIONS.actionsGet.output.parse(await this.ask(`actions/${id}?cluster=demo`)).action.state
  }

  async writes({ id }: View): Promise<Writes> {
    return OPERATIONS.actionsGet.output.parse(await this.ask(`actions/${id}?cluster=demo`)).writes
  }

  /** Seconds. Resolves once the change is done with: the next one on its node has to wait for that. */
  async untilFirstWrite(view: View): Promise<number> {
    const began = Date.now()
    await this.approve(view)
    const [write] = await eventually(
      () => this.writes(view),
      (found) => found.length > 0,
    )
    await eventually(
      () => this.state(view),
      (state) => state !== 'applying' && state !== 'applied',
    )
    return (Date.parse(write?.at ?? '') - began) / 1000
  }

  /** How long after a stop the last write was recorded: nothing is written that was not recorded before. */
  async stopped(name: string, stop: Stop, views: readonly View[]): Promise<Figure> {
    await Promise.all(views.map((view) => this.approve(view)))
    const all = async () => (await Promise.all(views.map((view) => this.writes(view)))).flat()
    await eventually(all, (found) => found.length > 0)
    const at = Date.now()
    await stop()
    await sleep(AFTER_MS)
    const writes = await all()
    const last = Math.max(...writes.map((write) => Date.parse(write.at)))
    await this.ask('acting/stop?cluster=demo', 'DELETE')
    return {
      name: `stop from ${name} → last write`,
      figure: round(Math.max(0, last - at) / 1000),
      unit: 's',
      aim: '≤ 1 s',
      note: `${writes.length} of ${views.length} changes had begun to write; then nothing for ${AFTER_MS / 1000} s`,
    }
  }
}
