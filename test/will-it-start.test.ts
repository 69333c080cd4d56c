import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterReader, readManifest } from '@septet/connectors'
import {
  assembleSnapshot,
  checkStart,
  instant,
  type ClusterSnapshot,
  type Inventory,
  type StartAnswer,
} from '@septet/domain'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { expect, test } from 'vitest'

const NOW = Date.UTC(2026, 10, 18, 14, 3, 0)
const NAMESPACE = 'research-language'
const JOBS = 150
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

type Drawn = { readonly count: number; readonly spec: object }

/** A job that asks for what some node offers, or could, with rules that some nodes meet. */
function drawJob(random: () => number, { nodes }: ClusterSnapshot): Drawn {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const node = pick(nodes)
  const resource = pick(Object.keys(node?.allocatable ?? {})) ?? 'nvidia.com/gpu'
  const devices = resource === 'nvidia.com/gpu' ? (pick([1, 1, 2, 4, 8]) ?? 1) : 1
  const selector = pick<object>([
    {},
    {},
    { 'nvidia.com/gpu.product': pick(nodes)?.product ?? '' },
    { nobody: 'has-it' },
  ])
  const taints = nodes.flatMap(({ room }) => room.taints)
  const tolerations =
    random() < 0.4 ? taints.filter(() => random() < 0.7).map((taint) => ({ ...taint, operator: 'Equal' })) : []
  const amounts = { [resource]: String(devices) }
  return {
    count: pick([1, 1, 1, 2, 3, 8]) ?? 1,
    spec: {
      preemptionPolicy: 'Never',
      nodeSelector: selector,
      tolerations,
      containers: [{ name: 'main', image: 'x', resources: { requests: amounts, limits: amounts } }],
    },
  }
}

test('of drawn jobs, each is told yes or no as the scheduler of the demo cluster then decides', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-starts-'))
  let now = NOW
  const demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder, clock: () => now, turnMs: 3_600_000 })
  const call = caller(demo)
  const clock = () => instant(now)
  const reader = openClusterReader({ kubeconfig: { path: demo.kubeconfigPath }, log: silent, clock, random: seeded(1) })
  const random = seeded(20_261_123)
  const verdicts: string[] = []
  const wrong: unknown[] = []
  try {
    await reader.start()
    const snapshot = (): ClusterSnapshot => {
      const inventory = reader.inventory()
      if (inventory === undefined) throw new Error('the demo cluster was not read')
      return assembleSnapshot({ cluster: 'demo', inventory, samples: [], now: instant(now) })
    }
    for (let number = 0; number < JOBS; number += 1) {
      const { count, spec } = drawJob(random, snapshot())
      const job = {
        kind: 'Deployment',
        metadata: { name: 'drawn', namespace: NAMESPACE },
        spec: { replicas: count, template: { spec } },
      }
      const read = readManifest(JSON.stringify(job), NAMESPACE)
      const [answer] = read.kind === 'read' ? checkStart(snapshot(), read.jobs) : []
      const names = Array.from({ length: count }, (_, at) => `drawn-${number}-${at}`)
      for (const name of names)
        await call('POST', '', { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: NAMESPACE }, spec })
      const bound = await Promise.all(names.map((name) => call('GET', `/${name}`)))
      const started = bound.filter((pod) => pod.spec?.nodeName !== undefined).length
      verdicts.push(answer?.verdict ?? 'none')
      if (answer === undefined || !isRight(answer, started)) wrong.push({ number, answer, started, job })
      // What did not start goes; of what did most stays, so that the cluster fills up.
      const gone = names.filter((_, at) => bound[at]?.spec?.nodeName === undefined || random() < 0.4)
      for (const name of gone) await call('DELETE', `/${name}?gracePeriodSeconds=0`)
      now += 60_000
      await allRead(call, () => reader.inventory()?.pods ?? [])
    }
  } finally {
    await reader.stop()
    await demo.close()
    rmSync(folder, { recursive: true })
  }
  expect(wrong).toEqual([])
  const counts = Object.fromEntries(
    Object.entries(Object.groupBy(verdicts, (each) => each)).map(([name, all]) => [name, all?.length]),
  )
  // Both answers were really given, and few were left open.
  expect(counts['now']).toBeGreaterThan(JOBS / 10)
  expect(counts['not-now']).toBeGreaterThan(JOBS / 10)
  expect(counts['unknown'] ?? 0).toBeLessThan(JOBS / 4)
}, 120_000)

/** A yes means all of its pods, a no fewer than all, and no fewer than were promised. */
const isRight = ({ verdict, pods, starting }: StartAnswer, started: number): boolean =>
  verdict === 'unknown' || (verdict === 'now' ? started === pods : started < pods && started >= starting)

type Pod = {
  readonly metadata?: { readonly namespace?: string; readonly name?: string }
  readonly spec?: {
    readonly nodeName?: string
    readonly containers?: ReadonlyArray<{ readonly resources?: { readonly limits?: Readonly<Record<string, string>> } }>
  }
  readonly status?: { readonly phase?: string }
  /** Of a list. */
  readonly items?: readonly Pod[]
}

/** Which pod holds devices of which node: as the API lists it, and as it was read. */
const heldBy = (pods: readonly Pod[]): string =>
  pods
    .filter(({ spec, status }) => {
      const limits = spec?.containers?.flatMap(({ resources }) => Object.keys(resources?.limits ?? {})) ?? []
      return limits.some((name) => name.startsWith('nvidia.com/')) && !OVER.has(status?.phase ?? '')
    })
    .map(({ metadata, spec }) => `${metadata?.namespace}/${metadata?.name}@${spec?.nodeName ?? ''}`)
    .toSorted()
    .join('\n')
const heldIn = (pods: Inventory['pods']): string =>
  pods
    .map(({ namespace, name, node }) => `${namespace}/${name}@${node ?? ''}`)
    .toSorted()
    .join('\n')
const OVER: ReadonlySet<string> = new Set(['Succeeded', 'Failed'])
/** From the pods of a namespace. */
const EVERYWHERE = '/../../../pods'

function caller({ apiUrl, actorToken }: DemoCluster) {
  return async (method: string, path: string, body?: object): Promise<Pod> => {
    const answer = await fetch(`${apiUrl}/api/v1/namespaces/${NAMESPACE}/pods${path}`, {
      method,
      headers: { authorization: `Bearer ${actorToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a pod as the demo's API shows it
    const read = (await answer.json()) as Pod
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`)
    return read
  }
}

/** Resolves once what was read is what the API shows: a minute may have ended work of the demo's own too. */
async function allRead(call: ReturnType<typeof caller>, read: () => Inventory['pods']): Promise<void> {
  const held = heldBy((await call('GET', EVERYWHERE)).items ?? [])
  while (heldIn(read()) !== held) await new Promise((resolve) => setTimeout(resolve, 2))
}
