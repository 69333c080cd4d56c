import {
  impossibleNames,
  isKubernetesName,
  wayBack,
  type Action,
  type ExportedCluster,
  type Plan,
  type PlanStep,
} from '@septet/domain'
import { branchFiles } from './branch-files.ts'
import { exportAction, type ExportContext } from './plan-files-actions.ts'
import type { PlanFile } from './plan-file.ts'
import { isoTime, planMarkdown } from './plan-files-markdown.ts'
import { shellWord } from './plan-files-quote.ts'
import { scriptText } from './plan-files-script.ts'

export type PlanFiles =
  | { readonly kind: 'files'; readonly files: readonly PlanFile[] }
  /** Nothing is exported: each sentence says why. */
  | { readonly kind: 'refused'; readonly because: readonly string[] }

export type PlanExport = {
  readonly plan: Plan
  /** The snapshot that the plan was made from. */
  readonly snapshot: ExportedCluster
  /** Where the GPU Operator runs; `gpu-operator` unless told. */
  readonly operatorNamespace?: string
}

/**
 * A plan as a directory that an engineer can read, review and apply by hand: `PLAN.md` for a pull request, `commands.sh`
 * step by step, mig-parted files by node, evictions, patches, claim templates, `plan.json`, and the same for the way back
 * under `undo/`; changes of work are under `branch/` for anyone who keeps them in git. Names from the cluster are data
 * everywhere: quoted, escaped, or refused.
 */
export function planFiles({ plan, snapshot, operatorNamespace = 'gpu-operator' }: PlanExport): PlanFiles {
  const strange = [
    ...impossibleNames(plan, snapshot),
    ...(isKubernetesName(operatorNamespace) ? [] : [`${JSON.stringify(operatorNamespace)} is no namespace.`]),
  ]
  if (strange.length > 0) return { kind: 'refused', because: strange }
  const back = wayBack(plan.steps)
  const actions = plan.steps.map(({ action }) => action)
  const operator = operatorOf(actions, operatorNamespace)
  const context: ExportContext = { snapshot, prefix: '' }
  const forward = plan.steps.map((step) => {
    const { number, title, action } = step
    const { files, commands } = exportAction(action, number, context)
    return { number, title, files, commands: [...dueCommands(step, plan), ...commands] }
  })
  const undone = back.actions.map((action, index) => ({
    number: index + 1,
    title: undoTitle(action),
    ...exportAction(action, index + 1, { ...context, prefix: 'undo/' }),
  }))
  const commands = scriptText({
    title: `${plan.id}: ${plan.title}`,
    root: '.',
    otherwise:
      undone.length === 0 ? 'Run it again to go on.' : 'Run it again to go on, or undo/commands.sh to go back.',
    head: operator.head,
    parts: forward,
  })
  const undo = scriptText({
    title: `rollback of ${plan.id}: ${plan.title}`,
    root: '..',
    otherwise: 'Run it again to go on.',
    head: undoHead(plan, operator.head),
    parts: undone,
  })
  const files: readonly PlanFile[] = [
    { path: 'PLAN.md', text: planMarkdown({ plan, back, nodes: snapshot.nodes }) },
    { path: 'plan.json', text: `${JSON.stringify(plan, undefined, 2)}\n` },
    { path: 'commands.sh', text: commands },
    ...operator.files,
    ...forward.flatMap((part) => part.files),
    ...(undone.length === 0 ? [] : [{ path: 'undo/commands.sh', text: undo }]),
    ...undone.flatMap((part) => part.files),
    ...branchFiles({ forward: actions, back: back.actions }, snapshot),
  ]
  return { kind: 'files', files: [...new Map(files.map((file) => [file.path, file])).values()] }
}

/** A step with a time of its own waits for it; what is due when the plan is made is done at once. */
const dueCommands = ({ notBefore }: PlanStep, { madeFrom }: Plan): readonly string[] =>
  notBefore === undefined || notBefore <= madeFrom
    ? []
    : [`not_before ${Math.ceil(notBefore / 1000)} ${isoTime(notBefore)}`]

type Operator = {
  /** Lines before the first step. */
  readonly head: readonly string[]
  readonly files: readonly PlanFile[]
}

/** What the GPU Operator must be ready for before the first step, and the script that makes it so, once per cluster. */
function operatorOf(actions: readonly Action[], namespace: string): Operator {
  const parts = PARTS.filter(({ kind }) => actions.some((action) => action.kind === kind))
  const name = `namespace=${shellWord(namespace)}`
  if (parts.length === 0) return { head: [], files: [] }
  const text = scriptText({
    title: 'Run once per cluster, before the first plan: lets plans add configurations for single nodes',
    root: '.',
    otherwise: 'Run it again to go on.',
    head: [...PREPARATION, name],
    parts: parts.map(({ prepare, title }, index) => ({ number: index + 1, title, commands: [prepare] })),
  })
  return {
    head: [
      name,
      '# Before anything is changed: whether configurations can be added for one node.',
      ...parts.map(({ part }) => `own_map ${part}`),
    ],
    files: [{ path: 'prepare.sh', text }],
  }
}

const PARTS = [
  { kind: 'repartition', part: 'migManager', prepare: 'prepare_mig', title: 'mig-manager' },
  { kind: 'share', part: 'devicePlugin', prepare: 'prepare_sharing', title: 'the device plugin' },
] as const

const PREPARATION = [
  '# This touches every GPU node, unlike a plan: the operator restarts the pods named below on all of them, which takes',
  '# minutes. No GPU is cut and no workload is stopped. From then on profiles that NVIDIA generates per node (GPU Operator',
  '# 26.3 and newer) are not used; those of its own file are. To go back, empty the name in the ClusterPolicy again.',
]

function undoHead({ steps }: Plan, operator: readonly string[]): readonly string[] {
  const changed = steps.some(({ action }) => action.kind === 'repartition' || action.kind === 'share')
  return [
    '# The last step is reverted first; what was not done is left alone.',
    ...(changed
      ? ['# Pods that started on the changed GPUs since must be evicted first: mig-manager never evicts.']
      : []),
    ...operator,
  ]
}

function undoTitle(action: Action): string {
  if ('node' in action) return `${action.kind} ${action.node}`
  if (action.kind === 'keep-free') return action.kind
  return `${action.kind} ${'workload' in action ? action.workload : action.gpu}`
}
