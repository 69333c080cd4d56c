import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { TenantsSchema } from './tenants.ts'

const Found = {
  workloads: z.number().int().describe('running and queued GPU workloads in all clusters'),
  namespaces: z.array(z.object({ cluster: z.string(), name: z.string(), workloads: z.number().int() })),
} as const

export const tenantsPreview = operation(ROUTES.tenantsPreview, {
  title: 'Preview tenant rules',
  description: 'Which current GPU workloads each rule would match, and which would match none. Nothing is stored.',
  input: z.strictObject(TenantsSchema.shape),
  output: named('TenantPreview', {
    tenants: z.array(z.object({ name: z.string(), ...Found })).describe('in the order of the rules'),
    none: z.object(Found),
  }),
})
