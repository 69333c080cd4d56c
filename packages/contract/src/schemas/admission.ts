import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { answered, ClusterInput, InstantText } from './figure.ts'

export const admissionList = operation(ROUTES.admissionList, {
  title: 'What new pods were told and given',
  description:
    'Whether the API server can ask Septet about new pods, how many were warned and changed in the last 30 days, and the last ones. A caller who is limited to namespaces gets those of theirs.',
  input: z.strictObject({
    ...ClusterInput,
    limit: z.coerce.number().int().min(1).max(500).default(50).describe('pods listed at most'),
  }),
  output: named('AdmissionAnswers', {
    ...answered,
    listening: z.boolean().describe('whether this Septet listens for reviews (SEPTET_ADMISSION_PORT)'),
    since: InstantText.describe('from when on the two counts are'),
    warned: z.number().int(),
    changed: z.number().int().describe('what Septet answered; whether the pod then came to be is for others to decide'),
    unrecorded: z
      .number()
      .int()
      .nullable()
      .describe(
        'answers that this Septet gave since it started and could not write down, as the database did not take them; null: it does not listen, or the caller is limited to namespaces',
      ),
    answers: z
      .array(
        z.object({
          at: InstantText,
          namespace: z.string(),
          pod: z.string().describe('its name, or how it begins where its controller lets the API server name it'),
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
    'The manifest by which the API server of a cluster asks Septet about new pods, with the address that is this cluster’s own and the CA by which it knows Septet. Whoever has the address can ask what work has used, so it is for admins.',
  input: z.strictObject(ClusterInput),
  output: named('AdmissionSetup', {
    ...answered,
    path: z.string().nullable().describe('path of the webhooks, without /warn or /mutate; null where nobody listens'),
    caBundle: z.string().nullable().describe('PEM; null where the certificate is of somebody else, who has to say'),
    manifest: z.string().nullable().describe('YAML for kubectl apply; null where nobody listens'),
    missing: z.string().nullable().describe('why there is no manifest, and what to do'),
  }),
})
