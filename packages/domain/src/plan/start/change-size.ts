import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { profileOf, sliceShare } from '../../gpu/board.ts'
import { parseProfileName, profileOfResource } from '../../gpu/profile-name.ts'
import { plural } from '../../words.ts'
import { pointerPart, type AskedPods, type ManifestChange } from './asked-job.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import { ofPart, withGroup, type Candidate, type ChangeQuestion } from './job-change.ts'

/** A smaller MIG device in place of each device; the largest that is offered first. */
export function* smallerProfiles({ fleet, job }: ChangeQuestion): Generator<Candidate> {
  for (const [at, pods] of job.groups.entries()) {
    const asked = oneOf(pods)
    if (asked === undefined || asked.count !== 1) continue
    for (const resource of smallerThan(fleet, asked.resource)) {
      const list = pods.claims.length > 0 ? 'claims' : 'requests'
      yield {
        kind: 'profile',
        sentence: `Ask for ${short(resource)} instead of ${short(asked.resource)}${ofPart(pods)}, where its memory is enough.`,
        document: job.edit.document,
        patch: renamed(pods, asked.resource, resource),
        job: withGroup(job, at, { ...pods, [list]: [{ resource, count: 1 }] }),
      }
    }
  }
}

/** Fewer GPUs for each pod. */
export function* fewerGpus({ job }: ChangeQuestion): Generator<Candidate> {
  for (const [at, pods] of job.groups.entries()) {
    const asked = oneOf(pods)
    if (asked === undefined || pods.claims.length > 0) continue
    for (let count = asked.count - 1; count > 0; count -= 1)
      yield {
        kind: 'gpus',
        sentence: `Ask for ${plural(count, 'device')} a pod instead of ${asked.count}${ofPart(pods)}.`,
        document: job.edit.document,
        patch: listsOf(pods).map((path) => ({
          op: 'replace',
          path: `${path}/${pointerPart(asked.resource)}`,
          value: String(count),
        })),
        job: withGroup(job, at, { ...pods, requests: [{ resource: asked.resource, count }] }),
      }
  }
}

/** Fewer pods, as many as have room. */
export function* fewerPods({ job, judged }: ChangeQuestion): Generator<Candidate> {
  for (const [at, pods] of job.groups.entries()) {
    const path = pods.edit.count
    if (path === undefined) continue
    const room = judged.seatings.find(({ pods: { part } }) => part.split(', ').includes(pods.part))?.sure ?? 0
    const allowed = judged.limits.allowed[at] ?? pods.count
    for (let count = Math.min(pods.count - 1, Math.max(room, allowed)); count > 0; count -= 1)
      yield {
        kind: 'pods',
        sentence: `Start it with ${plural(count, 'pod')} instead of ${pods.count}${ofPart(pods)}.`,
        document: job.edit.document,
        patch: [{ op: 'replace', path, value: count }],
        job: withGroup(job, at, { ...pods, count }),
      }
  }
}

/** The one kind of device of a group whose container can be changed. */
function oneOf({
  requests,
  claims,
  edit,
}: AskedPods): { readonly resource: string; readonly count: number } | undefined {
  const [first, ...more] = [...requests, ...claims]
  return more.length > 0 || edit.gpu === undefined ? undefined : first
}

const listsOf = ({ edit: { gpu } }: AskedPods): readonly string[] =>
  gpu === undefined ? [] : gpu.lists.map((list) => `${gpu.resources}/${list}`)

const renamed = (pods: AskedPods, from: string, to: string): readonly ManifestChange[] =>
  listsOf(pods).flatMap((path) => [
    { op: 'remove', path: `${path}/${pointerPart(from)}` },
    { op: 'add', path: `${path}/${pointerPart(to)}`, value: '1' },
  ])

/** MIG devices that nodes offer and that are smaller, the largest first. */
function smallerThan({ nodes }: CountedFleet, resource: string): readonly string[] {
  const sizes = new Map<string, number>()
  const seen = new Set<string>()
  for (const { node } of nodes)
    for (const name of Object.keys(node.allocatable)) {
      const model = node.model ?? node.product
      if (seen.has(`${model} ${name}`)) continue
      seen.add(`${model} ${name}`)
      const size = sizeOf(name, model)
      if (size !== undefined) sizes.set(name, Math.max(size, sizes.get(name) ?? 0))
    }
  const own = resource === WHOLE_GPU_RESOURCE ? Infinity : (sizes.get(resource) ?? sizeByName(resource))
  return [...sizes]
    .filter(([name, size]) => name !== resource && size < own)
    .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([name]) => name)
}

function sizeOf(resource: string, model: string): number | undefined {
  const name = resource.endsWith('.shared') ? undefined : profileOfResource(resource)
  const board = boardFor(model)
  const profile = board === undefined || name === undefined ? undefined : profileOf(board, name)
  return board === undefined || profile === undefined ? undefined : sliceShare(board, profile)
}

/** Of a profile that no node offers: its compute slices of the seven of the largest boards. */
const sizeByName = (resource: string): number => {
  const name = profileOfResource(resource)
  return name === undefined ? 0 : (parseProfileName(name)?.computeSlices ?? 0) / 7
}

const short = (resource: string): string =>
  resource.replace(/^nvidia\.com\/(?:mig-)?/u, '').replace(/^gpu$/u, 'a whole GPU')
