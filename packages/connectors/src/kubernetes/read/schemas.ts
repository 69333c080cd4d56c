import { instant, type Instant } from '@septet/domain'
import { z } from 'zod'

/** Absent, null or of a wrong type: all read as undefined, so that one odd field does not cost the object. */
export const lenient = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined)

/** A list of which every unreadable element is left out; empty when absent. */
export const lenientList = <T>(schema: z.ZodType<T>): z.ZodType<readonly T[]> =>
  z
    .array(schema.nullable().catch(null))
    .nullish()
    .transform((items) => (items ?? []).filter((item) => item !== null))
    .catch([])

/** Labels or annotations; only texts are kept. */
export const LabelsSchema = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch({})
  .transform((labels): Readonly<Record<string, string>> => {
    const texts = Object.entries(labels ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    return Object.fromEntries(texts)
  })

/** An RFC 3339 time. */
export const Time = z.string().transform((text, context): Instant => {
  const value = Date.parse(text)
  if (Number.isFinite(value)) return instant(value)
  context.addIssue({ code: 'custom', message: `not a time: ${text.slice(0, 40)}` })
  return z.NEVER
})

export const OwnerReferenceSchema = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z
    .boolean()
    .nullish()
    .transform((is) => is ?? false),
})
export type OwnerReferenceSchema = z.infer<typeof OwnerReferenceSchema>

export const Metadata = z.object({
  name: z.string().min(1),
  namespace: lenient(z.string()).transform((namespace) => namespace ?? ''),
  uid: z.string(),
  creationTimestamp: Time,
  labels: LabelsSchema,
  ownerReferences: lenientList(OwnerReferenceSchema),
})
export type Metadata = z.infer<typeof Metadata>

export const ConditionSchema = z.object({
  type: z.string(),
  status: z.string(),
  reason: lenient(z.string()).transform((reason) => reason ?? ''),
  message: lenient(z.string()).transform((message) => message ?? ''),
  lastTransitionTime: lenient(Time),
})
export type ConditionSchema = z.infer<typeof ConditionSchema>

const Quantities = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .nullish()
  .transform((quantities) => quantities ?? {})

export const ResourceQuantities = Quantities

export const Container = z.object({
  name: lenient(z.string()),
  restartPolicy: lenient(z.string()),
  resources: lenient(z.object({ limits: Quantities, requests: Quantities })),
})
export type Container = z.infer<typeof Container>

/** The part of a pod's specification, or of a pod template's, that says what GPUs it asks for. */
export const PodDemand = z.object({
  containers: z
    .array(Container)
    .nullish()
    .transform((containers) => containers ?? []),
  initContainers: z
    .array(Container)
    .nullish()
    .transform((containers) => containers ?? []),
  resourceClaims: lenientList(
    z.object({
      name: z.string(),
      resourceClaimName: lenient(z.string()),
      resourceClaimTemplateName: lenient(z.string()),
    }),
  ),
})
export type PodDemand = z.infer<typeof PodDemand>
