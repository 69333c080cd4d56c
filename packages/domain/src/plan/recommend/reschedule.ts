import { plural } from '../../words.ts'
import type { Pod, Workload } from '../../cluster/workload.ts'
import { ratio, HOUR_MS } from '../../units.ts'
import {
  elsewhereText,
  placeElsewhere,
  waitingAlike,
  type Elsewhere,
  type WaitingWork,
} from '../explain/place-elsewhere.ts'
import { FreeRoom, type FreePartition } from '../../fleet/free-room.ts'
import { whyBarred } from '../repack/unblock.ts'
import { type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Waiting for less, hours, may be the scheduler's next turn. */
export const LEAST_WAIT_HOURS = 1 / 6
/** How sure it is that the work runs there as well: on the model that it asked for, and on another. */
const SURE = { same: ratio(0.75), other: ratio(0.4) }

/** Waiting workloads that a node selector or affinity keeps from equal room elsewhere: send them there. */
export function reschedule(context: RecommendContext): readonly Proposal[] {
  const room = new FreeRoom(context)
  return context.snapshot.workloads
    .filter(({ status }) => status === 'queued')
    .flatMap((workload) => proposalFor(workload, room, context) ?? [])
}

function proposalFor(workload: Workload, room: FreeRoom, context: RecommendContext): Proposal | undefined {
  const waiting = waitingWork(workload, context)
  if (waiting === undefined) return undefined
  const place = placeElsewhere(waiting, { room, nodes: context.nodes })
  return place && proposalOf(workload, { ...waiting, place, used: takeRoom(place, waiting, room), context })
}

/** Pods of one shape that have waited for a while, all of their workload. */
function waitingWork(workload: Workload, context: RecommendContext): WaitingWork | undefined {
  const pods = context.podsOf.get(workload.id) ?? []
  const waiting = waitingAlike(pods)
  if (waiting === undefined || waitedHours(pods, context) < LEAST_WAIT_HOURS) return undefined
  return whyBarred(context.snapshot, workload, pods) === undefined ? waiting : undefined
}

const waitedHours = (pods: readonly Pod[], { snapshot }: RecommendContext): number =>
  pods.reduce((least, { createdAt }) => Math.min(least, (snapshot.takenAt - createdAt) / HOUR_MS), Infinity)

/** Takes room for all pods, so that the next workload does not count on it too. */
function takeRoom({ rooms }: Elsewhere, { pods, asked }: WaitingWork, room: FreeRoom): readonly FreePartition[] {
  const places = rooms.flatMap(({ partitions, pods: most }) =>
    Array.from({ length: most }, (_, index) => partitions.slice(index * asked.count, (index + 1) * asked.count)),
  )
  return pods.flatMap((pod, index) => {
    const found = places[index] ?? []
    room.take(found, pod)
    return found
  })
}

type Chosen = WaitingWork & {
  readonly place: Elsewhere
  readonly used: readonly FreePartition[]
  readonly context: RecommendContext
}

function proposalOf(workload: Workload, chosen: Chosen): Proposal {
  const { pods, pod, asked, place, used, context } = chosen
  const { pool, model, isSame } = place
  return {
    kind: 'reschedule',
    object: `workload/${workload.id}`,
    ...wordsFor(workload, chosen),
    rule: { name: 'reschedule', version: 1 },
    evidence: {
      query: `kubectl get pod -n ${pod.namespace} ${pod.name} -o yaml`,
      window: { from: workload.createdAt, to: context.snapshot.takenAt },
      samples: pods.length,
      coverage: ratio(1),
      figures: {
        'waiting for, h': Math.round(waitedHours(pods, context) * 10) / 10,
        'pods that wait': pods.length,
        'pods for which there is room': place.pods,
        asks: `${asked.count} × ${asked.resource}`,
        says: pod.waiting?.message ?? 'no reason given',
      },
    },
    wishes: [{ kind: 'reschedule', workload: workload.id, to: { pool, model, requests: pod.requests } }],
    starts: pods.map(({ id }) => id),
    needs: [...new Set(used.flatMap(({ node, partition }) => [`node/${node.name}`, `partition/${partition.id}`]))],
    bound: 'No pod is displaced: no plan can do better.',
    gain: {
      freed: [{ gpus: used.reduce((sum, { share }) => sum + share, 0), pool, model }],
      shown: {
        kind: 'none',
        brings: `starts ${plural(pods.length, 'pod')}`,
        because: 'It starts waiting work on capacity that is paid for already: time, not money.',
      },
    },
    confidence: isSame ? SURE.same : SURE.other,
  }
}

function wordsFor({ namespace, name }: Workload, { pods, place }: Chosen): Pick<Proposal, 'title' | 'message'> {
  const { model, rooms, isSame } = place
  const who = ['', 'Its waiting pod', 'Both its waiting pods'][pods.length] ?? `All its ${pods.length} waiting pods`
  const check = isSame ? 'that it may run elsewhere' : `that it runs as well on ${model}`
  return {
    title: `Let ${namespace}/${name} run on ${elsewhereText(place)}`,
    message: `${who} would start there at once, but for this: ${rooms[0]?.refusal ?? ''}. Check with its owner ${check}.`,
  }
}
