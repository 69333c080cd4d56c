import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { mib, type Instant, type Mib, type Window, HOUR_MS } from '../../units.ts'
import { memory, plural } from '../../words.ts'
import { ADMISSION_LABEL, ADMISSION_NOTE, GPU_MEMORY, type AdmissionMode } from './admission-labels.ts'
import type { AskingPod } from './admission-pod.ts'
import type { AdmissionView, FreeInstance } from './admission-view.ts'
import { findInstance, type FoundInstance, type PromisedInstance } from './find-instance.ts'
import type { KnownSize } from './known-sizes.ts'
import { VIEW_MS, whyLeft, type AdmissionPermission } from './why-left.ts'
import { pointerKey } from '../../plan/documents/json-pointer.ts'
import type { GpuContainer } from '../../cluster/workload.ts'

export type AdmissionQuestion = {
  readonly mode: AdmissionMode
  readonly pod: AskingPod
  /** Undefined: the cluster was not read yet. */
  readonly view: AdmissionView | undefined
  /** Undefined: it could not be read. */
  readonly permission: AdmissionPermission | undefined
  /** Instances that are spoken for, although they look free. */
  readonly promised: readonly PromisedInstance[]
  readonly now: Instant
}

/** What is answered about one pod. It is created in every case. */
export type AdmissionVerdict =
  /** Nothing is said; `because` is for the log. */
  | { readonly kind: 'silent'; readonly because: string }
  /** `suggested`: the resource that would do, where there is one. */
  | { readonly kind: 'warned'; readonly warnings: readonly string[]; readonly suggested: string | undefined }
  | {
      readonly kind: 'changed'
      readonly warnings: readonly string[]
      readonly suggested: string
      readonly patch: readonly PatchOperation[]
      readonly promise: PromisedInstance
    }

/**
 * Judges one new pod: nothing for what does not ask for exactly one whole GPU, or of which nothing is known; a warning with
 * the size that would do; and that size itself where the mode, the policy and every rule allow it. The same pod with the
 * patch gets no second one, as it no longer asks for a whole GPU.
 */
export function decideAdmission(question: AdmissionQuestion): AdmissionVerdict {
  const { pod, view } = question
  if (!asksForOne(pod)) return odd(pod)
  if (view === undefined) return silent('the cluster was not read yet')
  const need = needOf(pod, view)
  return need.kind === 'need' ? placed({ ...question, view }, need) : need
}

const asksForOne = ({ requests: [first, ...others], claims }: AskingPod): boolean =>
  first?.resource === WHOLE_GPU_RESOURCE && first.count === 1 && others.length === 0 && !claims

type Viewed = AdmissionQuestion & { readonly view: AdmissionView }

function placed(question: Viewed, need: Need): AdmissionVerdict {
  const { pod, view, promised, now } = question
  const found = findInstance(view, { scheduling: pod.scheduling, fits: need.fits, promised })
  if (found === undefined) return noneFree(need)
  const { resource } = found.instance
  const held = `${need.words}: ${resource}: 1 is enough`
  const told = now - view.takenAt <= VIEW_MS ? `${held} and would start now.` : `${held}.`
  if (question.mode === 'warn') return warned([told], resource)
  const because = whyLeft({ ...question, resource, evidence: need.evidence })
  return because === undefined
    ? changed(question, need, found)
    : warned([told, `Septet kept the whole GPU as requested: ${because}`], resource)
}

function changed({ pod, now }: Viewed, { words }: Need, { instance, node }: FoundInstance): AdmissionVerdict {
  const { resource, partition } = instance
  const note = `${WHOLE_GPU_RESOURCE}: 1 to ${resource}: 1. ${words}. To keep a whole GPU, set the label ${ADMISSION_LABEL} to off.`
  const { cpuMilli, memory: hostMemory } = pod.scheduling
  return {
    kind: 'changed',
    suggested: resource,
    warnings: inWords([`Septet changed ${note}`]),
    patch: admissionPatch(pod, { resource, note }),
    promise: { partition, node: node.name, cpuMilli, memory: hostMemory, at: now },
  }
}

type Need = {
  readonly kind: 'need'
  /** What it is concluded from, as a sentence without its end. */
  readonly words: string
  /** The resource that right-sizing chose; undefined where only memory is asked for. */
  readonly chosen: string | undefined
  readonly evidence: KnownSize | undefined
  readonly fits: (instance: FreeInstance) => boolean
}

/** What the pod needs: by its own word, else by what the same work has used. */
function needOf(pod: AskingPod, view: AdmissionView): Need | AdmissionVerdict {
  const size = pod.owners.map((owner) => view.sizes.get(owner)).find((found) => found !== undefined)
  const text = pod.annotations?.[GPU_MEMORY]
  if (text === undefined) return size === undefined ? silent('its use is unknown') : measured(size)
  const asked = memoryAsked(text)
  return asked === undefined
    ? warned([`${GPU_MEMORY} is "${text}", which is not an amount of memory. Write it like 10Gi; nothing was changed.`])
    : wanted(text, asked, size)
}

const measured = (size: KnownSize): Need => ({
  kind: 'need',
  words: usedWords(size),
  chosen: size.resource,
  evidence: size,
  fits: ({ resource, model }) => resource === size.resource && model === size.model,
})

/** Not less than it was seen to use: its owner may not know. */
function wanted(text: string, asked: Mib, size: KnownSize | undefined): Need {
  const least = Math.max(asked, size?.memoryPeak ?? 0)
  const more = size !== undefined && least > asked ? `, and ${lower(usedWords(size))}` : ''
  return {
    kind: 'need',
    words: `Its ${GPU_MEMORY} asks for ${text}${more}`,
    chosen: undefined,
    evidence: undefined,
    fits: (instance) => instance.memory >= least,
  }
}

const usedWords = ({ window, memoryPeak }: KnownSize): string =>
  `In the last ${lengthOf(window)} this work used at most ${memory(memoryPeak)} of GPU memory`

function lengthOf({ from, to }: Window): string {
  const hours = Math.round((to - from) / HOUR_MS)
  return hours < 48 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day')
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const noneFree = ({ words, chosen }: Need): AdmissionVerdict =>
  chosen === undefined
    ? warned([`${words}: no MIG instance of that size is free for this pod now, so it keeps the whole GPU.`])
    : warned([`${words}: ${chosen}: 1 is enough, but none is free for this pod now.`], chosen)

/** What asks for a size by annotation, and for no GPU that could be made smaller, is told so. */
function odd({ annotations, claims, requests }: AskingPod): AdmissionVerdict {
  if (annotations?.[GPU_MEMORY] === undefined || isInstance(requests))
    return silent('it does not ask for one whole GPU')
  const instead = claims ? 'This pod has claims for devices' : 'This pod asks for something else'
  return warned([
    `${GPU_MEMORY} is for pods that ask for ${WHOLE_GPU_RESOURCE}: 1. ${instead}, so nothing was changed.`,
  ])
}

/** Given already, by Septet or by its owner. */
const isInstance = (requests: AskingPod['requests']): boolean =>
  requests.some(({ resource }) => resource.startsWith('nvidia.com/mig-'))

const silent = (because: string): AdmissionVerdict => ({ kind: 'silent', because })

const warned = (warnings: readonly string[], suggested?: string) =>
  ({ kind: 'warned', warnings: inWords(warnings), suggested }) as const

/** The API server may cut a warning after 256 characters. */
const inWords = (warnings: readonly string[]): readonly string[] =>
  warnings.map((text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`))
const LONGEST = 256

/** MiB of a Kubernetes quantity such as `10Gi`, `10240Mi` or `11G`; undefined for what is none, or nothing. */
export function memoryAsked(text: string): Mib | undefined {
  const groups = /^(?<amount>\d+(?:\.\d+)?)(?<unit>Mi|Gi|Ti|M|G|T)?$/u.exec(text.trim())?.groups
  if (groups === undefined) return undefined
  const bytes = Number(groups['amount']) * (BYTES[groups['unit'] ?? ''] ?? 1)
  return bytes > 0 ? mib(Math.ceil(bytes / MIB)) : undefined
}

const MIB = 2 ** 20
const BYTES: Readonly<Record<string, number>> = { Mi: MIB, Gi: 2 ** 30, Ti: 2 ** 40, M: 1e6, G: 1e9, T: 1e12 }

/** One operation of a JSON patch (RFC 6902); `add` puts a member in place of one that is there. */
export type PatchOperation = { readonly op: 'add'; readonly path: string; readonly value: unknown }

/** Makes every container that asks for the whole GPU ask for the instance, and writes down why. */
function admissionPatch(
  { annotations, containers }: Pick<AskingPod, 'annotations' | 'containers'>,
  { resource, note }: { readonly resource: string; readonly note: string },
): readonly PatchOperation[] {
  const asking = containers.filter(({ gpus }) => gpus.some((gpu) => gpu.resource === WHOLE_GPU_RESOURCE))
  return [
    ...asking.flatMap((container) => containerPatch(container, resource)),
    annotations === undefined
      ? { op: 'add', path: '/metadata/annotations', value: { [ADMISSION_NOTE]: note } }
      : { op: 'add', path: `/metadata/annotations/${pointerKey(ADMISSION_NOTE)}`, value: note },
  ]
}

/** Requests of an extended resource have to equal its limits, so both are written. */
function containerPatch({ list, index, limits, requests }: GpuContainer, resource: string): readonly PatchOperation[] {
  const path = `/spec/${list}/${index}/resources`
  const instead = (quantities: Readonly<Record<string, string>>) => ({
    ...Object.fromEntries(Object.entries(quantities).filter(([name]) => name !== WHOLE_GPU_RESOURCE)),
    [resource]: '1',
  })
  return [
    { op: 'add', path: `${path}/limits`, value: instead(limits) },
    { op: 'add', path: `${path}/requests`, value: instead(requests) },
  ]
}
