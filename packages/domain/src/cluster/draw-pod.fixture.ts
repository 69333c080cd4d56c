import { instant, mib, type Mib } from '../units.ts'
import { type NodeRoom, type PodScheduling, type Taint, type Toleration, UNCONSTRAINED } from './scheduling.ts'
import type { GpuRequest, Pod, Workload } from './workload.ts'

/** A drawn pod and the workload that it is alone. */
export type Drawn = { readonly pod: Pod; readonly workload: Workload }

/** The instant of every drawn snapshot: 2026-01-01T00:00:00Z. */
export const DRAWN_AT = instant(1_767_225_600_000)

type Asked = {
  readonly node: string | undefined
  readonly requests: readonly GpuRequest[]
  readonly scheduling?: PodScheduling
  readonly queue?: string | undefined
}

/** A pod that runs where it has a node, else waits. */
export function drawPod(id: string, { node, requests, scheduling = UNCONSTRAINED, queue }: Asked): Drawn {
  const [namespace = '', name = ''] = id.split('/')
  const startedAt = node === undefined ? undefined : DRAWN_AT
  const waiting = node === undefined ? { reason: 'Unschedulable', message: 'Drawn as waiting.' } : undefined
  const common = { namespace, name, createdAt: DRAWN_AT, startedAt, waiting, requests }
  const workload = workloadIdOf(id)
  const phase = node === undefined ? 'Pending' : 'Running'
  return {
    pod: { ...common, id, uid: id, node, phase, scheduling, workload },
    workload: {
      ...common,
      id: workload,
      kind: 'Pod',
      class: 'unknown',
      queue,
      status: node === undefined ? 'queued' : 'running',
      pods: [id],
    },
  }
}

export const workloadIdOf = (pod: string): string => pod.replace('/', '/Pod/')

/** `? lab/train-9 4g.40gb ×2 cpu=4 memory=16 zone=a queue=gpus !gpu` */
export function drawWaiting(line: string): Drawn {
  const [, holder = '', what = 'gpu', ...more] = line.split(/\s+/u)
  const id = holder.includes('/') ? holder : `team/${holder}`
  const words = wordsOf(more.join(' '))
  const { queue, ...nodeSelector } = words.labels
  const count = Number(more.find((word) => /^[×x]\d+$/u.test(word))?.slice(1) ?? 1)
  const resource = /^\dg\./u.test(what) ? `nvidia.com/mig-${what}` : `nvidia.com/${what}`
  const scheduling: PodScheduling = {
    ...UNCONSTRAINED,
    cpuMilli: words.cpuMilli ?? 0,
    memory: words.memory ?? mib(0),
    nodeSelector,
    tolerations: words.taints.map(toleration),
  }
  return drawPod(id, { node: undefined, requests: [{ resource, count }], scheduling, queue })
}

/** What the words of a node's line say of it beside its GPUs. */
export function readRoom(rest: string): NodeRoom {
  const { cpuMilli, memory, labels, taints } = wordsOf(rest.replaceAll(/\[[^\]]*\]/gu, ' '))
  return { cpuMilli, memory, labels, taints }
}

type Words = {
  readonly cpuMilli: number | undefined
  readonly memory: Mib | undefined
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

function wordsOf(text: string): Words {
  const words = text.split(/\s+/u)
  const pairs = words.flatMap((word) => {
    const [, key, value] = /^([^=!]+)=(.*)$/u.exec(word) ?? []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  const { cpu, memory, ...labels } = Object.fromEntries(pairs)
  return {
    cpuMilli: cpu === undefined ? undefined : Number(cpu) * 1000,
    memory: memory === undefined ? undefined : mib(Number(memory) * 1024),
    labels,
    taints: words.filter((word) => word.startsWith('!')).map(taint),
  }
}

function taint(word: string): Taint {
  const [, key = '', value = '', effect = ''] = /^!([^=:]+)=?([^:]*):?(.*)$/u.exec(word) ?? []
  return { key, value, effect }
}

const toleration = ({ key, value, effect }: Taint): Toleration => ({
  key,
  operator: value === '' ? 'Exists' : 'Equal',
  value,
  effect,
})
