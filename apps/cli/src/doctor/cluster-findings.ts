import { listed, plural } from '@septet/domain/words'
import {
  pricesOf,
  pricingOf,
  shippedPrices,
  type ActorPolicyState,
  type ClusterSnapshot,
  type ConnectionStep,
  type GpuNode,
  type Problem,
} from '@septet/domain'

import type { Examined } from './examined.ts'
import { clockFindings, SET_PRICE, type Symptom } from './finding.ts'

/** What is wrong with a cluster and its metrics, what that means, and what to do; what is well in a line each. */
export function clusterFindings(examined: Examined): readonly Symptom[] {
  const { steps, snapshot, readProblem } = examined
  return [
    ...steps.flatMap(stepFindings),
    ...(readProblem === undefined ? [] : [watchFailed(readProblem)]),
    ...(examined.actorPolicy === undefined ? [] : [actorFinding(examined.actorPolicy)]),
    ...(snapshot === undefined
      ? []
      : [...operatorFindings(snapshot), ...apiFindings(steps), ...priceFindings(snapshot)]),
    ...telemetryFindings(examined),
    ...clockFindings('Prometheus', 'the metrics engine', examined.engineAheadMs ?? 0),
  ]
}

const AREAS: Readonly<Record<ConnectionStep['id'], string>> = {
  credentials: 'kubeconfig',
  reach: 'API server',
  certificate: 'certificate',
  'sign-in': 'sign-in',
  permissions: 'permissions',
  gpus: 'GPUs',
  clock: 'clock',
  metrics: 'metrics',
  'metric-names': 'metric names',
  'metric-nodes': 'metric nodes',
}

const STATES = { passed: 'ok', noticed: 'warn', failed: 'fail', running: 'warn' } as const

function stepFindings({ id, state, said, works, todo, items = [] }: ConnectionStep): readonly Symptom[] {
  if (state === 'skipped') return []
  const area = AREAS[id]
  const missing = id === 'permissions' ? items.filter((item) => item.state === 'failed') : []
  if (missing.length > 0) {
    return missing.map(({ name, said: lost }) => ({
      area,
      state: STATES[state],
      said: `${name}: ${lost}.`,
      todo: 'Grant it with deploy/reader-clusterrole.yaml.',
    }))
  }
  const meant = works === undefined ? said : `${said} What works: ${works}`
  return [{ area, state: STATES[state], said: meant, ...(todo === undefined ? {} : { todo }) }]
}

/** What bounds the token of who acts: in one sentence what it could do without that. */
function actorFinding(policy: ActorPolicyState): Symptom {
  const area = 'actor policy'
  if (policy.kind === 'no-actor') {
    return { area, state: 'ok', said: 'There is no account septet-actor, so Septet can change nothing here.' }
  }
  if (policy.kind === 'in-force') {
    return {
      area,
      state: 'ok',
      said: 'The API server refuses the actor’s token everything but what Septet does with it.',
    }
  }
  if (policy.kind === 'unknown') {
    const said = `Whether a policy bounds the actor’s token could not be read: ${policy.because}`
    return { area, state: 'warn', said, todo: 'Run this with credentials that may get validatingadmissionpolicies.' }
  }
  return {
    area,
    state: 'warn',
    said: `${UNBOUNDED[policy.kind]}${policy.kind === 'different' ? ` (${listed(policy.parts)})` : ''}: anyone who steals the actor’s token can run anything as root on every node if it may right-size or reclaim idle work, and taint any node if it may repartition.`,
    todo: 'Apply deploy/actor-policy.yaml of this version, or set actorPolicy in the chart (Kubernetes 1.30 or newer).',
  }
}

const UNBOUNDED = {
  absent: 'The policy septet-actor is not in this cluster',
  unbound: 'The policy septet-actor is here, but its binding does not put it in force',
  different: 'The policy septet-actor is not the one of this version',
} as const

const watchFailed = (why: string): Symptom => ({
  area: 'watch',
  state: 'fail',
  said: `The cluster could not be listed and watched: ${why}.`,
  todo: 'Check that proxies on the way let a request stay open, and grant list and watch on nodes and pods.',
})

/** What the GPU Operator made of the nodes. */
function operatorFindings({ nodes, problems }: ClusterSnapshot): readonly Symptom[] {
  const found = [
    ...[...problems, ...nodes.flatMap((node) => node.problems)]
      .filter(isAboutNodes)
      .map(problemFinding('GPU Operator')),
    ...nodes.filter(({ mig }) => mig.state === 'pending' || mig.state === 'rebooting').map(migUnderWay),
    ...nodes.filter((node) => !node.ready).map(notReady),
  ]
  if (nodes.length === 0) return []
  const wellSaid = `${plural(nodes.length, 'GPU node')}: labels, device plugin and MIG agree.`
  return found.length > 0 ? found : [{ area: 'GPU Operator', state: 'ok', said: wellSaid }]
}

/** That a resource may not be read is told by the permissions. */
const isAboutNodes = ({ code }: Problem): boolean => code !== 'forbidden'

const FAILURES: ReadonlySet<string> = new Set(['mig-failed', 'mig-wedged', 'mig-invalid'])

const problemFinding =
  (area: string) =>
  ({ code, message }: Problem): Symptom => ({
    area,
    state: FAILURES.has(code) ? 'fail' : 'warn',
    said: `${message} (${code})`,
  })

const migUnderWay = ({ name, mig }: GpuNode): Symptom => ({
  area: 'GPU Operator',
  state: 'warn',
  said: `${name}: mig-manager is changing to "${mig.config ?? 'unknown'}" (${mig.state}); until it finishes, the node offers no GPUs.`,
  todo: 'If this takes more than 10 minutes, check the nvidia-mig-manager log on that node: it waits for a pod that holds a GPU.',
})

const notReady = ({ name }: GpuNode): Symptom => ({
  area: 'nodes',
  state: 'warn',
  said: `${name} is not ready: you pay for its GPUs, and no work can use them.`,
  todo: `Find out why with kubectl describe node ${name}.`,
})

/** Which of the scheduling APIs are there, by what there was to ask permission for. */
function apiFindings(steps: readonly ConnectionStep[]): readonly Symptom[] {
  const items = steps.find(({ id }) => id === 'permissions')?.items ?? []
  const has = (group: string): boolean => items.some(({ name }) => name.includes(group))
  return [
    has('kueue.x-k8s.io')
      ? { area: 'Kueue', state: 'ok', said: 'Installed: Septet reads its queues and quotas.' }
      : { area: 'Kueue', state: 'ok', said: 'Not installed; work waits in the scheduler only.' },
    has('resource.k8s.io')
      ? { area: 'DRA', state: 'ok', said: 'Installed: Septet reads devices and claims.' }
      : { area: 'DRA', state: 'ok', said: 'Not installed; devices come from the device plugin.' },
  ]
}

function priceFindings(snapshot: ClusterSnapshot): readonly Symptom[] {
  const { nodes } = snapshot
  const priceOf = pricesOf(shippedPrices, pricingOf(snapshot))
  const models = Map.groupBy(
    nodes.filter(
      ({ pool, model, product, name }) => priceOf({ pool, model: model ?? product, node: name }).kind === 'unknown',
    ),
    ({ model, product }) => model ?? (product === '' ? 'unknown board' : product),
  )
  if (models.size === 0 && nodes.length > 0)
    return [{ area: 'prices', state: 'ok', said: 'Every GPU model has a price.' }]
  return [...models].map(([model, some]) => ({
    area: 'prices',
    state: 'warn' as const,
    said: `${model} has no price, so the cost of ${listed(some.slice(0, 3).map(({ name }) => name))} is unknown.`,
    todo: SET_PRICE,
  }))
}

/** Above this, short use is missed, seconds: dcgm-exporter collects every 30 s. */
const LONG_SECONDS = 65

function telemetryFindings({ snapshot, reading, telemetryProblems, sampleSeconds }: Examined): readonly Symptom[] {
  if (reading === undefined) return []
  const running = snapshot?.pods.some(({ phase }) => phase === 'Running') === true
  const unnamed = running && reading.samples.length > 0 && reading.samples.every(({ holder }) => holder === undefined)
  return [
    ...telemetryProblems.map(problemFinding('dcgm-exporter')),
    ...(unnamed ? [NO_POD_LABELS] : []),
    ...(sampleSeconds !== undefined && sampleSeconds > LONG_SECONDS ? [slowScrape(sampleSeconds)] : []),
  ]
}

const NO_POD_LABELS: Symptom = {
  area: 'dcgm-exporter',
  state: 'warn',
  said: 'No sample names a pod, so Septet infers from requests which device a pod holds and cannot tell pods on shared GPUs apart.',
  todo: 'Set DCGM_EXPORTER_KUBERNETES=true and mount /var/lib/kubelet/pod-resources; in Prometheus set honorLabels: true.',
}

const slowScrape = (seconds: number): Symptom => ({
  area: 'Prometheus',
  state: 'warn',
  said: `It samples each GPU every ${Math.round(seconds)} s, so shorter activity is missed and idle time is detected late.`,
  todo: 'Scrape dcgm-exporter every 15 to 30 s (interval of its ServiceMonitor).',
})
