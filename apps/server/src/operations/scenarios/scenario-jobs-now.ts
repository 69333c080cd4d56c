import {
  NO_PEAKS,
  boardFor,
  instant,
  profileOf,
  ratio,
  seconds,
  sliceShare,
  type GpuStay,
  type Partition,
  type Window,
  type Workload,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { modelOfNode } from './scenario-fleet-now.ts'

/** What runs at this moment and what waits, as stays that begin now and do not end. */
export function staysNow(facts: ClusterFacts, picture: ClusterPicture, window: Window): readonly GpuStay[] {
  return [...running(facts, picture, window), ...waiting(picture, window)]
}

type Seat = { readonly model: string; readonly partition: Partition }

function running(facts: ClusterFacts, { nodes, allocations }: ClusterPicture, window: Window): readonly GpuStay[] {
  const seats = new Map<string, Seat>(
    nodes.flatMap((node) =>
      node.gpus.flatMap((gpu) =>
        gpu.partitions.map(
          (partition) => [partition.id, { model: gpu.model ?? modelOfNode(node), partition }] as const,
        ),
      ),
    ),
  )
  const samples = facts.samples()
  const held = allocations.flatMap((allocation) => {
    const seat = seats.get(allocation.partition)
    // A device whose holder is guessed says nothing of this pod.
    const busy = allocation.evidence === 'guess' ? undefined : samples.get(allocation.partition)?.busy
    return seat === undefined ? [] : [{ allocation, seat, busy }]
  })
  const groups = Map.groupBy(held, ({ allocation, seat }) =>
    JSON.stringify([allocation.pod, seat.model, profileName(seat)]),
  )
  return [...groups.values()].flatMap((group): GpuStay[] => {
    const [first] = group
    if (first === undefined) return []
    const share = shareOfSeat(first.seat)
    const known = group.flatMap(({ busy }) => (busy === undefined ? [] : [busy]))
    return [
      {
        pod: first.allocation.pod,
        ...ownerOf(first.allocation.workload),
        model: first.seat.model,
        profile: profileName(first.seat),
        share: ratio(share),
        devices: group.length,
        from: window.from,
        to: window.to,
        // One reading each: busy now is all that a moment knows.
        measuredGpuSeconds: share * known.length,
        busyGpuSeconds: share * known.reduce((sum, busy) => sum + busy, 0),
        measuredSeconds: seconds(known.length),
        ...NO_PEAKS,
      },
    ]
  })
}

/** Pods of queued workloads, each with its part of what the workload asks for. */
function waiting({ nodes, workloads }: ClusterPicture, window: Window): readonly GpuStay[] {
  const models = nodes.flatMap((node) => node.gpus.map(() => modelOfNode(node)))
  const queued = workloads.filter(({ status }) => status === 'queued')
  return queued.flatMap((workload) =>
    workload.pods.flatMap((pod): GpuStay[] => {
      const asked = askedBy(workload, models)
      return asked === undefined
        ? []
        : [
            {
              pod,
              ...ownerOf(workload.id),
              ...asked,
              // After those who run: they were there before.
              from: instant(window.from + 1000),
              to: window.to,
              measuredGpuSeconds: 0,
              busyGpuSeconds: 0,
              measuredSeconds: seconds(0),
              ...NO_PEAKS,
            },
          ]
    }),
  )
}

type Asked = Pick<GpuStay, 'model' | 'profile' | 'share' | 'devices'>

/** What one pod asks for, on the model that most GPUs are of among those that could give it. */
function askedBy({ requests, pods }: Workload, models: readonly string[]): Asked | undefined {
  const [request] = requests
  if (request === undefined || pods.length === 0) return undefined
  const devices = Math.max(1, Math.round(request.count / pods.length))
  const mig = /\/mig-(.+)$/u.exec(request.resource)?.[1]?.replace('.me', '+me')
  const able = models.filter((model) => {
    const board = boardFor(model)
    return mig === undefined || (board !== undefined && profileOf(board, mig) !== undefined)
  })
  const model = mostOf(able)
  if (model === undefined) return undefined
  return { model, profile: mig ?? '', share: ratio(shareOfProfile(model, mig)), devices }
}

function mostOf(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0]
}

const profileName = ({ partition }: Seat): string => (partition.kind === 'mig' ? partition.profile : '')

const shareOfSeat = ({ partition, model }: Seat): number =>
  partition.kind === 'shared'
    ? 1 / Math.max(1, partition.replicas)
    : shareOfProfile(model, partition.kind === 'mig' ? partition.profile : undefined)

function shareOfProfile(model: string, name: string | undefined): number {
  const board = boardFor(model)
  const profile = board === undefined || name === undefined ? undefined : profileOf(board, name)
  return board === undefined || profile === undefined ? 1 : sliceShare(board, profile)
}

function ownerOf(workload: string): Pick<GpuStay, 'namespace' | 'workload'> {
  return { namespace: workload.slice(0, Math.max(0, workload.indexOf('/'))), workload }
}
