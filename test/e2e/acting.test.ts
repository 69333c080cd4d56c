import { readFile } from 'node:fs/promises'

import { OPERATIONS, type OutputOf } from '@septet/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startDemo, type DemoProcess } from '../demo-process.ts'
import { eventually, newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

type Recommendations = OutputOf<typeof OPERATIONS.recommendationsList>
type Detail = OutputOf<typeof OPERATIONS.actionsGet>
type View = Detail['action']
type Partitions = OutputOf<typeof OPERATIONS.partitionsList>

let dataDir: string
let septet: SeptetProcess
let headers: Record<string, string> = {}

/** A cluster of its own: it goes on while its Septet is away. */
let demo: DemoProcess

const startActing = (): Promise<SeptetProcess> =>
  startSeptet({
    dataDir,
    environment: {
      SEPTET_DEMO: 'off',
      SEPTET_KUBECONFIG: demo.kubeconfigPath,
      SEPTET_ACTOR_KUBECONFIG: demo.actorKubeconfigPath,
      SEPTET_CLUSTER_NAME: 'prod',
      SEPTET_PROMETHEUS_URL: demo.prometheusUrl,
    },
  })

beforeAll(async () => {
  demo = await startDemo()
  dataDir = await newDataDir()
  septet = await startActing()
  headers = await signIn(septet)
})
afterAll(async () => {
  await septet.stop()
  await demo.stop()
  await removeDataDir(dataDir)
})

async function fault(wish: object): Promise<void> {
  const token = /token: (\S+)/u.exec(await readFile(demo.actorKubeconfigPath, 'utf8'))?.[1] ?? ''
  const answer = await fetch(demo.faultsUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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

test('a cut that fails takes itself back; one that its Septet dies in is carried on by the next and verified', async () => {
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
  const before = await eventually(cutNow, (now) => now.includes('1g.10gb'))
  await approve(first)
  const failed = await eventually(
    () => detailOf(first.id),
    ({ action }) => action.state === 'reverted' || action.state === 'failed',
  )
  expect(failed.action.state).toBe('reverted')
  expect(failed.transitions.map(({ because }) => because).join(' ')).toMatch(/mig-manager says that it failed/u)
  expect(await eventually(cutNow, (now) => now === before)).toBe(before)

  await fault({ kind: 'slow-mig', node: NODE, seconds: 5 })
  const second = await proposeCut()
  await approve(second)
  await eventually(
    () => detailOf(second.id),
    ({ writes }) => writes.length > 2,
  )
  await septet.stop('SIGKILL')
  septet = await startActing()
  headers = await signIn(septet)
  const over = await eventually(
    () => detailOf(second.id),
    ({ action }) => ['verified', 'reverted', 'failed'].includes(action?.state),
  )
  expect(over.action.state).toBe('verified')
  const done = over.writes.filter(({ outcome }) => outcome?.kind === 'done').map(({ says }) => says)
  expect(done).toEqual([...new Set(done)])
  expect(await eventually(cutNow, (now) => now !== before)).not.toBe(before)
})
