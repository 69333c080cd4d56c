import {
  impossibleNames,
  isKubernetesName,
  operatorFile,
  validateMigParted,
  wayBack,
  type Action,
  type ExportedCluster,
  type Plan,
} from '@septet/domain'
import { stringify } from 'yaml'
import { exportAction, type ExportContext } from './plan-files-actions.ts'
import type { PlanFile } from './plan-file.ts'
import { planMarkdown } from './plan-files-markdown.ts'
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
 * step by step, mig-parted files by node and the operator's ConfigMap, evictions, patches, claim templates, `plan.json`,
 * and the same for the way back under `undo/`. Names from the cluster are data everywhere: quoted, escaped, or refused.
 */
export function planFiles({ plan, snapshot, operatorNamespace = 'gpu-operator' }: PlanExport): PlanFiles {
  const strange = [
    ...impossibleNames(plan, snapshot),
    ...(isKubernetesName(operatorNamespace) ? [] : [`${JSON.stringify(operatorNamespace)} is no namespace.`]),
  ]
  if (strange.length > 0) return { kind: 'refused', because: strange }
  const back = wayBack(plan.steps)
  const operator = operatorParts(plan, snapshot, operatorNamespace)
  if (operator.errors.length > 0) return { kind: 'refused', because: operator.errors }
  const actions = plan.steps.map(({ action }) => action)
  const context: ExportContext = { snapshot, operatorNamespace, actions, prefix: '' }
  const forward = plan.steps.map(({ number, title, action }) => ({
    number,
    title,
    ...exportAction(action, number, context),
  }))
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
    head: operator.commands,
    parts: forward,
  })
  const undo = scriptText({
    title: `the way back from ${plan.id}: ${plan.title}`,
    root: '..',
    otherwise: 'Run it again to go on.',
    head: undoHead(plan, operator.commands),
    parts: undone,
  })
  const files: readonly PlanFile[] = [
    { path: 'PLAN.md', text: planMarkdown({ plan, back, lostConfigs: operator.lost, nodes: snapshot.nodes }) },
    { path: 'plan.json', text: `${JSON.stringify(plan, undefined, 2)}\n` },
    { path: 'commands.sh', text: commands },
    ...operator.files,
    ...forward.flatMap((part) => part.files),
    ...(undone.length === 0 ? [] : [{ path: 'undo/commands.sh', text: undo }]),
    ...undone.flatMap((part) => part.files),
  ]
  return { kind: 'files', files: [...new Map(files.map((file) => [file.path, file])).values()] }
}

type Repartition = Extract<Action, { readonly kind: 'repartition' }>
type OperatorParts = {
  readonly files: readonly PlanFile[]
  readonly commands: readonly string[]
  readonly lost: readonly string[]
  readonly errors: readonly string[]
}

/** The one file of configurations that mig-manager reads for all nodes, with those of the way back. */
function operatorParts(plan: Plan, snapshot: ExportedCluster, namespace: string): OperatorParts {
  const all = plan.steps.flatMap(({ action, inverse }) => [action, ...inverse])
  const repartitions = all.filter((action): action is Repartition => action.kind === 'repartition')
  if (repartitions.length === 0) return { files: [], commands: [], lost: [], errors: [] }
  const { document, lost } = operatorFile(repartitions, snapshot)
  const wearers = repartitions.flatMap(({ config, node: name }) => {
    const node = snapshot.nodes.find((candidate) => candidate.name === name)
    return node === undefined ? [] : [{ config, node }]
  })
  const name = `septet-mig-${plan.id.replace('plan-', '')}`
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: { 'config.yaml': stringify(document) },
  }
  const policy = JSON.stringify({ spec: { migManager: { config: { name } } } })
  return {
    files: [{ path: 'mig-parted/configmap.yaml', text: stringify(configMap, { lineWidth: 0 }) }],
    commands: [
      '# The configurations of all nodes. If your ClusterPolicy names a ConfigMap of your own, merge these into it instead.',
      'kubectl apply -f mig-parted/configmap.yaml',
      `kubectl patch clusterpolicies.nvidia.com/cluster-policy --type merge -p ${shellWord(policy)}`,
      '# The operator starts mig-manager anew with it; until then a label that names what is new ends as failed.',
      `kubectl rollout status daemonset/nvidia-mig-manager -n ${shellWord(namespace)} --timeout=10m`,
    ],
    lost,
    errors: validateMigParted(document, wearers),
  }
}

function undoHead({ steps }: Plan, operator: readonly string[]): readonly string[] {
  const changed = steps.some(({ action }) => action.kind === 'repartition' || action.kind === 'share')
  return [
    '# The last step is taken back first; what was not done is left alone.',
    ...(changed
      ? ['# Pods that started on the changed GPUs since must be evicted first: mig-manager never evicts.']
      : []),
    ...operator,
  ]
}

function undoTitle(action: Action): string {
  if ('node' in action) return `${action.kind} ${action.node}`
  return `${action.kind} ${'workload' in action ? action.workload : action.gpu}`
}
