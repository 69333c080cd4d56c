import { faultKind, type FaultName } from './fault-kinds.ts'

/** What somebody wants to go wrong. */
export type FaultWish = {
  readonly kind: FaultName
  readonly node?: string | undefined
  /** Its name, or `namespace/name`. */
  readonly pod?: string | undefined
  /** `nodes`, `pods/eviction`, `deployments/scale`. */
  readonly resource?: string | undefined
  readonly times?: number | undefined
  readonly seconds?: number | undefined
}

export type Fault = FaultWish & {
  readonly id: string
  /** How often it will still happen; undefined: until it is taken away. */
  readonly times: number | undefined
  readonly seconds: number | undefined
}

/** What a fault may hit. */
type Target = { readonly node?: string; readonly pod?: string; readonly resource?: string }

export type Faults = {
  /** Throws where the kind needs to be told more. */
  add(wish: FaultWish): Fault
  remove(id: string): Fault | undefined
  active(): readonly Fault[]
  /** The first fault of a kind that hits this, which has then happened once. */
  take(kind: FaultName, target: Target): Fault | undefined
}

export function createFaults(): Faults {
  const faults = new Map<string, Fault>()
  let made = 0
  return {
    add: (wish) => {
      const { needs, times, seconds } = faultKind(wish.kind)
      if (needs !== undefined && wish[needs] === undefined) throw new Error(`${wish.kind} needs a ${needs}`)
      const fault = { ...wish, id: `fault-${++made}`, times: wish.times ?? times, seconds: wish.seconds ?? seconds }
      faults.set(fault.id, fault)
      return fault
    },
    remove: (id) => {
      const fault = faults.get(id)
      faults.delete(id)
      return fault
    },
    active: () => [...faults.values()],
    take: (kind, target) => {
      const fault = [...faults.values()].find((each) => each.kind === kind && hits(each, target))
      if (fault?.times === undefined) return fault
      if (fault.times <= 1) faults.delete(fault.id)
      else faults.set(fault.id, { ...fault, times: fault.times - 1 })
      return fault
    },
  }
}

const hits = (fault: Fault, { node, pod, resource }: Target): boolean =>
  (fault.node === undefined || fault.node === node) &&
  (fault.resource === undefined || fault.resource === resource) &&
  (fault.pod === undefined || fault.pod === pod || fault.pod === pod?.slice(pod.indexOf('/') + 1))
