import { tenantOf } from '../cost/tenant.ts'
import { tellsOfOthers } from '../cluster/mixed-tenants.ts'
import type { Gpu, GpuNode } from '../cluster/node.ts'
import { isFreshObservation, NOTHING_SEEN, type AlertEvidence, type Observation, type Observed } from './observation.ts'

const NOBODYS = { namespace: undefined, tenant: undefined } as const

/** Nodes whose MIG configuration could not be applied, as mig-manager says it. */
export function observeMigChanges(evidence: AlertEvidence): Observed {
  if (!isFreshObservation(evidence) || evidence.picture === undefined) return NOTHING_SEEN
  const observations = evidence.picture.nodes
    .filter(({ mig }) => mig.state !== undefined)
    .map((node): Observation => {
      const wished = node.mig.config ?? 'an unnamed configuration'
      return {
        kind: 'mig-change-failed',
        object: `node/${node.name}`,
        ...NOBODYS,
        verdict: MIG_VERDICTS[node.mig.state ?? 'pending'],
        figure: { value: node.mig.state === 'failed' ? 1 : 0, threshold: 1, unit: 'count', coverage: undefined },
        title: `MIG change failed on ${node.name}`,
        message: `mig-manager could not apply ${wished} on ${node.name}: nvidia.com/mig.config.state is failed.`,
        advice: `Check the log of mig-manager on ${node.name}. Most often a pod still holds a GPU there: drain it, then set the label again.`,
      }
    })
  return { observations, complete: true }
}

/** While a change is under way nobody knows how it ends. */
const MIG_VERDICTS = {
  failed: 'breach',
  success: 'clear',
  pending: 'unknown',
  rebooting: 'unknown',
} as const satisfies Record<NonNullable<GpuNode['mig']['state']>, Observation['verdict']>

/** Nodes that are shared for one namespace, and where pods of others have come since. */
export function observeMixing(evidence: AlertEvidence): Observed {
  if (!isFreshObservation(evidence) || evidence.picture === undefined) return NOTHING_SEEN
  const observations = evidence.picture.nodes.map(({ name, problems }): Observation => {
    const problem = problems.find(tellsOfOthers)
    return {
      kind: 'mixed-namespaces',
      object: `node/${name}`,
      ...NOBODYS,
      verdict: problem === undefined ? 'clear' : 'breach',
      figure: { value: problem === undefined ? 0 : 1, threshold: 1, unit: 'count', coverage: undefined },
      title: `Pods of several namespaces share the GPUs of ${name}`,
      message: problem?.message ?? `The GPUs of ${name} are not shared by several namespaces.`,
      advice: `To list its pods: kubectl get pods --all-namespaces --field-selector spec.nodeName=${name}`,
    }
  })
  return { observations, complete: true }
}

/** GPUs with an XID that stands for a fault of the GPU. */
export function observeXids(evidence: AlertEvidence): Observed {
  const { picture, samples, tenants } = evidence
  if (!isFreshObservation(evidence) || picture === undefined) return NOTHING_SEEN
  const codes = new Map(
    [...samples.values()].flatMap(({ gpu, xid }) => (xid === undefined ? [] : [[gpu, xid] as const])),
  )
  const holders = Map.groupBy(picture.allocations, ({ partition }) => partition)
  const observations = picture.nodes.flatMap((node) =>
    node.gpus.map((gpu) => {
      const namespaces = new Set(
        gpu.partitions.flatMap(({ id }) => holders.get(id) ?? []).map(({ workload }) => workload.split('/')[0] ?? ''),
      )
      const namespace = namespaces.size === 1 ? [...namespaces][0] : undefined
      const tenant = namespace === undefined ? undefined : tenantOf({ namespace }, tenants)
      return { ...xidObservation(node, gpu, codes.get(gpu.id)), namespace, tenant }
    }),
  )
  return { observations, complete: true }
}

function xidObservation({ name }: GpuNode, gpu: Gpu, code: number | undefined): Observation {
  // The newest code may be of an application, or of none: the fault stays until the GPU is repaired.
  const xid = gpu.fault?.xid
  return {
    kind: 'xid',
    object: `gpu/${gpu.id}`,
    ...NOBODYS,
    // Where the exporter gives no code, that is no proof of health.
    verdict: gpu.fault !== undefined ? 'breach' : code !== undefined ? 'clear' : 'unknown',
    figure: { value: xid ?? code ?? 0, threshold: 1, unit: 'code', coverage: undefined },
    title: `GPU ${gpu.index} on ${name} reports ${xid === undefined ? 'a fault' : `XID ${xid}`}`,
    message: gpu.fault?.message ?? `GPU ${gpu.id} on ${name} reports no fault.`,
    advice: "Follow NVIDIA's XID catalog for this code; drain the GPU before it is reset or replaced.",
  }
}

/** Where no measurements come from: the cluster, nodes, exporters. */
export function observeTelemetry(evidence: AlertEvidence): Observed {
  const { day, clusterName, problems, connected, picture } = evidence
  const cluster = clusterObservation(evidence, problems.find(({ code }) => CLUSTER_WIDE.has(code))?.message)
  const silent = new Set(isFreshObservation(evidence) ? day?.quality.silentNodes : [])
  const nodes = isFreshObservation(evidence) && day?.quality.silentNodes !== undefined ? (picture?.nodes ?? []) : []
  const targets = connected ? evidence.targets.filter(({ node }) => node === undefined || !silent.has(node)) : []
  return {
    observations: [
      cluster,
      ...nodes
        .filter(({ gpus }) => gpus.length > 0)
        .map(({ name }) => nodeObservation(name, clusterName, silent.has(name))),
      ...targets.map(({ target, kind, detail }) =>
        missing(`target/${target}`, {
          verdict: kind === 'up' ? 'clear' : 'breach',
          title: `${target} reports no metrics`,
          message: `The exporter ${target} of ${clusterName} is ${kind}${detail === '' ? '.' : `: ${detail}`}`,
        }),
      ),
    ],
    complete: nodes.length > 0,
  }
}

const CLUSTER_WIDE: ReadonlySet<string> = new Set(['telemetry-unavailable', 'telemetry-not-configured'])

function clusterObservation(evidence: AlertEvidence, problem: string | undefined): Observation {
  const { asOf, now, connected, clusterName } = evidence
  const minutes = asOf === undefined ? 0 : Math.max(0, now - asOf) / 60_000
  const why = problem ?? (connected ? 'Its newest data is old.' : 'Its API server is not responding.')
  const isMissing = problem !== undefined || !isFreshObservation(evidence)
  return {
    ...missing('cluster', {
      // Before the first reading nothing is missing yet.
      verdict: asOf === undefined && problem === undefined ? 'unknown' : isMissing ? 'breach' : 'clear',
      title: `${clusterName} reports no metrics`,
      message: `No new data from ${clusterName}: its utilization is unknown, not 0. ${why}`,
    }),
    figure: { value: minutes, threshold: 5, unit: 'minutes', coverage: undefined },
    ...(!connected && { advice: `Check the connection of ${clusterName} in Settings → Clusters.` }),
  }
}

const nodeObservation = (name: string, clusterName: string, isSilent: boolean): Observation =>
  missing(`node/${name}`, {
    verdict: isSilent ? 'breach' : 'clear',
    title: `${name} reports no metrics`,
    message: `Node ${name} of ${clusterName} has GPUs and reports no metrics: their use is unknown, not 0.`,
  })

const missing = (object: string, rest: Pick<Observation, 'verdict' | 'title' | 'message'>): Observation => ({
  kind: 'telemetry-missing',
  object,
  ...NOBODYS,
  figure: { value: rest.verdict === 'breach' ? 1 : 0, threshold: 1, unit: 'count', coverage: undefined },
  advice: 'Check that dcgm-exporter runs there and is scraped, and that Septet reaches it.',
  ...rest,
})
