import { type Queue, isGpuResource, readQuantity } from '@septet/domain'
import type { ConditionSchema } from './schemas.ts'
import type { Flavor, QueueSpec, ResourceGroup } from './queue-spec.ts'

/** What decides beside quotas for GPUs whether a cluster queue lets work in. */
export function admissionRules(spec: QueueSpec | undefined, status: QueueStatus): Partial<Queue> {
  if (spec === undefined) return {}
  const { left, unread } = otherResources(spec, status.flavorsReservation)
  const rules = [...inactive(spec, status), ...unreadRules(spec), ...unread]
  return {
    ...(spec.queueingStrategy === 'StrictFIFO' ? { strict: true } : {}),
    ...(mayPreempt(spec) ? { mayPreempt: true } : {}),
    ...(Object.keys(left).length === 0 ? {} : { left }),
    ...(rules.length === 0 ? {} : { unread: rules }),
  }
}

type QueueStatus = { readonly conditions: readonly ConditionSchema[]; readonly flavorsReservation: readonly Flavor[] }

/** A queue that is not active lets nothing in, whatever is left of its quota. */
function inactive({ stopPolicy = 'None' }: QueueSpec, { conditions }: QueueStatus): readonly string[] {
  const active = conditions.find(({ type }) => type === 'Active')
  if (active?.status !== 'False' || stopPolicy !== 'None') return []
  return [`the cluster queue is not active (${active.reason})`]
}

const mayPreempt = ({ preemption }: QueueSpec): boolean =>
  [preemption?.withinClusterQueue, preemption?.reclaimWithinCohort].some((policy) => (policy ?? 'Never') !== 'Never')

function unreadRules(spec: QueueSpec): readonly string[] {
  const { stopPolicy = 'None', admissionChecks, admissionChecksStrategy, namespaceSelector } = spec
  const servesAll = namespaceSelector !== undefined && Object.keys(namespaceSelector).length === 0
  const asksChecks = admissionChecks.length > 0 || admissionChecksStrategy !== undefined
  return [
    ...(stopPolicy === 'None' ? [] : ['the cluster queue is stopped']),
    ...(asksChecks ? ['its cluster queue asks admission checks, which decide by themselves'] : []),
    ...(servesAll ? [] : ['which namespaces its cluster queue serves depends on their labels, which are not read']),
  ]
}

const COUNTED = ['cpu', 'memory', 'pods'] as const
type Left = Partial<Record<(typeof COUNTED)[number], number>>

/** What is left of resources that are no GPUs; those of which it cannot be told, as what others borrow, in words. */
function otherResources(
  { resourceGroups, cohort, cohortName }: QueueSpec,
  reserved: readonly Flavor[],
): { readonly left: Left; readonly unread: readonly string[] } {
  const isAlone = (cohort ?? cohortName) === undefined
  const found = resourceGroups.flatMap((group) =>
    [...namesIn(group)].map((name) => ({ name, left: isAlone ? leftOf(group, name, reserved) : undefined })),
  )
  const known = found.flatMap(({ name, left }) => {
    const counted = COUNTED.find((each) => each === name)
    return counted === undefined || left === undefined ? [] : [[counted, left] as const]
  })
  const names = new Set<string>(known.map(([name]) => name))
  return {
    left: Object.fromEntries(known),
    unread: found.flatMap(({ name }) =>
      names.has(name) ? [] : `how much ${name} its cluster queue has left is unknown`,
    ),
  }
}

const namesIn = ({ flavors }: ResourceGroup): ReadonlySet<string> =>
  new Set(flavors.flatMap(({ resources }) => resources.map(({ name }) => name)).filter((name) => !isGpuResource(name)))

/** Of the only flavor; where there are several, Kueue chooses. */
function leftOf({ flavors }: ResourceGroup, wanted: string, reserved: readonly Flavor[]): number | undefined {
  const [flavor, ...more] = flavors
  const amountIn = (found: Flavor | undefined) => found?.resources.find(({ name }) => name === wanted)
  const nominal = readQuantity(amountIn(flavor)?.nominalQuota)
  if (nominal === undefined || more.length > 0) return undefined
  return nominal - (readQuantity(amountIn(reserved.find(({ name }) => name === flavor?.name))?.total) ?? 0)
}
