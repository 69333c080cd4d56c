import {
  explainGpu,
  unblock,
  unsoundGpu,
  unsoundNode,
  whyWaits,
  type ClusterSnapshot,
  type Gpu,
  type Pod,
  type WaitAnswer,
  type Workload,
} from '@septet/domain'

import { writePlanFolder } from './plan-folder.ts'
import type { PlanOptions } from './plan-options.ts'

/**
 * Why a pod or work that Kueue holds back waits, where a pod runs, or what a GPU holds and what else fits; with the change of a
 * cluster queue that would let it in, which is written where `--out` names a place. Throws where there is no such object.
 */
export function explainObject(snapshot: ClusterSnapshot, options: PlanOptions): string {
  const name = options.explain ?? ''
  const found = named(snapshot, name)
  const wait = found.workload === undefined ? undefined : whyWaits(snapshot, found.workload, found.pod)
  const sentences = sentencesOf(snapshot, found, { wait, maxDisplaced: options.wish.maxDisplaced })
  if (sentences.length === 0) throw new Error(unknownName(snapshot, name))
  const patches = wait?.ways.flatMap(({ patch }) => patch ?? []) ?? []
  if (options.out !== undefined && patches.length > 0) {
    const files = patches.map((patch) => ({ path: patch.name, text: patch.text }))
    writePlanFolder(options.out, files, options.force)
  }
  if (options.format === 'json') return `${JSON.stringify({ object: name, sentences, patches }, undefined, 2)}\n`
  const shown = patches.map((patch) => `\n${patch.name}\n${patch.text}`)
  return `${name}\n${sentences.map((sentence) => `  ${sentence}`).join('\n')}\n${shown.join('')}`
}

type Named = { readonly pod: Pod | undefined; readonly gpu: Gpu | undefined; readonly workload: Workload | undefined }

function sentencesOf(snapshot: ClusterSnapshot, { pod, gpu, workload }: Named, waiting: Waiting): readonly string[] {
  if (pod !== undefined) return podSentences(snapshot, pod, waiting)
  if (workload !== undefined) return queuedSentences(workload, waysOf(waiting))
  return gpu === undefined ? [] : gpuSentences(snapshot, gpu)
}

/** A running pod waits for nothing, so that only a waiting one has work to be let in. */
function named({ pods, nodes, workloads }: ClusterSnapshot, name: string): Named {
  const pod = pods.find(({ id }) => id === name)
  const gpu = nodes
    .flatMap(({ gpus }) => gpus)
    .find(({ id, node, index }) => id === name || `${node}#${index}` === name)
  const wanted = pod === undefined ? name : pod.node === undefined ? pod.workload : undefined
  const workload = workloads.find(({ id, status }) => id === wanted && status !== 'running')
  return { pod, gpu, workload }
}

const asked = (requests: Pod['requests']): string =>
  requests.map(({ resource, count }) => `${count} × ${resource}`).join(' + ')

const queuedSentences = (
  { queue, queueOwner, requests, waiting }: Workload,
  ways: readonly string[],
): readonly string[] => [
  `It waits${queue === undefined ? '' : ` in the queue ${queue}`} and asks for ${asked(requests)}.`,
  ...(waiting === undefined ? [] : [`${queueOwner ?? 'Kueue'} says: ${waiting.reason}: ${waiting.message}`]),
  ...ways,
]

type Waiting = { readonly wait: WaitAnswer | undefined; readonly maxDisplaced: number }

const waysOf = ({ wait }: Waiting): readonly string[] => wait?.ways.map(({ sentence }) => sentence) ?? []

function podSentences(snapshot: ClusterSnapshot, pod: Pod, waiting: Waiting): readonly string[] {
  const asks = asked(pod.requests)
  if (pod.node !== undefined) return [`It asks for ${asks}.`, ...heldSentences(snapshot, pod)]
  const { because = [], unknown = [] } = waiting.wait ?? {}
  return [
    `It waits and asks for ${asks}.`,
    ...(pod.waiting === undefined ? [] : [`Kubernetes says: ${pod.waiting.reason}: ${pod.waiting.message}`]),
    ...because,
    ...unknown.map((words) => `Unknown: ${words}.`),
    ...waysOf(waiting),
    planSentence(snapshot, pod, waiting.maxDisplaced),
  ]
}

function heldSentences({ allocations, nodes }: ClusterSnapshot, pod: Pod): readonly string[] {
  const held = allocations.filter((allocation) => allocation.pod === pod.id)
  const where = held.map(({ partition, evidence }) => `${partition} (${evidence})`)
  const { managed, evictable } = pod.scheduling
  return [
    held.length === 0
      ? `It runs on ${pod.node}; which device it holds is unknown.`
      : `It runs on ${pod.node} and holds ${where.join(', ')}.`,
    ...(nodes.some(({ name }) => name === pod.node) ? [] : [`${pod.node} is no GPU node that was read.`]),
    ...(managed ? [] : ['It has no controller to recreate it, so no plan moves it.']),
    ...(evictable ? [] : ['It is marked as not evictable, so no plan moves it.']),
  ]
}

/** What a plan that starts as much as possible would do for it. */
function planSentence(snapshot: ClusterSnapshot, { workload }: Pod, maxDisplaced: number): string {
  const { starts, waits } = unblock(snapshot, maxDisplaced)
  const start = starts.find((one) => one.workload === workload)
  if (start !== undefined)
    return `septet plan --goal fit starts it (by ${start.by === 'room' ? 'free capacity' : start.by}).`
  const because = waits.find((one) => one.workload === workload)?.because
  return because === undefined ? 'No plan was made for it.' : `septet plan --goal fit does not start it: ${because}.`
}

function gpuSentences({ nodes, allocations }: ClusterSnapshot, gpu: Gpu): readonly string[] {
  const holders = Map.groupBy(allocations, ({ partition }) => partition)
  const on = gpu.partitions.flatMap(({ id }) => holders.get(id) ?? [])
  const node = nodes.find(({ name }) => name === gpu.node)
  const unsound = node === undefined ? undefined : (unsoundNode(node) ?? unsoundGpu(gpu))
  return [
    `GPU ${gpu.index} of ${gpu.node}, ${gpu.model ?? 'an unknown model'}.`,
    ...(unsound === undefined ? [] : [`No plan puts work on it: ${unsound}`]),
    ...(node === undefined ? [] : explainGpu(gpu, node, holders)),
    ...on.map(({ partition, pod, evidence }) => `${partition} is held by ${pod} (${evidence}).`),
  ]
}

function unknownName({ pods, nodes }: ClusterSnapshot, name: string): string {
  const pod = pods.find(({ node }) => node === undefined) ?? pods[0]
  const gpu = nodes.flatMap(({ gpus }) => gpus)[0]
  const examples = [pod?.id, gpu?.id].filter((id) => id !== undefined).join(' or ')
  return `There is no GPU pod, no waiting work and no GPU "${name}"${examples === '' ? '' : `; names look like ${examples}`}.`
}
