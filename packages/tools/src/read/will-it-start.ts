import type { OPERATIONS, OutputOf } from '@septet/contract'
import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER } from '../answer-parts.ts'
import { tool } from '../tool.ts'

type Start = OutputOf<typeof OPERATIONS.startsCheck>['jobs'][number]

const MOST = 20

const JOB = z.object({
  job: z.string().describe('namespace/Kind/name'),
  verdict: z.string().describe('now, not-now or unknown'),
  sentence: z.string(),
  pods: z.number(),
  starting: z.number().describe('pods that start now'),
  places: z.array(z.string()),
  because: z.array(z.string()).describe('what keeps it from starting'),
  unknown: z.array(z.string()).describe('what could not be judged'),
  ways: z.array(z.string()).describe('repartitions, moves or quotas with which it would start unchanged'),
  changes: z
    .array(z.object({ sentence: z.string(), document: z.number(), patch: z.string().describe('JSON patch') }))
    .describe('changes of the job, each of which would do alone; the smallest first'),
  wait: z
    .object({
      lowSeconds: z.number(),
      middleSeconds: z.number(),
      highSeconds: z.number(),
      waits: z.number(),
      like: z.string(),
    })
    .nullable()
    .describe('when it starts if nothing changes: an 80% interval from similar waits'),
  noWait: z.string().nullable().describe('why there is no estimate'),
})

export const willItStart = tool({
  name: 'will_it_start',
  title: 'Whether a job would start',
  description:
    'Give it the manifest of a GPU job before it is submitted: whether it starts now and where, else what keeps it from starting, which repartition, move or quota would change that, how long work like it waited, and the smallest change of the job with which it would start now. Nothing is submitted or kept. For work that is pending already use explain_workload.',
  toolset: 'read',
  operations: ['startsCheck'],
  input: z.strictObject({
    ...CLUSTER,
    manifest: z.string().min(1).max(200_000).describe('YAML or JSON, one or several documents'),
    namespace: z.string().min(1).max(63).default('default').describe('where work goes that names no namespace'),
  }),
  output: z.object({ ...ABOUT, jobs: z.array(JOB) }),
  answer: async ({ cluster, manifest, namespace }, ask) => {
    const starts = await ask('startsCheck', { cluster, manifest, namespace })
    return { ...aboutOf(starts, '/workloads', { start: 'yes' }), jobs: starts.jobs.slice(0, MOST).map(jobOf) }
  },
})

const jobOf = (job: Start): z.input<typeof JOB> => ({
  ...job,
  job: `${job.namespace}/${job.kind}/${job.name}`,
  places: job.places.slice(0, MOST).map(({ node, pods }) => `${node}: ${pods}`),
  because: job.because.slice(0, MOST),
  unknown: job.unknown.slice(0, MOST),
  ways: job.ways.slice(0, MOST).map(({ sentence }) => sentence),
  changes: job.changes.slice(0, MOST).map((change) => ({ ...change, patch: JSON.stringify(change.patch) })),
  wait: job.wait && {
    lowSeconds: job.wait.low,
    middleSeconds: job.wait.middle,
    highSeconds: job.wait.high,
    waits: job.wait.waits,
    like: job.wait.like,
  },
})
