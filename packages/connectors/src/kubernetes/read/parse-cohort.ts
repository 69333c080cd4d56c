import type { Cohort, CohortQuota } from '@septet/domain'
import { z } from 'zod'
import { isGpuResource } from './gpu-resource.ts'
import { amountsOf } from './parse-kueue.ts'
import { QueueSpec } from './queue-spec.ts'
import { lenient, Metadata } from './schemas.ts'

/** Reads a Cohort of kueue.x-k8s.io; undefined where it changes nothing for its queues. */
export function parseCohort(raw: unknown): Cohort | undefined {
  const { metadata, spec } = CohortSchema.parse(raw)
  const flavors = (spec?.resourceGroups ?? []).flatMap((group) => group.flavors)
  const resources = new Set(flavors.flatMap((flavor) => flavor.resources.map(({ name }) => name)).filter(isGpuResource))
  const quotas = [...resources].map((resource): CohortQuota => ({
    resource,
    flavors: flavors.flatMap(({ name, resources: own }) =>
      own.flatMap((each) => (each.name === resource ? [{ name, ...amountsOf(each) }] : [])),
    ),
  }))
  const parent = spec?.parentName
  if (parent === undefined && quotas.length === 0) return undefined
  return { name: metadata.name, ...(parent === undefined ? {} : { parent }), quotas }
}

const CohortSchema = z.object({
  metadata: Metadata,
  spec: lenient(QueueSpec.pick({ resourceGroups: true }).extend({ parentName: lenient(z.string().min(1)) })),
})
