import { z } from 'zod'

import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

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
              .array(z.string().regex(/^(\*|[a-z0-9][a-z0-9-]{0,62}\*?)$/u))
              .max(200)
              .default([])
              .describe('names, or beginnings of names that end in *'),
            labels: z
              .record(z.string().regex(LABEL_KEY), z.string().regex(LABEL_VALUE))
              .default({})
              .describe('labels that the workload must carry, all of them'),
          })
          .refine(({ namespaces, labels }) => namespaces.length > 0 || Object.keys(labels).length > 0, {
            message: 'name a namespace or a label, or the rule would match nothing',
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
    'The rules that say which tenant a workload belongs to, by its namespace and labels. The first that matches decides; what none matches has no tenant.',
  input: z.strictObject({}),
  output: TenantsSchema,
})

export const tenantsPut = operation(ROUTES.tenantsPut, {
  title: 'Set the tenants',
  description:
    'Replaces the rules that say which tenant a workload belongs to. They hold for all of the past too: cost by tenant is made anew from them.',
  input: z.strictObject(TenantsSchema.shape),
  output: TenantsSchema,
})
