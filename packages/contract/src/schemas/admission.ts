import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { answered, ClusterInput, InstantText } from './figure.ts'

export const admissionList = operation(ROUTES.admissionList, {
  title: 'What new pods were advised and given',
  description:
    'Whether the API server can ask Septet about new pods, how many were warned and changed in the last 30 days, and the latest ones. A caller limited to namespaces sees those in their namespaces.',
  input: z.strictObject({
    ...ClusterInput,
    limit: z.coerce.number().int().min(1).max(500).default(50).describe('maximum number of pods listed'),
  }),
  output: named('AdmissionAnswers', {
    ...answered,
    listening: z.boolean().describe('whether this Septet listens for reviews (SEPTET_ADMISSION_PORT)'),
    since: InstantText.describe('start of the period that the two counts cover'),
    warned: z.number().int(),
    changed: z.number().int().describe('what Septet answered; whether the pod was then created is decided elsewhere'),
    unrecorded: z
      .number()
      .int()
      .nullable()
      .describe(
        'answers since startup that could not be saved because the database did not take them; null: not listening, or the caller is restricted to namespaces',
      ),
    interruption: z
      .object({
        at: InstantText,
        until: InstantText.nullable().describe('when it answered again; null: it does not yet'),
        because: z.string().describe('what went wrong, in a sentence'),
      })
      .nullable()
      .describe(
        'the last time that Septet stopped answering about new pods by itself; those created meanwhile stayed as they were asked for; null: never since it started',
      ),
    answers: z
      .array(
        z.object({
          at: InstantText,
          namespace: z.string(),
          pod: z.string().describe('its name, or the prefix if the API server generates the name'),
          workload: z.string(),
          kind: z.enum(['warned', 'changed']),
          suggested: z.string().nullable().describe('the resource that would do, or that it was given; null: none'),
          said: z.string(),
        }),
      )
      .describe('newest first'),
  }),
})

export const admissionSetup = operation(ROUTES.admissionSetup, {
  title: 'The webhook configuration for new pods',
  description:
    'The manifest that makes a cluster’s API server ask Septet about new pods, with this cluster’s own address and the CA that verifies Septet. Anyone with the address can ask what work has used, so it is for admins.',
  input: z.strictObject(ClusterInput),
  output: named('AdmissionSetup', {
    ...answered,
    path: z.string().nullable().describe('webhook path, without /warn or /mutate; null if nothing is listening'),
    caBundle: z.string().nullable().describe('PEM; null if you provide the certificate yourself'),
    manifest: z.string().nullable().describe('YAML for kubectl apply; null if nothing is listening'),
    missing: z.string().nullable().describe('why there is no manifest, and what to do'),
  }),
})
