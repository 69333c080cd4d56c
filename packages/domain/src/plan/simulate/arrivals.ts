import { gpuMilliOf, type Demand } from '../place/demand.ts'

export type ArrivalPlan = {
  readonly pods: readonly Demand[]
  /** GPUs of the fleet, in thousandths. */
  readonly capacityMilli: number
  /** GPU request of all arrivals over that capacity, 1.3 in the FGD paper. */
  readonly ratio: number
  readonly random: () => number
}

/**
 * The arrivals of the FGD protocol: all pods, then pods drawn with replacement until their GPU request reaches the ratio,
 * shuffled. A list that asks for more than that is cut at random instead.
 */
export function arrivals({ pods, capacityMilli, ratio, random }: ArrivalPlan): Demand[] {
  const wanted = capacityMilli * ratio
  const drawn = [...pods]
  let requested = pods.reduce((sum, { gpu }) => sum + gpuMilliOf(gpu), 0)
  if (requested === 0) return shuffle(drawn, random)
  for (let copy = 1; requested < wanted; copy += 1) {
    const pod = pods[Math.floor(random() * pods.length)]
    if (pod === undefined) break
    drawn.push({ ...pod, id: `${pod.id}+${copy}` })
    requested += gpuMilliOf(pod.gpu)
  }
  return cut(shuffle(drawn, random), wanted)
}

function shuffle(demands: Demand[], random: () => number): Demand[] {
  for (let last = demands.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [demands[last], demands[other]]
    if (a !== undefined && b !== undefined) {
      demands[last] = b
      demands[other] = a
    }
  }
  return demands
}

function cut(demands: Demand[], wanted: number): Demand[] {
  let requested = 0
  const end = demands.findIndex(({ gpu }) => {
    const before = requested
    requested += gpuMilliOf(gpu)
    return before >= wanted
  })
  return end === -1 ? demands : demands.slice(0, end)
}
