import type { Workload, WorkloadClass, WorkloadId, WorkMarks } from '../../cluster/workload.ts'

/** What is known of a workload that runs, or ran: labels that all its pods carry, and its marks. */
export type KnownWork = Pick<Workload, 'labels' | 'marks'> & { readonly workload: WorkloadId }

/** What usage tells of a workload beside: its class, and the GPU models that it held. */
export type HeldWork = KnownWork & {
  readonly class: WorkloadClass | ''
  readonly models: readonly string[]
}

/**
 * By what work is known again under another name, the surest first; as the subject of a sentence that goes on with "runs as".
 * `displaced`: the change itself moved it. `kind`: nothing but its kind, its place and the time say so.
 */
export const WORK_SIGNS = {
  displaced: 'work that this change moved',
  start: 'the same image with the same arguments',
  model: 'the same model',
  app: 'work with the same application labels',
  name: 'work of the same name',
  team: 'the same image of the same team',
  image: 'the same image in the same namespace',
  kind: 'work of the same kind that began when this changed',
} as const
export type WorkSign = keyof typeof WORK_SIGNS

type Compared = {
  readonly work: HeldWork
  readonly other: HeldWork
  /** It held nothing until shortly before the change, and something shortly after it. */
  readonly beganThen: boolean
  /** Many start like it or name its model, so that this says little about work of another namespace or team. */
  readonly common?: boolean
}

/** By what the second is the same work as the first; undefined: it is other work, or nothing says that it is not. */
export function signOf(compared: Compared): WorkSign | undefined {
  const facts = factsOf(compared)
  return RULES.find(([, holds]) => holds(facts))?.[0]
}

/** What two workloads have in common; undefined where one of them does not tell. */
function factsOf({ work, other, beganThen, common = false }: Compared) {
  const [own, its] = [partsOf(work.workload), partsOf(other.workload)]
  const inNamespace = own.namespace === its.namespace
  const inReach = inNamespace || sharesLabel(work, other, TEAM)
  return {
    inNamespace,
    inReach,
    isTelling: inReach || !common,
    app: sharesLabel(work, other, APP),
    ...sharedMarks(work.marks, other.marks),
    name: own.kind === its.kind && own.name === its.name,
    stem: own.kind === its.kind && stemOf(own.name) === stemOf(its.name),
    ends: ENDS.test(own.kind) || ENDS.test(its.kind),
    kind: beganThen && work.class === other.class && shares(work.models, other.models) !== false,
  }
}

const sharedMarks = (a: WorkMarks | undefined, b: WorkMarks | undefined) => ({
  image: shares(a?.images, b?.images),
  start: shares(a?.starts, b?.starts),
  model: shares(a?.models, b?.models),
  isUnread: a === undefined || b === undefined,
})
type Facts = ReturnType<typeof factsOf>

/** The first that holds decides; those without a sign make it other work. */
const RULES: readonly (readonly [WorkSign | undefined, (facts: Facts) => boolean])[] = [
  // A service whose model changed is still that service to whoever calls it.
  ['app', ({ app, inNamespace }) => app && inNamespace],
  [undefined, ({ model }) => model === false],
  ['start', ({ isTelling, image, start }) => isTelling && image === true && start === true],
  ['model', ({ isTelling, model }) => isTelling && model === true],
  ['app', ({ isTelling, app, image }) => isTelling && app && image !== false],
  ['name', ({ name, image }) => name && image !== false],
  // Jobs come and go, and those of one namespace are alike without being one.
  [undefined, ({ ends }) => ends],
  ['name', ({ inReach, stem }) => inReach && stem],
  ['image', ({ inNamespace, image }) => inNamespace && image === true],
  ['team', ({ inReach, image }) => inReach && image === true],
  ['kind', ({ kind, inNamespace, isUnread }) => kind && (inNamespace || isUnread)],
]

/** More workloads of other namespaces than these that carry a sign make it common. */
const FEW = 3

/** Whether a start or a model is that of many: a notebook image as it comes, a model that every team serves. */
export function isCommon(work: KnownWork, known: Iterable<KnownWork>): boolean {
  const own = partsOf(work.workload).namespace
  const spaces = new Set<string>()
  for (const each of known) {
    const { namespace } = partsOf(each.workload)
    const { image, start, model } = sharedMarks(work.marks, each.marks)
    if (namespace !== own && ((image === true && start === true) || model === true)) spaces.add(namespace)
  }
  return spaces.size > FEW
}

/** Undefined where one of them tells nothing. */
function shares(a: readonly string[] = [], b: readonly string[] = []): boolean | undefined {
  if (a.length === 0 || b.length === 0) return undefined
  return a.some((each) => b.includes(each))
}

/** What charts, operators and people call an application by; a Service selects its pods by the like. */
const APP =
  /^(?:app|k8s-app|notebook-name|app\.kubernetes\.io\/(?:instance|name|part-of)|serving\.kserve\.io\/inferenceservice|ray\.io\/cluster|serving\.knative\.dev\/service)$/u
const TEAM = /(?:^|[/._-])(?:team|owner|squad|tenant|cost-?cent(?:er|re))$/u

/** Of labels of one meaning the first that both carry decides: an instance tells more than the name of its chart. */
function sharesLabel(a: KnownWork, b: KnownWork, wanted: RegExp): boolean {
  const own = a.labels ?? {}
  const its = new Map(Object.entries(b.labels ?? {}))
  const keys = Object.keys(own).filter((key) => wanted.test(key) && its.has(key))
  const first = keys.toSorted((x, y) => rankOf(x) - rankOf(y))[0]
  return first !== undefined && own[first] !== '' && own[first] === its.get(first)
}

const GENERAL = ['app.kubernetes.io/name', 'app.kubernetes.io/part-of']
const rankOf = (key: string): number => GENERAL.indexOf(key)

/** Owners whose work comes to an end by itself. */
const ENDS = /(?:Job|Workflow|Run|Application|^Pod)$/u

function partsOf(workload: WorkloadId) {
  const [namespace = '', kind = '', ...name] = workload.split('/')
  return { namespace, kind, name: name.join('/') }
}

const VERSION = /[-_.]?(?:v?\d+|new|next|blue|green|canary|copy)$/u

/** `llm-v2` and `llm-new` are both `llm`. */
function stemOf(name: string): string {
  const shorter = name.replace(VERSION, '')
  return shorter === name || shorter === '' ? name : stemOf(shorter)
}
