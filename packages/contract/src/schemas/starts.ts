import { z } from 'zod'

import { answered, ClusterInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const PlaceSchema = z.object({
  part: z.string().describe('part of the job; empty if it has only one'),
  node: z.string(),
  pods: z.number().int(),
  devices: z
    .array(z.object({ gpu: z.string(), index: z.number().int(), profile: z.string().nullable() }))
    .describe('free devices there; the device plugin picks which one a pod gets'),
})

const WaySchema = z.object({
  kind: z.enum(['recut', 'move', 'repair', 'quota', 'unsearched']),
  sentence: z.string(),
  room: z
    .object({ profile: z.string(), node: z.string() })
    .nullable()
    .describe('goal room-for of plans.make, to get it as a plan'),
})

const ChangeSchema = z.object({
  kind: z.enum(['resume', 'taint', 'rules', 'queue', 'namespace', 'cpu', 'memory', 'profile', 'gpus', 'pods']),
  sentence: z.string(),
  document: z.number().int().describe('index in the manifest, from 0'),
  patch: z
    .array(z.object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.unknown().optional() }))
    .describe('a JSON patch (RFC 6902) for that document'),
})

const WaitSchema = z.object({
  low: z.number().describe('seconds; one wait in ten was shorter'),
  middle: z.number(),
  high: z.number().describe('seconds; one wait in ten was longer'),
  waits: z.number().int().describe('number of past waits it is based on'),
  like: z.string().describe('which waits these are'),
})

/** One job of a manifest. */
const StartSchema = named('Start', {
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  verdict: z.enum(['now', 'not-now', 'unknown']),
  sentence: z.string(),
  together: z.boolean().describe('whether it needs all its pods at once (gang scheduling)'),
  pods: z.number().int(),
  starting: z.number().int().describe('pods that start now'),
  places: z.array(PlaceSchema),
  because: z.array(z.string()).describe('what keeps it from starting'),
  unknown: z.array(z.string()).describe('what could not be checked, and why'),
  ways: z.array(WaySchema).describe('what others could change so that it starts as is'),
  changes: z.array(ChangeSchema).describe('changes to the job, smallest first; any one of them is enough'),
  wait: WaitSchema.nullable().describe(
    'when it starts if nothing changes: 80% of similar waits ended in this interval',
  ),
  noWait: z.string().nullable().describe('why there is no estimate'),
})

/** It asks what would be and submits nothing, so it is a question, though a manifest is too long for an address. */
export const startsCheck = operation(ROUTES.startsCheck, {
  title: 'Check whether a job would start',
  description:
    'Whether work that is not submitted yet would start now, and where. If not: what keeps it from starting, which repartition, move or quota would change that, how long similar work waited, and the smallest changes to the job that would start it now. Takes manifests of Pods, Deployments, StatefulSets, Jobs, JobSets, RayClusters, RayJobs, PyTorchJobs, InferenceServices and Notebooks, with their ResourceClaimTemplates. Anything Septet does not read leaves the answer unknown. Nothing is submitted or stored. A caller limited to namespaces learns nothing about nodes or other people’s work.',
  input: z.strictObject({
    ...ClusterInput,
    manifest: z.string().min(1).max(200_000).describe('YAML or JSON, one or several documents'),
    namespace: z.string().min(1).max(63).default('default').describe('namespace for work that does not name one'),
  }),
  output: named('Starts', { ...answered, jobs: z.array(StartSchema) }),
})
