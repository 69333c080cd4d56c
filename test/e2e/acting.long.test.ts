import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { OPERATIONS, type OutputOf } from '@septet/contract'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@septet/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { startDemo, type DemoProcess } from '../demo-process.ts'
import { eventually, newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

type Recommendations = OutputOf<typeof OPERATIONS.recommendationsList>
type Detail = OutputOf<typeof OPERATIONS.actionsGet>
type View = Detail['action']
type Partitions = OutputOf<typeof OPERATIONS.partitionsList>

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

let folder: string
let postgres: EmbeddedPostgres
/** Two processes on one database, for one cluster: each is willing to act. */
let one: SeptetProcess
let other: SeptetProcess
let septet: SeptetProcess
let headers: Record<string, string> = {}

/** A cluster of its own: it goes on while its Septets come and go. */
let demo: DemoProcess

function startActing(name: string): Promise<SeptetProcess> {
  const { host, port, database, user, password } = postgres.connection
  mkdirSync(join(folder, name))
  return startSeptet({
    dataDir: join(folder, name),
    environment: {
      DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      SEPTET_SECRET: 'the same thirty-two characters or more',
      SEPTET_DEMO: 'off',
      SEPTET_KUBECONFIG: demo.kubeconfigPath,
      SEPTET_ACTOR_KUBECONFIG: demo.actorKubeconfigPath,
      SEPTET_CLUSTER_NAME: 'prod',
      SEPTET_PROMETHEUS_URL: demo.prometheusUrl,
    },
  })
}

/** From now on this one is asked. */
async function turnTo(process: SeptetProcess): Promise<void> {
  septet = process
  headers = await signIn(process)
}

beforeAll(async () => {
  demo = await startDemo()
  folder = await newDataDir()
  mkdirSync(join(folder, 'store'))
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'store'), log: silent })
  one = await startActing('one')
  await turnTo(one)
  other = await startActing('other')
})
afterAll(async () => {
  await one.stop()
  await other.stop()
  await postgres.stop()
  await demo.stop()
  await removeDataDir(folder)
})

const asActor = async (): Promise<Record<string, string>> => {
  const token = /token: (\S+)/u.exec(await readFile(demo.actorKubeconfigPath, 'utf8'))?.[1] ?? ''
  return { authorization: `Bearer ${token}` }
}

async function journal() {
  const answer = await fetch(demo.journalUrl, { headers: await asActor() })
  return JournalSchema.parse(await answer.json()).items
}
const JournalSchema = z.object({ items: z.array(z.object({ kind: z.string(), uid: z.string().optional() })) })

async function fault(wish: object): Promise<void> {
  const answer = await fetch(demo.faultsUrl, {
    method: 'POST',
    headers: { ...(await asActor()), 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  })
  expect(answer.status).toBe(201)
}

async function ask<Value>(path: string, method = 'GET', body?: object): Promise<Value> {
  const answer = await fetch(`${septet.url}/api/v1/${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Value
}
const detailOf = (id: string): Promise<Detail> => ask(`actions/${id}?cluster=prod`)
const NODE = 'gpu-h100-08'
/** Which profiles the GPUs of the node are cut into. */
const cutNow = async (): Promise<string> => {
  const { nodes = [] } = await ask<Partial<Partitions>>('partitions?cluster=prod')
  const gpus = nodes.find(({ node }) => node === NODE)?.gpus ?? []
  return JSON.stringify(gpus.map(({ id, blocks }) => [id, blocks.flatMap(({ profile }) => profile ?? []).toSorted()]))
}

async function proposeCut(): Promise<View> {
  const found = await eventually(
    () => ask<Partial<Recommendations>>('recommendations?cluster=prod&kind=repartition'),
    ({ recommendations = [] }) => recommendations.some(({ object }) => object === `node/${NODE}`),
  )
  const advice = found.recommendations?.find(({ object }) => object === `node/${NODE}`)
  return ask<View>('actions', 'POST', { cluster: 'prod', recommendation: advice?.id })
}
const approve = ({ id, digest }: View): Promise<View> =>
  ask(`actions/${id}/approval`, 'PUT', { cluster: 'prod', digest })

/** How the node is cut, until a cut succeeds. */
let before = ''

test('a cut that fails takes itself back', async () => {
  const { policy } = await ask<OutputOf<typeof OPERATIONS.actPoliciesGet>>('act-policy?cluster=prod')
  const refused = await ask<{ detail: string }>('actions', 'POST', { cluster: 'prod', recommendation: 'none' })
  expect(refused.detail).toMatch(/no recommendation "none" now/u)
  const modes = { ...policy.modes, repartition: 'approve' }
  // The node is cut twice in a row, which a real one would not be.
  await ask('act-policy', 'PUT', { cluster: 'prod', policy: { ...policy, modes, coolDown: 0 } })
  await fault({ kind: 'mig-failed', node: NODE })
  const first = await proposeCut()
  expect(first.state).toBe('proposed')
  // Once it is advised how to cut it, it was seen how it is cut.
  before = await eventually(cutNow, (now) => now.includes('1g.10gb'))
  await approve(first)
  const failed = await eventually(
    () => detailOf(first.id),
    ({ action }) => action.state === 'reverted' || action.state === 'failed',
  )
  expect(failed.action.state).toBe('reverted')
  expect(failed.transitions.map(({ because }) => because).join(' ')).toMatch(/mig-manager failed to partition/u)
  expect(await eventually(cutNow, (now) => now === before)).toBe(before)
})

test('of two Septets on one database one is halted and the other killed in a cut, which is verified all the same', async () => {
  await fault({ kind: 'slow-mig', node: NODE, seconds: 40 })
  const second = await proposeCut()
  await approve(second)
  await eventually(
    () => detailOf(second.id),
    ({ writes }) => writes.length > 2,
  )
  // Nobody knows which of them acts. The one is halted in the middle of whatever it does, and goes on when the other has had
  // time to take over; then the other is killed.
  await turnTo(other)
  process.kill(one.pid, 'SIGSTOP')
  await sleep(18_000)
  process.kill(one.pid, 'SIGCONT')
  await other.stop('SIGKILL')
  await turnTo(one)
  const over = await eventually(
    () => detailOf(second.id),
    ({ action }) => ['verified', 'reverted', 'failed'].includes(action?.state),
  )
  expect(over.action.state).toBe('verified')
  const done = over.writes.filter(({ outcome }) => outcome?.kind === 'done').map(({ says }) => says)
  expect(done).toEqual([...new Set(done)])
  expect(await eventually(cutNow, (now) => now !== before)).not.toBe(before)
  const evicted = (await journal()).filter(({ kind }) => kind === 'evicted').map(({ uid }) => uid)
  expect(evicted).toEqual([...new Set(evicted)])
})
