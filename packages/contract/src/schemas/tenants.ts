import { z } from 'zod'

import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const NAMESPACES = /^(\*|[a-z0-9][a-z0-9-]{0,62}\*?)$/u
const LABEL_KEY = /^([a-z0-9A-Z]([a-z0-9A-Z.-]{0,251}[a-z0-9A-Z])?\/)?[a-z0-9A-Z]([a-z0-9A-Z._-]{0,61}[a-z0-9A-Z])?$/u
const LABEL_VALUE = /^([a-z0-9A-Z]([a-z0-9A-Z._-]{0,61}[a-z0-9A-Z])?)?$/u

/** The rules that say which tenant a workload is charged to; the first that matches decides. */
export const TenantsSchema = z
  .strictObject({
    tenants: z
      .array(
        z
          .strictObject({
            name: z.string().trim().min(1).max(63),
            namespaces: z
              .array(z.string().regex(NAMESPACES, 'must be a namespace, a prefix ending in *, or *'))
              .max(200)
              .default([])
              .describe('names, or prefixes ending in *'),
            labels: z
              .record(z.string().regex(LABEL_KEY), z.string().regex(LABEL_VALUE))
              .default({})
              .describe('labels the workload must have, all of them'),
          })
          .refine(({ namespaces, labels }) => namespaces.length > 0 || Object.keys(labels).length > 0, {
            message: 'add a namespace or a label; otherwise the rule matches nothing',
          }),
      )
      .max(500)
      .meta({ examples: [[{ name: 'vision', namespaces: ['vision-*'], labels: {} }]] })
      .describe('the first rule that matches a workload decides'),
  })
  .meta({ id: 'Tenants' })

export const tenantsGet = operation(ROUTES.tenantsGet, {
  title: 'Tenants',
  description:
    'The rules that decide which tenant a workload belongs to, by namespace and labels. The first match wins; a workload that matches none has no tenant.',
  input: z.strictObject({}),
  output: TenantsSchema,
})

export const tenantsPut = operation(ROUTES.tenantsPut, {
  title: 'Set the tenants',
  description:
    'Replaces the rules that decide which tenant a workload belongs to. They apply to the past too: cost by tenant is recomputed.',
  input: z.strictObject(TenantsSchema.shape),
  output: TenantsSchema,
})
