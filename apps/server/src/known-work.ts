import { onceFor, type Instant, type KnownWork, type SettingStore, type Workload } from '@septet/domain'
import { z } from 'zod'

import { keptFor } from './recently-used.ts'

type Labels = Readonly<Record<string, string>>
/** What is known of workloads by id, also of ones that have ended. */
export type WorkById = ReadonlyMap<string, KnownWork>

/** How long what has ended is remembered: as long as usage is kept by the hour. */
const KEPT_MS = 40 * 86_400_000
const MOST_WORKLOADS = 100_000
/** The pipeline writes them every few minutes. */
const MAX_AGE_MS = 60_000

const Texts = z.array(z.string())
const Schema = z.record(
  z.string(),
  z.object({
    seenAt: z.number(),
    labels: z.record(z.string(), z.string()),
    marks: z.object({ images: Texts, starts: Texts, models: Texts }).optional(),
  }),
)
type Known = z.output<typeof Schema>

const keyOf = (cluster: string): string => `labels/${cluster}`
const kept = onceFor((_settings: SettingStore) => keptFor<WorkById>(MAX_AGE_MS, () => performance.now()))

/** What was remembered of a cluster's workloads; at most a minute old. */
export const readKnownWork = (settings: SettingStore, cluster: string): Promise<WorkById> =>
  kept(settings).get(cluster, async () => {
    const stored = await readKnown(settings, cluster)
    return new Map(Object.entries(stored).map(([id, { labels, marks }]) => [id, knownWork({ id, labels, marks })]))
  })

type Kept = { readonly [Key in 'id' | 'labels' | 'marks']?: Workload[Key] | undefined } & Pick<Workload, 'id'>

/** What is kept of a workload as it is now. */
export const knownWork = ({ id, labels, marks }: Kept): KnownWork => ({
  workload: id,
  labels: tellingLabels(labels ?? {}),
  ...(marks === undefined ? {} : { marks }),
})

/** Adds what workloads carry now to what is remembered; of what has not been seen for long nothing is kept. */
export async function rememberWork(
  settings: SettingStore,
  cluster: string,
  seen: { readonly workloads: readonly Workload[]; readonly now: Instant },
): Promise<void> {
  const known = await readKnown(settings, cluster)
  const entries = Object.entries(known).filter(([, { seenAt }]) => seen.now - seenAt < KEPT_MS)
  const fresh = seen.workloads.map(
    ({ id, labels, marks }) =>
      [id, { seenAt: seen.now, labels: tellingLabels(labels ?? {}), ...(marks && { marks }) }] as const,
  )
  const all = Object.entries({ ...Object.fromEntries(entries), ...Object.fromEntries(fresh) })
  const newest = all.toSorted(([, a], [, b]) => b.seenAt - a.seenAt).slice(0, MOST_WORKLOADS)
  await settings.put(keyOf(cluster), Object.fromEntries(newest))
}

/** The labels that say something about the work, and not which object a controller made it from. */
export const tellingLabels = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !MACHINE_MADE.test(key)))

const MACHINE_MADE =
  /^(pod-template-(hash|generation)|controller-(uid|revision-hash)|job-name|batch\.kubernetes\.io\/.*|statefulset\.kubernetes\.io\/pod-name|apps\.kubernetes\.io\/pod-index)$/u

/** What nobody can read any more is as if it had never been remembered. */
async function readKnown(settings: SettingStore, cluster: string): Promise<Known> {
  const parsed = Schema.safeParse(await settings.get(keyOf(cluster)))
  return parsed.success ? parsed.data : {}
}
