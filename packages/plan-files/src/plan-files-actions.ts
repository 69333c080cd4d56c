import { gpusText, plural } from '@septet/domain/words'
import {
  claimTemplate,
  claimTemplateName,
  devicePluginConfig,
  evictionOf,
  migPartedOf,
  profileClass,
  placePatch,
  resizePatches,
  stopPatch,
  type Action,
  type ExportedCluster,
  type GpuRequest,
  type KeepFree,
  type Landing,
  type Workload,
  type WorkloadPatch,
} from '@septet/domain'
import { stringify } from 'yaml'
import type { PlanFile } from './plan-file.ts'
import { commentText, shellWord } from './plan-files-quote.ts'

export type ExportContext = {
  readonly snapshot: ExportedCluster
  /** `undo/` for the way back. */
  readonly prefix: '' | 'undo/'
}

export type ExportedAction = { readonly files: readonly PlanFile[]; readonly commands: readonly string[] }

/** The commands and files of one action. */
export function exportAction(action: Action, number: number, context: ExportContext): ExportedAction {
  const place: Place = { ...context, number: String(number).padStart(3, '0') }
  if ('node' in action) return exportNodeAction(action, place)
  if (action.kind === 'evict') return exportEviction(action, place)
  if (action.kind === 'keep-free') return only(...action.nodes.map((kept) => lookAtCommand(kept, action)))
  if ('workload' in action) return exportWorkloadAction(action, place)
  return exportInstance(action, place)
}

type Place = ExportContext & { readonly number: string }
type NodeAction = Extract<Action, { readonly node: string }>

function exportNodeAction(action: NodeAction, place: Place): ExportedAction {
  const node = shellWord(action.node)
  if (action.kind === 'cordon') return only(`kubectl cordon ${node}`)
  if (action.kind === 'uncordon') return only(...(action.landed ?? []).map(landedCommand), `kubectl uncordon ${node}`)
  if (action.kind === 'repartition') return exportRepartition(action, place)
  if (action.kind === 'share') return exportShare(action, place)
  return only(`remove ${node}`)
}

/** Who holds GPUs there is for a person to judge: the work that they are kept for may be there already. */
const lookAtCommand = ({ node, gpus }: KeepFree['nodes'][number], { profile }: KeepFree): string =>
  `# ${gpusText(gpus, profile)} of it are to be free: kubectl get pods -A --field-selector spec.nodeName=${shellWord(node)}`

/** A workload's pods are told by their names, which every controller begins with its own. */
function landedCommand({ workload, pods }: Landing): string {
  const [namespace = '', , ...name] = workload.split('/')
  return ['landed', namespace, name.join('/'), String(pods)].map(shellWord).join(' ')
}

function exportRepartition(action: Extract<Action, { readonly kind: 'repartition' }>, place: Place): ExportedAction {
  const node = shellWord(action.node)
  const path = `${place.prefix}mig-parted/${action.node}.yaml`
  return {
    files: [{ path, text: stringify(migPartedOf([action])) }],
    commands: [
      ...(place.prefix === 'undo/'
        ? [`# What runs there by now: kubectl get pods -A --field-selector spec.nodeName=${node}`]
        : []),
      `# By hand on the node instead: nvidia-mig-parted apply -f ${shellWord(path)} -c ${shellWord(action.config)}`,
      ['cut', node, shellWord(action.config), shellWord(path), ...formerOf(action.node, place)].join(' '),
    ],
  }
}

/** On the way back: the configuration that the node wore when the plan was made, where it was cut by that. */
function formerOf(name: string, { prefix, snapshot }: Place): readonly string[] {
  const { config = '', state } = snapshot.nodes.find((node) => node.name === name)?.mig ?? {}
  return prefix === '' || config === '' || state !== 'success' ? [] : [shellWord(config)]
}

function exportShare(action: Extract<Action, { readonly kind: 'share' }>, place: Place): ExportedAction {
  const node = place.snapshot.nodes.find(({ name }) => name === action.node)
  if (node === undefined) return only(`# ${commentText(action.node)} is not in the snapshot.`)
  const { key, text } = devicePluginConfig(action.to, node.mig.strategy)
  const path = `${place.prefix}device-plugin/${action.node}.yaml`
  return {
    // A merge into the ConfigMap in force: the key is made from the content, so it takes nothing from other nodes.
    files: [{ path, text: stringify({ data: { [key]: text } }, { lineWidth: 0 }) }],
    commands: [`share ${shellWord(action.node)} ${shellWord(key)} ${shellWord(path)}`],
  }
}

function exportEviction({ pod, uid }: Extract<Action, { readonly kind: 'evict' }>, place: Place): ExportedAction {
  const [namespace = '', name = ''] = pod.split('/')
  const path = `${place.prefix}evictions/${place.number}-${namespace}-${name}.json`
  return {
    files: [{ path, text: `${JSON.stringify(evictionOf(pod, uid), undefined, 2)}\n` }],
    commands: [['evict', ...[namespace, name, uid, path].map(shellWord)].join(' ')],
  }
}

type WorkloadAction = Extract<Action, { readonly kind: 'resize' | 'scale' | 'reschedule' }>

function exportWorkloadAction(action: WorkloadAction, place: Place): ExportedAction {
  const workload = place.snapshot.workloads.find(({ id }) => id === action.workload)
  if (workload === undefined) return only(`# ${commentText(action.workload)} is not in the snapshot.`)
  if (action.kind === 'scale') return only(...scaleCommands(workload, action))
  if (action.kind === 'resize') return together(resizes(workload, action, place))
  const parts = [exportPatch(placePatch(workload, action, place.snapshot.nodes), workload, place)]
  if (JSON.stringify(action.from.requests) !== JSON.stringify(action.to.requests)) {
    const resize = { from: action.from.requests, to: action.to.requests }
    parts.push(...resizes(workload, resize, { ...place, number: `${place.number}-requests` }))
  }
  return together(parts)
}

const together = (parts: readonly ExportedAction[]): ExportedAction => ({
  files: parts.flatMap(({ files }) => files),
  commands: parts.flatMap(({ commands }) => commands),
})

type Resize = Readonly<Record<'from' | 'to', readonly GpuRequest[]>>

/** One patch for each part of the owner, numbered from the second on. */
const resizes = (workload: Workload, resize: Resize, place: Place): readonly ExportedAction[] =>
  resizePatches(workload, resize).map((patch, part) =>
    exportPatch(patch, workload, part === 0 ? place : { ...place, number: `${place.number}-${part + 1}` }),
  )

function exportPatch(patch: WorkloadPatch, workload: Workload, place: Place): ExportedAction {
  if (patch.kind === 'by-hand') return only(`# By hand: ${commentText(patch.because)}`)
  const path = `${place.prefix}patches/${place.number}-${workload.namespace}-${workload.name}.yaml`
  const object = objectOf(workload)
  return {
    files: [{ path, text: stringify(patch.body) }],
    commands: [
      '# Where Helm or GitOps owns this object, change it there.',
      ...(patch.type === 'strategic'
        ? [
            `kubectl patch ${object} -n ${shellWord(workload.namespace)} --type strategic --patch-file ${shellWord(path)}`,
          ]
        : jsonPatchCommands(patch, workload, path)),
    ],
  }
}

type JsonPatch = Extract<WorkloadPatch, { readonly type: 'json' }>

function jsonPatchCommands({ asked, among, around }: JsonPatch, workload: Workload, path: string): readonly string[] {
  const item = among === undefined ? [] : [among.list, among.key, among.name]
  const once = [workload.namespace, path, asked.path, asked.wanted, ...item].map(shellWord)
  const patch = ['patch_once', objectOf(workload), ...once].join(' ')
  if (around === undefined) return ['# It names its containers and fails on any other.', patch]
  return [
    '# Its pods keep what they have until it was suspended: all of them stop, and are replaced.',
    mergeCommand(workload, around.before),
    patch,
    mergeCommand(workload, around.after),
  ]
}

const mergeCommand = (workload: Workload, patch: unknown): string =>
  `kubectl patch ${objectOf(workload)} -n ${shellWord(workload.namespace)} --type merge -p ${shellWord(JSON.stringify(patch))}`

function scaleCommands(
  workload: Workload,
  { from, to }: { readonly from: number; readonly to: number },
): readonly string[] {
  if (['Deployment', 'StatefulSet', 'ReplicaSet'].includes(workload.kind)) {
    return [`scale ${objectOf(workload)} ${shellWord(workload.namespace)} ${from} ${to}`]
  }
  const patch = to === 0 || from === 0 ? stopPatch(workload.kind, to) : undefined
  if (patch !== undefined) return [mergeCommand(workload, patch)]
  return [
    `# By hand: ${commentText(`${workload.kind} ${workload.name} is not scaled by kubectl; set it to ${plural(to, 'pod')} in its own source.`)}`,
  ]
}

const objectOf = ({ kind, name }: Workload): string => shellWord(`${kind.toLowerCase()}/${name}`)

function exportInstance(
  { kind, instance }: Extract<Action, { readonly kind: 'create-instance' | 'delete-instance' }>,
  place: Place,
): ExportedAction {
  if (kind === 'delete-instance') {
    return only('# Nothing to run: the driver removes the instance when the claim of the evicted pod is released.')
  }
  const name = claimTemplateName(instance.profile)
  const path = `${place.prefix}dra/${name}.yaml`
  const classPath = `${place.prefix}dra/${name}-class.yaml`
  return {
    files: [
      { path, text: stringify(claimTemplate(instance.profile)) },
      { path: classPath, text: stringify(profileClass(instance.profile), { lineWidth: 0 }) },
    ],
    commands: [
      '# The driver makes the instance when a pod with such a claim starts. In the namespace of the workload that wants it:',
      `# kubectl apply -n NAMESPACE -f ${path}`,
      `# and in its pod template: resourceClaims: [{name: slice, resourceClaimTemplateName: ${name}}]`,
      '# Instead, on Kubernetes 1.35 with DRAExtendedResource, pods may go on asking for the extended resource:',
      `# kubectl apply -f ${classPath}`,
    ],
  }
}

const only = (...commands: readonly string[]): ExportedAction => ({ files: [], commands })
