import { mib } from '../../units.ts'
import type { AmountEdit, AskedPods, ManifestChange } from './asked-job.ts'
import { fits } from '../../fleet/fits.ts'
import { ofPart, withGroup, type Candidate, type ChangeQuestion } from './job-change.ts'

/** Less CPU for the container that asks for most of it: the most that lets the job start. */
export function* lessCpu(question: ChangeQuestion): Generator<Candidate> {
  yield* less(question, {
    kind: 'cpu',
    step: 100,
    edit: ({ edit }) => edit.cpu,
    asked: ({ scheduling }) => scheduling.cpuMilli,
    left: ({ cpuLeft }) => cpuLeft,
    with: (pods, cpuMilli) => ({ ...pods, scheduling: { ...pods.scheduling, cpuMilli } }),
    written: (milli) => `${milli}m`,
    words: (milli) => `${milli / 1000} ${milli === 1000 ? 'core' : 'cores'} of CPU`,
  })
}

/** The same for memory. */
export function* lessMemory(question: ChangeQuestion): Generator<Candidate> {
  yield* less(question, {
    kind: 'memory',
    step: 256,
    edit: ({ edit }) => edit.memory,
    asked: ({ scheduling }) => scheduling.memory,
    left: ({ memoryLeft }) => memoryLeft,
    with: (pods, memory) => ({ ...pods, scheduling: { ...pods.scheduling, memory: mib(memory) } }),
    written: (amount) => `${amount}Mi`,
    words: (amount) => `${Number((amount / 1024).toFixed(2))} GiB of memory`,
  })
}

type Amount = {
  readonly kind: 'cpu' | 'memory'
  /** What is asked for instead is a multiple of it. */
  readonly step: number
  readonly edit: (pods: AskedPods) => AmountEdit | undefined
  readonly asked: (pods: AskedPods) => number
  readonly left: (on: { readonly cpuLeft: number; readonly memoryLeft: number }) => number
  readonly with: (pods: AskedPods, amount: number) => AskedPods
  readonly written: (amount: number) => string
  readonly words: (amount: number) => string
}

/** Pods that share one node are looked for up to so many. */
const MOST_TOGETHER = 8

function* less({ fleet, job }: ChangeQuestion, amount: Amount): Generator<Candidate> {
  for (const [at, pods] of job.groups.entries()) {
    const edit = amount.edit(pods)
    const asked = amount.asked(pods)
    if (edit === undefined || asked <= 0) continue
    // What a node would leave for each of so many pods, if only this amount were in the way.
    const nodes = fits(fleet, amount.with(pods, 0), job.namespace)
    const offers = nodes.flatMap(({ on, sure: count }) =>
      Array.from({ length: Math.min(count, pods.count, MOST_TOGETHER) }, (_, more) => amount.left(on) / (more + 1)),
    )
    const fixed = asked - edit.own
    const wanted = offers.map((offer) => Math.floor((Math.min(offer, asked) - fixed) / amount.step) * amount.step)
    const sizes = [...new Set(wanted)].filter((size) => size > 0 && size < edit.own).toSorted((a, b) => b - a)
    for (const size of spreadOut(sizes))
      yield {
        kind: amount.kind,
        sentence: `Ask for ${amount.words(size)} instead of ${amount.words(edit.own)}${ofPart(pods)}.`,
        document: job.edit.document,
        patch: patchOf(edit, amount.kind, amount.written(size)),
        job: withGroup(job, at, amount.with(pods, fixed + size)),
      }
  }
}

/** A few of many sizes, the largest and the smallest among them. */
function spreadOut(sizes: readonly number[]): readonly number[] {
  const most = 12
  if (sizes.length <= most) return sizes
  return Array.from({ length: most }, (_, at) => sizes[Math.round((at * (sizes.length - 1)) / (most - 1))] ?? 0)
}

const patchOf = ({ resources, hasRequests }: AmountEdit, name: string, value: string): readonly ManifestChange[] =>
  hasRequests
    ? [{ op: 'add', path: `${resources}/requests/${name}`, value }]
    : [{ op: 'add', path: `${resources}/requests`, value: { [name]: value } }]
