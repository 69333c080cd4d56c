import { resizePatches, stopPatch, stoppableOf, type Action, type ExportedCluster } from '@septet/domain'
import { stringify } from 'yaml'

import type { PlanFile } from './plan-file.ts'
import { markdownText } from './plan-files-quote.ts'

type Change = Extract<Action, { readonly kind: 'scale' | 'resize' }>
type Patch = { readonly object: string; readonly target: Target; readonly body: unknown }
type Target = {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
}

/**
 * The changes of work as a kustomize component, for the branch of whoever keeps the objects in git or as a release: one patch
 * for each object, and what to do with it. Nothing where the plan changes no object that is kept so.
 */
export function branchFiles(
  { forward, back }: { readonly forward: readonly Action[]; readonly back: readonly Action[] },
  snapshot: ExportedCluster,
): readonly PlanFile[] {
  const there = patchesOf(forward, snapshot)
  if (there.length === 0) return []
  const again = patchesOf(back, snapshot)
  return [
    { path: 'branch/README.md', text: readme(there, again.length > 0) },
    ...component('branch', there),
    ...(again.length === 0 ? [] : component('branch/undo', again)),
  ]
}

const component = (folder: string, patches: readonly Patch[]): readonly PlanFile[] => [
  {
    path: `${folder}/kustomization.yaml`,
    text: stringify({
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      patches: patches.map(({ target }, index) => ({ path: fileOf(target, index), target })),
    }),
  },
  ...patches.map(({ target, body }, index) => ({ path: `${folder}/${fileOf(target, index)}`, text: stringify(body) })),
]

const fileOf = ({ namespace, name }: Target, index: number): string =>
  `${String(index + 1).padStart(3, '0')}-${namespace}-${name}.yaml`

const patchesOf = (actions: readonly Action[], snapshot: ExportedCluster): readonly Patch[] =>
  actions.flatMap((action) => (action.kind === 'scale' || action.kind === 'resize' ? patchesFor(action, snapshot) : []))

function patchesFor(action: Change, { workloads }: ExportedCluster): readonly Patch[] {
  const workload = workloads.find(({ id }) => id === action.workload)
  const known = stoppableOf(action.workload)
  if (workload === undefined || known === undefined) return []
  const { kind, name, namespace } = workload
  const { group, version } = known.object
  const target: Target = { group, version, kind, name, namespace }
  const object = `${kind} ${namespace}/${name}`
  const bodies =
    action.kind === 'resize'
      ? resizePatches(workload, action).flatMap((patch) =>
          patch.kind === 'patch' && patch.type === 'json' ? [withoutAmounts(patch.body)] : [],
        )
      : scaled(target, action)
  return bodies.map((body) => ({ object, target, body }))
}

/** What a file in git says of amounts may be written in another way than the API server tells it. */
const withoutAmounts = (body: unknown): unknown =>
  Array.isArray(body)
    ? body.filter((each: unknown) => !/"op":"test","path":"[^"]*\/limits\//u.test(JSON.stringify(each)))
    : body

function scaled(
  { group, version, kind, name, namespace }: Target,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const change = from === 0 || to === 0 ? stopPatch(kind, to) : undefined
  const own = change ?? { spec: { replicas: to } }
  const { metadata, ...rest } = asObject(own)
  const apiVersion = group === '' ? version : `${group}/${version}`
  return [{ apiVersion, kind, metadata: { name, namespace, ...asObject(metadata) }, ...rest }]
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const readme = (patches: readonly Patch[], hasWayBack: boolean): string =>
  [
    '# Apply this change where the object is kept',
    '',
    'Argo CD, Flux or Helm keeps what changes here, so Septet does not write to it. This directory is a kustomize component',
    'with exactly the change:',
    '',
    ...patches.map(({ object, target }, index) => `- ${markdownText(object)}: \`${fileOf(target, index)}\``),
    '',
    '## With Argo CD or Flux',
    '',
    '1. Copy this directory beside the `kustomization.yaml` that makes the object, as `septet-change`.',
    '2. Name it there:',
    '',
    '   ```yaml',
    '   components:',
    '     - septet-change',
    '   ```',
    '',
    '3. Review the difference (`kustomize build . | kubectl diff -f -`), and merge the branch. `PLAN.md` beside this directory',
    '   is the text of the pull request.',
    '',
    'Where the object is a plain file, change there what the patch says.',
    '',
    '## With Helm',
    '',
    'Set the same in the values of the release, under the names that its chart has for it, and upgrade. A chart without such',
    'a value takes this directory through a post-renderer (`helm upgrade --post-renderer`).',
    '',
    '## Afterwards',
    '',
    'There is nothing to tell Septet. It sees that the object is as the plan says, verifies it and measures what it saves.',
    ...(hasWayBack ? ['To roll back, do the same with `undo/`.'] : []),
    '',
  ].join('\n')
