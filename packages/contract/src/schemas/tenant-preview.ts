import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { TenantsSchema } from './tenants.ts'

const Found = {
  workloads: z.number().int().describe('running and queued GPU workloads of all clusters'),
  namespaces: z.array(z.object({ cluster: z.string(), name: z.string(), workloads: z.number().int() })),
} as const

export const tenantsPreview = operation(ROUTES.tenantsPreview, {
  title: 'Try tenant rules out',
  description:
    'Which of the GPU workloads that are there now each rule would take, and which fall to none. Nothing is kept.',
  input: z.strictObject(TenantsSchema.shape),
  output: named('TenantPreview', {
    tenants: z.array(z.object({ name: z.string(), ...Found })).describe('in the order of the rules'),
    none: z.object(Found),
  }),
})
