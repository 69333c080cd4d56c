import { z } from 'zod'
import { lenient, lenientList } from './schemas.ts'

const Amount = lenient(z.union([z.string(), z.number()]))
const FlavorResource = z.object({
  name: z.string(),
  nominalQuota: Amount,
  borrowingLimit: Amount,
  lendingLimit: Amount,
  total: Amount,
})
export type FlavorAmounts = Pick<z.infer<typeof FlavorResource>, 'nominalQuota' | 'borrowingLimit' | 'lendingLimit'>
/** A flavor with its resources, as a queue promises them or has reserved them. */
export const Flavor = z.object({
  name: z.string(),
  resources: lenientList(FlavorResource),
})
export type Flavor = z.infer<typeof Flavor>
const ResourceGroup = z.object({ flavors: lenientList(Flavor) })
export type ResourceGroup = z.infer<typeof ResourceGroup>
const Any = z.unknown()
/** What a ClusterQueue's manifest says. */
export const QueueSpec = z.object({
  cohortName: lenient(z.string().min(1)),
  // v1beta1 calls it so.
  cohort: lenient(z.string().min(1)),
  resourceGroups: lenientList(ResourceGroup),
  queueingStrategy: lenient(z.string()),
  stopPolicy: lenient(z.string()),
  admissionChecks: lenientList(z.string()),
  admissionChecksStrategy: lenient(z.object({ admissionChecks: lenientList(z.object({ name: z.string() })) })),
  namespaceSelector: lenient(z.record(z.string(), Any)),
  preemption: lenient(z.object({ withinClusterQueue: lenient(z.string()), reclaimWithinCohort: lenient(z.string()) })),
})
export type QueueSpec = z.infer<typeof QueueSpec>
