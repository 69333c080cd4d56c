import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { resourceOf } from '../state/gpu-state.ts'
import type { AskedJob } from './asked-job.ts'
import { judgeJob, type Judged } from './judge-job.ts'
import { openFleet, soundGpus, type OpenFleet } from './open-fleet.ts'
import { limitedAnswer } from './limited-answer.ts'
import type { Seating } from './seat-groups.ts'
import { smallerJobs } from './smaller-jobs.ts'
import type { StartAnswer, StartPlace } from './start-answer.ts'
import { asksOf } from './asks-of.ts'
import { sliceWarning } from './slice-warning.ts'
import { joined, startSentence } from './start-sentence.ts'
import { waysToStart } from './ways-to-start.ts'
import { whyNotNow } from './why-not-now.ts'

/** Whom the answer is for: whoever may not see the whole cluster is shown no namespaces but these. */
export type StartAsker = { readonly namespaces: readonly string[] | undefined }

/**
 * Whether jobs that were not submitted yet would start now, each as it would be beside the others: where, or what keeps it
 * from starting, what others could do about that, and the smallest changes of the job with which it would. What Septet
 * does not read leaves the answer unknown and never decides it.
 */
export function checkStart(
  snapshot: ClusterSnapshot,
  jobs: readonly AskedJob[],
  asker: StartAsker = { namespaces: undefined },
): readonly StartAnswer[] {
  const fleet = openFleet(snapshot)
  return jobs.map((job) => {
    const beside = jobs.filter((other) => other !== job)
    const judged = judgeJob(fleet, job, beside)
    const { kind, namespace, name, gang } = job
    const pods = job.groups.reduce((sum, { count }) => sum + count, 0)
    const because = judged.verdict === 'now' ? [] : whyNotNow(job, judged)
    const places = judged.starting > 0 ? placesOf(fleet, judged) : []
    const answer: StartAnswer = {
      kind,
      namespace,
      name,
      gang,
      verdict: judged.verdict,
      sentence: joined(
        startSentence(job, { ...judged, pods, nodes: [...new Set(places.map(({ node }) => node))] }),
        sliceWarning(judged, places),
      ),
      pods,
      starting: judged.starting,
      places,
      asks: asksOf(job, judged),
      because,
      unknown: judged.unknown,
      ways: judged.verdict === 'now' ? [] : waysToStart(fleet, job, judged),
      changes: judged.verdict === 'not-now' ? smallerJobs(fleet, { job, beside, judged, asker }) : [],
    }
    return asker.namespaces === undefined ? answer : limitedAnswer(answer, job, judged)
  })
}

/** Where its pods would go: the fullest nodes that take them first, so that few are named. */
function placesOf({ held }: OpenFleet, { seatings, starting }: Judged): readonly StartPlace[] {
  let left = starting
  const taken = new Set<string>()
  return seatings.flatMap((seating) => {
    let own = Math.min(left, seating.sure, seating.pods.count)
    left -= own
    const nodes = seating.slots
      .filter(({ count, unsure }) => count > 0 && unsure === undefined)
      .toSorted((a, b) => a.count - b.count)
    const enough = nodes.find(({ count }) => count >= own)
    const chosen = enough === undefined || isSpread(seating) ? nodes.toReversed() : [enough]
    return chosen.flatMap((slot): StartPlace | [] => {
      const pods = Math.min(own, isSpread(seating) ? 1 : slot.count)
      own -= pods
      if (pods === 0) return []
      const devices = freeDevices(seating, slot, pods).filter(({ id }) => !held.has(id) && !taken.has(id))
      const wanted = devices.slice(0, devicesOf(seating) * pods)
      for (const { id } of wanted) taken.add(id)
      return {
        part: seating.pods.part,
        node: slot.on.node.name,
        pods,
        devices: wanted.map(({ gpu, index, profile }) => ({ gpu, index, profile })),
      }
    })
  })
}

const isSpread = ({ pods: { spread } }: Seating): boolean => spread.length > 0

const devicesOf = ({ pods: { requests, claims } }: Seating): number =>
  [...requests, ...claims].reduce((sum, { count }) => sum + count, 0)

function freeDevices({ pods: { requests, claims } }: Seating, { on }: Seating['slots'][number], _pods: number) {
  const wanted = new Set([...requests, ...claims].map(({ resource }) => resource))
  return soundGpus(on).flatMap((gpu) =>
    gpu.partitions
      .filter((partition) => wanted.has(resourceOf(on.node, partition)))
      .map((partition) => ({
        id: partition.id,
        gpu: gpu.id,
        index: gpu.index,
        profile: partition.kind === 'mig' ? partition.profile : undefined,
      })),
  )
}
