import { readFileSync } from 'node:fs'

import {
  actorPolicyIn,
  checkCluster,
  checkMetrics,
  openClusterReader,
  openExporterReader,
  openPrometheus,
  type ClusterAddress,
} from '@septet/connectors'
import {
  assembleSnapshot,
  expectedOf,
  instant,
  judgeReading,
  prometheusSource,
  type ConnectionStep,
  type Inventory,
  type TelemetryReading,
} from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { parseAllDocuments } from 'yaml'

import type { Examined, ExamineNeeds } from './doctor/examined.ts'

const ACTOR_POLICY = new URL('../../../deploy/actor-policy.yaml', import.meta.url)

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Looks at a cluster as the server does when a connection is tested and when it is watched. Never throws. */
export async function examineOnce(needs: ExamineNeeds): Promise<Examined> {
  const steps = new Map<string, ConnectionStep>()
  const { kubeconfig, context } = needs
  const address = context === undefined ? { path: kubeconfig } : { path: kubeconfig, context }
  const isReadable = await testOnce(address, needs, (step) => void steps.set(step.id, step))
  const { inventory, problem: readProblem } = isReadable ? await inventoryOnce(address, needs) : {}
  const { reading, sampleSeconds } = steps.get('metrics')?.state === 'failed' ? {} : await readingOnce(needs)
  return {
    steps: [...steps.values()],
    actorPolicy: isReadable ? await actorPolicyIn(address, shippedPolicy()) : undefined,
    readProblem,
    reading,
    sampleSeconds,
    engineAheadMs: await engineAhead(needs),
    ...judgedOnce({ inventory, reading }, needs),
  }
}

const shippedPolicy = (): unknown => parseAllDocuments(readFileSync(ACTOR_POLICY, 'utf8'))[0]?.toJS()

/** The connection test, step by step; resolves with whether the nodes can be read. */
async function testOnce(
  kubeconfig: ClusterAddress,
  { clock, operatorNamespace, exporterTargets, prometheusUrl, engine }: ExamineNeeds,
  tell: (step: ConnectionStep) => void,
): Promise<boolean> {
  const signal = AbortSignal.timeout(EXAMINE_MS)
  const { gpuNodes } = await checkCluster({ kubeconfig, operatorNamespace, clock, signal, tell })
  const prometheus = prometheusSource({ ...engine, prometheusUrl })
  await checkMetrics({ clock, tell, gpuNodes, exporterTargets, prometheus })
  return gpuNodes !== undefined
}

type Seen = { readonly inventory: Inventory | undefined; readonly reading: TelemetryReading | undefined }

/** Nodes, devices and samples held against one another, which is where most contradictions show. */
function judgedOnce(
  { inventory, reading }: Seen,
  { context = 'cluster', clock }: ExamineNeeds,
): Pick<Examined, 'snapshot' | 'telemetryProblems'> {
  const now = instant(clock())
  const expected = inventory === undefined ? {} : { expected: expectedOf(inventory) }
  const judged =
    reading === undefined
      ? { samples: [], problems: [] }
      : judgeReading({ reading, memory: undefined, now, ...expected })
  return {
    snapshot: inventory && assembleSnapshot({ cluster: context, inventory, samples: judged.samples, now }),
    telemetryProblems: [...(reading?.problems ?? []), ...judged.problems],
  }
}

const EXAMINE_MS = 60_000

type ReadOnce = { readonly inventory?: Inventory; readonly problem?: string }

async function inventoryOnce(
  kubeconfig: ClusterAddress,
  { operatorNamespace, clock: now }: ExamineNeeds,
): Promise<ReadOnce> {
  const reader = openClusterReader({
    kubeconfig,
    operatorNamespace,
    log: silent,
    clock: () => instant(now()),
    random: Math.random,
  })
  try {
    await reader.start()
    const inventory = reader.inventory()
    return inventory === undefined ? { problem: 'its nodes and pods were not read' } : { inventory }
  } catch (error) {
    return { problem: errorText(error) }
  } finally {
    await reader.stop()
  }
}

type MeasuredOnce = { readonly reading?: TelemetryReading; readonly sampleSeconds?: number }

async function readingOnce(needs: ExamineNeeds): Promise<MeasuredOnce> {
  const { exporterTargets, prometheusUrl, engine: words, clock: now } = needs
  if (exporterTargets.length > 0) {
    const targets = exporterTargets.map((target) => ({ url: target }))
    const reader = openExporterReader({ targets, clock: now, timeoutMs: 10_000 })
    try {
      return { reading: await reader.read() }
    } catch {
      // The step of the connection test says why.
      return {}
    } finally {
      await reader.close()
    }
  }
  const source = prometheusSource({ ...words, prometheusUrl })
  if (source === undefined) return {}
  const engine = openPrometheus({ ...source, clock: now })
  try {
    const reading = await engine.read()
    const counted = await engine.instant(`count_over_time(DCGM_FI_DEV_GPU_UTIL[${COUNTED_SECONDS}s])`).catch(() => [])
    const most = Math.max(0, ...counted.map(({ samples }) => samples.at(-1)?.value ?? 0))
    return { reading, ...(most === 0 ? {} : { sampleSeconds: COUNTED_SECONDS / most }) }
  } catch {
    // The step of the connection test says why.
    return {}
  } finally {
    await engine.close()
  }
}

const COUNTED_SECONDS = 600

/** How far the metrics engine's clock is ahead, by its HTTP header; undefined where it does not say. */
async function engineAhead({ prometheusUrl, clock: now }: ExamineNeeds): Promise<number | undefined> {
  if (prometheusUrl === undefined) return undefined
  // Asked without the token: whoever answers tells the time.
  const asked = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const
  const date = await fetch(prometheusUrl, asked).then(
    (answer) => answer.headers.get('date'),
    () => null,
  )
  return date === null ? undefined : Date.parse(date) - now()
}
