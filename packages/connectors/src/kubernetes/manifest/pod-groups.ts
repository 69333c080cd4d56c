import type { AskedJob } from '@septet/domain'
import { countIn, objectIn, textIn, type Raw } from './raw.ts'

/** PodGroups of Kubernetes in a manifest, by name: how many of its pods start together; undefined: each for itself. */
export type PodGroups = ReadonlyMap<string, { readonly least: number | undefined }>

export const podGroupsIn = (objects: readonly Raw[]): PodGroups =>
  new Map(
    objects.filter(isPodGroup).map((raw) => {
      const gang = objectIn(raw, 'spec', 'schedulingPolicy', 'gang')
      return [textIn(raw, 'metadata', 'name'), { least: countIn(gang, 'minCount') }]
    }),
  )

/** One that keeps its pods together in a topology is not judged. */
const isPodGroup = (raw: Raw): boolean =>
  textIn(raw, 'kind') === 'PodGroup' &&
  textIn(raw, 'apiVersion').startsWith('scheduling.k8s.io/') &&
  Object.keys(objectIn(raw, 'spec', 'schedulingConstraints')).length === 0

/** The group of which pods say that they are; undefined where the manifest does not hold it. */
export function groupIn(spec: Raw, groups: PodGroups): string | undefined {
  const name = textIn(spec, 'schedulingGroup', 'podGroupName')
  return groups.has(name) ? name : undefined
}

export type Grouped = { readonly job: AskedJob; readonly group: string | undefined }

/** Jobs whose pods are of one group as one that starts as a whole. */
export function gathered(jobs: readonly Grouped[], groups: PodGroups): readonly AskedJob[] {
  const byGroup = Map.groupBy(jobs, ({ job, group }) => group ?? job)
  return [...byGroup].flatMap(([key, same]) => (typeof key === 'string' ? asOne(key, same, groups) : [key]))
}

function asOne(name: string, same: readonly Grouped[], groups: PodGroups): readonly AskedJob[] {
  const least = groups.get(name)?.least
  const jobs = same.map(({ job }) => job)
  const [first, ...more] = jobs
  if (first === undefined || least === undefined) return jobs
  const pods = jobs.flatMap((job) => job.groups).reduce((sum, { count }) => sum + count, 0)
  const open = pods > least ? [`its PodGroup ${name} starts with ${least} of its ${pods} pods`] : []
  const short = pods < least ? [`Its PodGroup ${name} waits for ${least} pods, and ${pods} are in this manifest.`] : []
  const all = {
    ...first,
    gang: true,
    stopped: [...new Set([...jobs.flatMap((job) => job.stopped), ...short])],
    groups: jobs.flatMap((job) => job.groups),
    unknown: [...new Set([...jobs.flatMap((job) => job.unknown), ...open])],
  }
  return [more.length === 0 ? all : { ...all, kind: 'PodGroup', name, isMade: true }]
}
