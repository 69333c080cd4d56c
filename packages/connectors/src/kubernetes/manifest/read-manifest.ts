import { refusedAmount, SUSPENDED, type AskedJob, type AskedPods, type ManifestReading } from '@septet/domain'
import { z } from 'zod'
import { errorText } from '@septet/domain/words'
import { readYamlDocuments, TooMuchYaml } from '../read-yaml.ts'
import { claimTemplates, type ClaimTemplates } from './claim-templates.ts'
import { isOfVolcano, jobParts, KNOWN_KINDS } from './job-parts.ts'
import type { JobParts } from './pod-part.ts'
import { askedPods } from './asked-pods.ts'
import { gathered, podGroupsIn, type Grouped, type PodGroups } from './pod-groups.ts'
import { itemsIn, objectIn, textIn, type Raw } from './raw.ts'

/** Documents of a manifest, its objects and parts of jobs, and pods of one job: as many as a person submits at once. */
const MOST_DOCUMENTS = 50
const MOST_PARTS = 200
const MOST_PODS = 10_000
/** Rules about nodes of one job, each of which every node is judged by. */
const MOST_RULES = 1000

const ASK_LESS = 'Leave out what asks for no GPU, or ask about fewer jobs at once.'

const refused = (because: string, todo: string): ManifestReading => ({ kind: 'refused', because, todo })

/** Reads the jobs of a manifest, YAML or JSON, that ask for GPUs. `namespace` is where those go that name none. */
export function readManifest(text: string, namespace: string): ManifestReading {
  const documents = documentsOf(text)
  if ('kind' in documents) return documents
  const objects = documents.flatMap((raw, document) => objectsOf(raw, { document, at: '' }))
  if (objects.length === 0)
    return refused(
      'The manifest holds no Kubernetes object with a kind.',
      'Paste what you would give to kubectl apply -f.',
    )
  const made = objects.map((object) => ({ ...object, parts: jobParts(object.raw) }))
  if (made.reduce((sum, { parts }) => sum + Math.max(1, parts?.parts.length ?? 0), 0) > MOST_PARTS)
    return refused(`The manifest has more than ${MOST_PARTS} objects and parts of jobs.`, ASK_LESS)
  const claims = claimTemplates(objects.map(({ raw }) => raw))
  const refusal = made.flatMap(({ parts }) => parts?.parts.flatMap(({ spec }) => refusalOf(spec)) ?? [])[0]
  if (refusal !== undefined) return refused(`The API server refuses it: ${refusal.because}.`, refusal.todo)
  try {
    const namespaces = new Set(
      objects.flatMap(({ raw }) => (textIn(raw, 'kind') === 'Namespace' ? textIn(raw, 'metadata', 'name') : [])),
    )
    const podGroups = podGroupsIn(objects.map(({ raw }) => raw))
    const jobs = gathered(
      made.flatMap((object) => jobOf(object, { namespace, claims, podGroups, namespaces })),
      podGroups,
    )
    const large = jobs.find(({ groups }) => groups.reduce((sum, { count }) => sum + count, 0) > MOST_PODS)
    if (large !== undefined)
      return refused(`${large.kind} ${large.name} has more than ${MOST_PODS} pods.`, 'Ask about fewer of them.')
    const strict = jobs.find((job) => rulesOf(job) > MOST_RULES)
    if (strict !== undefined)
      return refused(
        `${strict.kind} ${strict.name} has more than ${MOST_RULES} node selector labels, affinity values and tolerations.`,
        'Leave out those that do not matter where it runs.',
      )
    return jobs.length === 0 ? nothingAsked(objects) : { kind: 'read', jobs }
  } catch (error) {
    return refused(
      `The manifest is not what Kubernetes takes: ${flawOf(error)}.`,
      'Correct it; kubectl apply --dry-run=server says more.',
    )
  }
}

const refusalOf = (spec: Raw) =>
  [...itemsIn(spec, 'containers'), ...itemsIn(spec, 'initContainers')].flatMap(
    (each) => refusedAmount(objectIn(each, 'resources', 'limits'), objectIn(each, 'resources', 'requests')) ?? [],
  )

const rulesOf = ({ groups }: AskedJob): number =>
  groups.reduce((sum, { scheduling: { nodeSelector, nodeTerms, tolerations } }) => {
    const terms = nodeTerms.flat().reduce((values, each) => values + 1 + each.values.length, 0)
    return sum + Object.keys(nodeSelector).length + terms + tolerations.length
  }, 0)

function nothingAsked(objects: readonly Placed[]): ManifestReading {
  const kinds = [...new Set(objects.map(({ raw }) => textIn(raw, 'kind')))]
  const known = kinds.filter((kind) => KNOWN_KINDS.includes(kind))
  return known.length > 0
    ? refused('The manifest asks for no GPU.', 'Give a container a limit such as nvidia.com/gpu: 1.')
    : refused(
        `Septet does not know what pods ${kinds.slice(0, 5).join(', ')} would make.`,
        `It knows ${KNOWN_KINDS.join(', ')}.`,
      )
}

function flawOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return errorText(error)
  const [issue] = error.issues
  return issue === undefined ? 'it cannot be read' : `${issue.path.join('.') || 'an object'}: ${issue.message}`
}

function documentsOf(text: string): readonly unknown[] | ManifestReading {
  try {
    return readYamlDocuments(text, { most: MOST_DOCUMENTS })
  } catch (error) {
    const todo = error instanceof TooMuchYaml ? ASK_LESS : 'Correct the YAML and ask again.'
    return refused(`The manifest cannot be read as YAML: ${errorText(error)}.`, todo)
  }
}

type Placed = { readonly raw: Raw; readonly document: number; readonly at: string }

/** The objects of a document; a list holds several. */
function objectsOf(raw: unknown, { document, at }: Omit<Placed, 'raw'>): readonly Placed[] {
  const object = objectIn(raw)
  const kind = textIn(object, 'kind')
  if (kind === 'List')
    return itemsIn(object, 'items').flatMap((item, index) => objectsOf(item, { document, at: `${at}/items/${index}` }))
  return kind === '' ? [] : [{ raw: object, document, at }]
}

type Made = Placed & { readonly parts: JobParts | undefined }
type Around = {
  readonly namespace: string
  readonly claims: ClaimTemplates
  readonly podGroups: PodGroups
  /** Those that the manifest makes. */
  readonly namespaces: ReadonlySet<string>
}

function jobOf({ raw, document, at, parts }: Made, { namespace: usual, ...around }: Around): readonly Grouped[] {
  if (parts === undefined) return []
  const namespace = textIn(raw, 'metadata', 'namespace') || usual
  const groups = parts.parts
    .filter(({ count }) => count > 0)
    .map((part) => askedPods(part, { at, namespace, ...around }))
  const own = groups.map(({ pods }) => pods)
  const unknown = [...parts.unknown, ...groups.flatMap((each) => each.unknown)]
  if (!own.some(mayAskForGpus)) return []
  const queue = queueOf(raw, parts)
  const other = schedulerQueueOf(raw, parts)
  const suspend = suspensionOf(parts, queue, at)
  const gates = groups.flatMap((each) => each.gates)
  const job: AskedJob = {
    kind: textIn(raw, 'kind'),
    namespace,
    name: nameOf(raw),
    queue: queue?.name,
    ...(other === undefined ? {} : { schedulerQueue: other }),
    gang: parts.gang || queue !== undefined,
    stopped: [...new Set([suspend === undefined ? [] : SUSPENDED, gates].flat())],
    groups: own,
    unknown: [...new Set(unknown)],
    edit: { document, queue: queue === undefined ? undefined : `${at}${queue.path}`, suspend },
  }
  return [{ job: { ...job, ...madeBy(parts), ...madeIn(around.namespaces, namespace) }, group: groups[0]?.group }]
}

const madeIn = (made: ReadonlySet<string>, namespace: string): Pick<AskedJob, 'makesNamespace'> =>
  made.has(namespace) ? { makesNamespace: true } : {}

const madeBy = ({ isMade }: JobParts): Pick<AskedJob, 'isMade'> => (isMade === true ? { isMade } : {})

/** Where it is suspended by its owner: Kueue suspends what it holds back, and lets it go on by itself. */
const suspensionOf = ({ suspend }: JobParts, queue: unknown, at: string): string | undefined =>
  queue === undefined && suspend !== undefined ? `${at}${suspend}` : undefined

/** What a claim asks for that cannot be read may be a GPU. */
const mayAskForGpus = ({ requests, claims, unknown }: AskedPods): boolean =>
  requests.length + claims.length > 0 || unknown.some(isAboutClaim)

const isAboutClaim = (words: string): boolean => words.includes('claim')

const nameOf = (raw: Raw): string =>
  textIn(raw, 'metadata', 'name') || textIn(raw, 'metadata', 'generateName') || 'without a name'

const QUEUE = 'kueue.x-k8s.io/queue-name'
const QUEUE_POINTER = 'kueue.x-k8s.io~1queue-name'

/** The queue is named by the object itself; Deployments and their like may name it on their pods. */
function queueOf(raw: Raw, { parts }: JobParts): { readonly name: string; readonly path: string } | undefined {
  const own = textIn(raw, 'metadata', 'labels', QUEUE)
  if (own !== '') return { name: own, path: `/metadata/labels/${QUEUE_POINTER}` }
  const [first] = parts
  const name = textIn(first?.metadata, 'labels', QUEUE)
  return first === undefined || name === ''
    ? undefined
    : { name, path: `${first.metadataPath}/labels/${QUEUE_POINTER}` }
}

const VOLCANO_QUEUES = ['scheduling.volcano.sh/queue-name', 'volcano.sh/queue-name']
const KAI_QUEUES = ['kai.scheduler/queue', 'runai/queue']

/** Named by the object itself, or on its pods; a Job of Volcano has a field for it. */
function schedulerQueueOf(raw: Raw, { parts }: JobParts): AskedJob['schedulerQueue'] {
  const metadata = [objectIn(raw, 'metadata'), ...parts.slice(0, 1).map((part) => part.metadata)]
  const named = (field: 'labels' | 'annotations', keys: readonly string[]): string =>
    metadata.flatMap((each) => keys.map((key) => textIn(each, field, key))).find((name) => name !== '') ?? ''
  const kai = named('labels', KAI_QUEUES)
  if (kai !== '') return { owner: 'KAI', name: kai }
  const volcano = isOfVolcano(raw) ? textIn(raw, 'spec', 'queue') || 'default' : named('annotations', VOLCANO_QUEUES)
  return volcano === '' ? undefined : { owner: 'Volcano', name: volcano }
}
