import { grouped } from '@septet/domain/words'

export type ArrivalPlan<Pod> = {
  readonly pods: readonly Pod[]
  /** What a pod asks for, in any unit, never below 0. */
  readonly sizeOf: (pod: Pod) => number
  /** What the fleet has, in the same unit. */
  readonly capacity: number
  /** Request of all arrivals over that capacity, 1.3 in the FGD paper. */
  readonly ratio: number
  readonly random: () => number
}

/** Ten times what 10,000 GPUs need with requests as in openb-2023; beyond it a run would take hours and all memory. */
const MOST_ARRIVALS = 1_000_000

/**
 * The arrivals of the FGD protocol: all pods, then pods drawn with replacement until their request reaches the ratio,
 * shuffled. A list that asks for more than that is cut at random instead. Throws where that would take more than
 * `MOST_ARRIVALS`, as a list of tiny requests does.
 */
export function arrivals<Pod extends { readonly id: string }>(plan: ArrivalPlan<Pod>): Pod[] {
  const { pods, sizeOf, random } = plan
  const wanted = plan.capacity * plan.ratio
  const drawn = [...pods]
  let requested = pods.reduce((sum, pod) => sum + sizeOf(pod), 0)
  refuseTooMany(pods.length, { requested, wanted })
  if (requested === 0) return shuffle(drawn, random)
  for (let copy = 1; requested < wanted; copy += 1) {
    const pod = pods[Math.floor(random() * pods.length)]
    if (pod === undefined) break
    drawn.push({ ...pod, id: `${pod.id}+${copy}` })
    requested += sizeOf(pod)
  }
  return cut(shuffle(drawn, random), sizeOf, wanted)
}

function refuseTooMany(pods: number, { requested, wanted }: { requested: number; wanted: number }): void {
  const needed = requested === 0 ? pods : Math.max(pods, Math.ceil((wanted / requested) * pods))
  if (needed <= MOST_ARRIVALS) return
  throw new Error(
    `So many arrivals need about ${grouped(needed)} pods of this list's mean request; at most ${grouped(MOST_ARRIVALS)} ` +
      `are simulated. Ask for fewer arrivals, a smaller fleet, or a list with larger requests.`,
  )
}

function shuffle<Pod>(pods: Pod[], random: () => number): Pod[] {
  for (let last = pods.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [pods[last], pods[other]]
    if (a !== undefined && b !== undefined) {
      pods[last] = b
      pods[other] = a
    }
  }
  return pods
}

function cut<Pod>(pods: Pod[], sizeOf: (pod: Pod) => number, wanted: number): Pod[] {
  let requested = 0
  const end = pods.findIndex((pod) => {
    const before = requested
    requested += sizeOf(pod)
    return before >= wanted
  })
  return end === -1 ? pods : pods.slice(0, end)
}
