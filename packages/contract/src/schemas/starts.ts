import { z } from 'zod'

import { answered, ClusterInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const PlaceSchema = z.object({
  part: z.string().describe('of the job; empty where it has one part only'),
  node: z.string(),
  pods: z.number().int(),
  devices: z
    .array(z.object({ gpu: z.string(), index: z.number().int(), profile: z.string().nullable() }))
    .describe('free devices there; which of equal ones a pod gets is for the device plugin to choose'),
})

const WaySchema = z.object({
  kind: z.enum(['recut', 'move', 'repair', 'quota', 'unsearched']),
  sentence: z.string(),
  room: z
    .object({ profile: z.string(), node: z.string() })
    .nullable()
    .describe('what to ask plans.draft for, to get it as a plan'),
})

const ChangeSchema = z.object({
  kind: z.enum(['resume', 'taint', 'rules', 'queue', 'namespace', 'cpu', 'memory', 'profile', 'gpus', 'pods']),
  sentence: z.string(),
  document: z.number().int().describe('of the manifest, from 0'),
  patch: z
    .array(z.object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.unknown().optional() }))
    .describe('a JSON patch (RFC 6902) of that document'),
})

const WaitSchema = z.object({
  low: z.number().describe('seconds; one wait in ten ended sooner'),
  middle: z.number(),
  high: z.number().describe('seconds; one wait in ten lasted longer'),
  waits: z.number().int().describe('ended waits that it was learned from'),
  like: z.string().describe('which waits these are'),
})

/** One job of a manifest. */
const StartSchema = named('Start', {
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  verdict: z.enum(['now', 'not-now', 'unknown']),
  sentence: z.string(),
  together: z.boolean().describe('whether it is of use only once all its pods run'),
  pods: z.number().int(),
  starting: z.number().int().describe('pods that start now'),
  places: z.array(PlaceSchema),
  because: z.array(z.string()).describe('what keeps it from starting'),
  unknown: z.array(z.string()).describe('what could not be judged, and why'),
  ways: z.array(WaySchema).describe('what others could do so that it starts as it is'),
  changes: z.array(ChangeSchema).describe('changes of the job, each of which would do alone; the smallest first'),
  wait: WaitSchema.nullable().describe(
    'when it starts if nobody does anything: 80 % of waits like it ended in between',
  ),
  noWait: z.string().nullable().describe('why there is no estimate'),
})

/** It asks what would be and submits nothing, so it is a question, though a manifest is too long for an address. */
export const startsCheck = operation(ROUTES.startsCheck, {
  title: 'Whether a job would start',
  description:
    'Whether work that is not submitted yet would start now, and where; else what keeps it from starting, which cut, move or quota would change that, after what time work like it started, and the smallest changes of the job with which it would start now. Takes manifests of Pods, Deployments, StatefulSets, Jobs, JobSets, RayClusters, RayJobs, PyTorchJobs, InferenceServices and Notebooks, with their ResourceClaimTemplates. What Septet does not read leaves an answer unknown. Nothing is submitted or kept. A caller who is limited to namespaces is told nothing of nodes and of the work of others.',
  input: z.strictObject({
    ...ClusterInput,
    manifest: z.string().min(1).max(200_000).describe('YAML or JSON, one or several documents'),
    namespace: z.string().min(1).max(63).default('default').describe('where work goes that names no namespace'),
  }),
  output: named('Starts', { ...answered, jobs: z.array(StartSchema) }),
})
