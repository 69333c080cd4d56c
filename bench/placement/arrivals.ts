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

/**
 * The arrivals of the FGD protocol: all pods, then pods drawn with replacement until their request reaches the ratio,
 * shuffled. A list that asks for more than that is cut at random instead.
 */
export function arrivals<Pod extends { readonly id: string }>(plan: ArrivalPlan<Pod>): Pod[] {
  const { pods, sizeOf, random } = plan
  const wanted = plan.capacity * plan.ratio
  const drawn = [...pods]
  let requested = pods.reduce((sum, pod) => sum + sizeOf(pod), 0)
  if (requested === 0) return shuffle(drawn, random)
  for (let copy = 1; requested < wanted; copy += 1) {
    const pod = pods[Math.floor(random() * pods.length)]
    if (pod === undefined) break
    drawn.push({ ...pod, id: `${pod.id}+${copy}` })
    requested += sizeOf(pod)
  }
  return cut(shuffle(drawn, random), sizeOf, wanted)
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
