import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

import { openClusterWriter } from '@septet/connectors'
import { OPERATIONS, type OutputOf } from '@septet/contract'
import type { ClusterWriter, ObjectRef } from '@septet/domain'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eventually, removeDataDir, signIn, type SeptetProcess } from '../../server-process.ts'
import { openBrowser, ownDemoSeptet, webFolder } from '../../shared/shared.ts'
import { unpackKubectl } from '../../unpack-kubectl.ts'
import { ADMIN, sessionOf, settled, visitDashboard } from './dashboard-page.ts'

type Recommendation = OutputOf<typeof OPERATIONS.recommendationsList>['recommendations'][number]
type Detail = OutputOf<typeof OPERATIONS.actionsGet>

const run = promisify(execFile)

let septet: SeptetProcess
let browser: Browser
let headers: { authorization: string }
/** Anyone else who changes the demo cluster. */
let writer: ClusterWriter
let folder: string

beforeAll(async () => {
  // It serves the page as it is built when it starts.
  await webFolder()
  ;[septet, browser, folder] = await Promise.all([
    // Of one day there is only the day before, just after midnight: too little for a replay to stop anything.
    ownDemoSeptet({ SEPTET_HISTORY_DAYS: '3' }),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'septet-directory-')),
  ])
  headers = await signIn(septet, ADMIN)
  writer = openClusterWriter({ kubeconfig: { path: join(septet.dataDir, 'demo.kubeconfig') } })
})
afterAll(async () => {
  await browser?.close()
  await writer?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
  await removeDataDir(folder)
})

async function ask(path: string, method = 'GET', body?: object): Promise<unknown> {
  const answer = await fetch(`${septet.url}/api/v1/${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
const detailOf = async (id: string): Promise<Detail> =>
  OPERATIONS.actionsGet.output.parse(await ask(`actions/${id}?cluster=demo`))
const standsAt = (id: string, states: readonly string[]): Promise<Detail> =>
  eventually(
    () => detailOf(id),
    ({ action }) => states.includes(action.state),
  )

/** States that no action leaves: whoever waits for another waits for nothing. */
const OVER = ['verified', 'kept', 'reverted', 'failed', 'expired', 'cancelled']

async function advised(isMeant: (each: Recommendation) => boolean): Promise<Recommendation> {
  const { recommendations } = await eventually(
    async () => OPERATIONS.recommendationsList.output.parse(await ask('recommendations?cluster=demo')),
    (list) => list.recommendations.some(isMeant),
  )
  const found = recommendations.find(isMeant)
  if (found === undefined) throw new Error('it is not recommended any more')
  return found
}

/** Proposes and approves it; gives the action. */
async function approved({ id }: Recommendation): Promise<string> {
  const action = OPERATIONS.actionsPropose.output.parse(
    await ask('actions', 'POST', { cluster: 'demo', recommendation: id }),
  )
  await ask(`actions/${action.id}/approval`, 'PUT', { cluster: 'demo', digest: action.digest })
  return action.id
}

const visit = async (path: string, look: (page: Page) => Promise<void>): Promise<void> =>
  visitDashboard({ browser, url: `${septet.url}${path}`, session: await sessionOf(septet.url) }, look)
const cardPath = (id: string): string => `/dashboard/actions?cluster=demo&action=${id}`

/** `workload/ns/Deployment/name` in the cluster. */
function deploymentOf({ object }: Recommendation): ObjectRef & { namespace: string } {
  const [, namespace = '', , name = ''] = object.split('/')
  return { group: 'apps', version: 'v1', resource: 'deployments', namespace, name }
}

/** Argo CD begins to keep the object as git says. */
async function keepByArgo(object: ObjectRef & { namespace: string }): Promise<void> {
  const id = `platform:apps/Deployment:${object.namespace}/${object.name}`
  const body = { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': id } } }
  await writer.write({ verb: 'patch', object, type: 'merge', body }, { dryRun: false })
}

const filesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(directory, path), readFileSync(path, 'utf8')]),
  )

/** Presses the button of the card and unpacks what the browser has saved. */
async function downloaded(card: Locator, into: string): Promise<string> {
  const [download] = await Promise.all([
    card.page().waitForEvent('download'),
    card.getByRole('button', { name: 'Download files' }).click(),
  ])
  const archive = join(folder, download.suggestedFilename())
  // The browser may run elsewhere: what it has saved comes by its stream.
  writeFileSync(archive, Buffer.concat(await (await download.createReadStream()).toArray()))
  mkdirSync(into)
  await run('tar', ['-xf', archive, '-C', into])
  return download.suggestedFilename()
}

describe('a change of what Argo CD keeps', () => {
  test('is downloaded as the directory that the API gives, whose component kustomize applies to the live object', async () => {
    const advice = await advised(({ kind, object }) => kind === 'fewer-gpus' && object.split('/')[2] === 'Deployment')
    const object = deploymentOf(advice)
    await keepByArgo(object)
    const id = await approved(advice)
    const { action, transitions } = await standsAt(id, ['handed-over', ...OVER])
    expect([action.state, transitions.at(-1)?.because]).toEqual(['handed-over', expect.any(String)])
    const directory = join(folder, 'handed-over')
    await visit(cardPath(id), async (page) => {
      const card = page.getByRole('dialog', { name: advice.title })
      await card.getByText('Waiting for you to apply it').first().waitFor()
      await card.getByText('branch/ has the change for git, with instructions.').waitFor()
      expect(await downloaded(card, directory)).toBe(`septet-${id}.tar`)
    })
    const { files } = OPERATIONS.actionsFiles.output.parse(await ask(`actions/${id}/files?cluster=demo`))
    expect(filesIn(directory)).toEqual(Object.fromEntries(files.map(({ path, text }) => [path, text])))

    // As somebody does in a repository: the component beside the object that it changes.
    const live = await writer.get(object)
    const { name, namespace } = object
    const kept = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace }, spec: live?.['spec'] }
    writeFileSync(join(directory, 'object.yaml'), JSON.stringify(kept))
    writeFileSync(join(directory, 'kustomization.yaml'), 'resources: [object.yaml]\ncomponents: [branch]\n')
    const built = await run(await unpackKubectl(folder), ['kustomize', directory])
    const [, wanted = ''] = /^Request (\d+) GPU/u.exec(advice.title) ?? []
    expect(built.stdout.match(/nvidia\.com\/gpu: .*/gu)).toEqual([
      `nvidia.com/gpu: "${wanted}"`,
      `nvidia.com/gpu: "${wanted}"`,
    ])
  })
})

const INTO_THE_CARD: ReadonlySet<string> = new Set(['plan', 'step', 'write', 'saving'])

describe('the evidence of a journal', () => {
  test('opens what it names: steps, writes and plan on the card, the node, the recommendation and the policy on their screens', async () => {
    const advice = await advised(({ kind }) => kind === 'repartition')
    const id = await approved(advice)
    const { action } = await standsAt(id, OVER)
    expect(action.state).toMatch(/verified|kept/u)
    await visit(cardPath(id), async (page) => {
      const card = page.getByRole('dialog', { name: advice.title })
      await card.getByText('Evidence:').first().waitFor()
      // All that points into the card itself: it is there, and it is of that number.
      const links = card.locator('a[href^="#"]')
      // What is verified goes on to be kept, which the journal tells meanwhile.
      await expect
        .poll(async () => {
          const { transitions, rehearsals, writes } = await standsAt(id, OVER)
          const told = [...transitions, ...rehearsals, ...writes].flatMap(({ evidence }) => evidence)
          return told.filter(({ kind }) => INTO_THE_CARD.has(kind)).length - (await links.count())
        })
        .toBe(0)
      const anchors = await links.evaluateAll((all) =>
        all.map((link) => ({
          says: link.textContent,
          leadsTo: document.getElementById(link.getAttribute('href')?.slice(1) ?? '')?.textContent ?? null,
        })),
      )
      expect(anchors.filter(({ leadsTo }) => leadsTo === null)).toEqual([])
      const numbers = anchors.flatMap(({ says, leadsTo }) => {
        const [, number] = /^step (\d+)$/u.exec(says) ?? []
        return number === undefined ? [] : [[number, /^\d+/u.exec(leadsTo ?? '')?.[0]]]
      })
      expect(numbers.filter(([named, shown]) => named !== shown)).toEqual([])
      await card.locator('a[href="#step-1"]').first().click()
      await expect.poll(() => new URL(page.url()).hash).toBe('#step-1')
      expect(await card.isVisible()).toBe(true)
    })
    const [node = ''] = action.nodes
    await follow(id, node, async (page) => {
      await page.getByRole('region', { name: node, exact: true }).waitFor()
      const { pathname, searchParams } = new URL(page.url())
      expect([pathname, searchParams.get('node')]).toEqual(['/dashboard/partitions', node])
    })
    await follow(id, 'what Septet may do', async (page) => {
      await page.getByRole('heading', { name: 'What Septet may do', level: 1 }).waitFor()
    })
    await follow(id, 'recommendation', async (page) => {
      await settled(page)
      expect(new URL(page.url()).searchParams.get('recommendation')).toBe(advice.id)
      await page.getByRole('dialog').waitFor()
    })
  })

  test('of idle work leads to the workload over the hours on which it was judged', async () => {
    const advice = await advised(({ kind }) => kind === 'reclaim-idle')
    const action = OPERATIONS.actionsPropose.output.parse(
      await ask('actions', 'POST', { cluster: 'demo', recommendation: advice.id }),
    )
    const [, namespace, , name] = advice.object.split('/')
    await follow(action.id, `${namespace}/${name}`, async (page) => {
      const { pathname, searchParams } = new URL(page.url())
      expect([pathname, searchParams.get('workload')]).toEqual([
        '/dashboard/workloads',
        advice.object.slice('workload/'.length),
      ])
      const [from = '', to = ''] = searchParams.get('range')?.split('/') ?? []
      const { window } = advice.evidence
      expect([Date.parse(from), Date.parse(to)]).toEqual([window?.from, window?.to].map((at) => Date.parse(at ?? '')))
      await page.getByRole('dialog', { name: new RegExp(name ?? '', 'u') }).waitFor()
    })
  })
})

/** Presses the first link of those words in a card's journal. */
const follow = (id: string, words: string, look: (page: Page) => Promise<void>): Promise<void> =>
  visit(cardPath(id), async (page) => {
    const card = page.getByRole('dialog')
    await card.getByText('Evidence:').first().waitFor()
    await card.getByRole('link', { name: words, exact: true }).first().click()
    await card.getByText('Evidence:').first().waitFor({ state: 'detached' })
    await look(page)
  })

describe('the replay of the days that are stored', () => {
  test('says what would have been done and was wrong, by class, and each row leads to what it is about', async () => {
    const shadow = await eventually(
      async () => OPERATIONS.shadowGet.output.parse(await ask('shadow?cluster=demo')),
      ({ result }) => (result?.actions.length ?? 0) > 0,
    )
    const result = shadow.result
    const [first] = result?.actions ?? []
    if (result === null || first === undefined) throw new Error('nothing would have been stopped')
    await visit('/dashboard/settings/acting?cluster=demo', async (page) => {
      const panel = page.getByRole('region', { name: 'What Reclaim idle would have done on Auto' })
      await panel.getByText(result.says).waitFor()
      await panel.getByText(result.digest.slice(0, 4)).first().waitFor()
      const right = result.actions.filter(({ outcome }) => !outcome.isWrong)
      const wrong = result.actions.filter(({ outcome }) => outcome.isWrong)
      // What was wrong stands open; the rest is folded.
      await panel
        .locator('summary')
        .filter({ hasText: /^(?:All|The other) \d/u })
        .click()
      expect(await panel.getByRole('table').count()).toBe([right, wrong].filter(({ length }) => length > 0).length)
      const [row] = right.length > 0 ? right : wrong
      const [, namespace, , name] = row?.object.split('/') ?? []
      await panel
        .getByRole('link', { name: `${namespace}/${name}`, exact: true })
        .first()
        .click()
      await page.getByRole('dialog', { name: new RegExp(name ?? '', 'u') }).waitFor()
      expect(new URL(page.url()).searchParams.get('workload')).toBe(row?.object.slice('workload/'.length))
    })
    await visit('/dashboard/settings/acting?cluster=demo', async (page) => {
      const panel = page.getByRole('region', { name: /would have done on Auto/u })
      await panel.getByLabel('Action').selectOption({ label: 'Scale down' })
      await page.getByRole('region', { name: 'What Scale down would have done on Auto' }).waitFor()
      expect(new URL(page.url()).searchParams.get('replay')).toBe('remove-node')
    })
  })
})
