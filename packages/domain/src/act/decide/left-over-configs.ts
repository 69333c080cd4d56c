import { devicePluginConfig, MIG_STRATEGIES } from '../../plan/documents/gpu-documents.ts'
import { contentHash } from '../../plan/words/content-hash.ts'
import type { Action, GpuChange } from '../../plan/words/action.ts'
import { firstFew, plural } from '../../words.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { asRead, textAt, textsAt } from '../live-object.ts'
import { done, seeing, type Ruled, type Deciding, type StepAsk } from './decision.ts'
import { withoutConfig } from './mig-config-text.ts'
import { configMapRef, operatorPolicies, ownConfigMap } from './operator-objects.ts'
import { CONFIG_BEFORE } from './share-step.ts'

/** A configuration that a step has added to the ConfigMap that a part of the operator goes by, or would add. */
export type AddedConfig = { readonly name: string } & (
  | { readonly part: 'migManager'; readonly gpus: readonly GpuChange[] }
  | { readonly part: 'devicePlugin'; readonly text: string }
)

/** What an action may add; for the device plugin one for each MIG strategy that its node may have. */
export function configsOf(action: Action): readonly AddedConfig[] {
  if (action.kind === 'repartition') return [{ part: 'migManager', name: action.config, gpus: action.gpus }]
  if (action.kind !== 'share') return []
  return MIG_STRATEGIES.map((strategy) => {
    const { key: name, text } = devicePluginConfig(action.to, strategy)
    return { part: 'devicePlugin', name, text }
  })
}

const LABELS = { migManager: 'nvidia.com/mig.config', devicePlugin: 'nvidia.com/device-plugin.config' } as const

/**
 * Takes configurations that Septet has added for one part of the operator out of its ConfigMap, all in one write, as far as
 * nothing names them and they are there word for word as they were added. mig-manager and the device plugin look one up when
 * the label of a node changes or when they start, so one that no label names is missed by nobody, and nothing is restarted
 * for it.
 */
export function* decideLeftOverConfigs(
  part: AddedConfig['part'],
  added: readonly AddedConfig[],
  { operatorNamespace: namespace, day }: { readonly operatorNamespace: string; readonly day: number },
): Deciding {
  const name = yield* ownConfigMap(part)
  const map = name === undefined ? undefined : yield* seeing(configMapRef(namespace, name))
  if (name === undefined || map === undefined) return done('')
  const named = yield* namedConfigs(part)
  const { data, gone } = without(
    map,
    added.filter((each) => each.part === part && !named.has(each.name)),
  )
  if (gone.length === 0) return done('')
  return {
    kind: 'write',
    // One that is refused is tried again on another day.
    key: `left-over-${contentHash(JSON.stringify(gone))}-${day}`,
    says: `Remove ${plural(gone.length, 'configuration')} that no node uses from ${name}: ${firstFew(gone, 5)}`,
    write: {
      verb: 'patch',
      object: configMapRef(namespace, name),
      type: 'merge',
      // Whoever changed it since it was read keeps their change.
      body: { metadata: asRead(map), data },
    },
  }
}

/** By the label of a node, by what its label is to say again, or for all nodes without one. */
function* namedConfigs(part: AddedConfig['part']): Generator<StepAsk, ReadonlySet<string>, Ruled> {
  const policies = yield* operatorPolicies()
  const nodes = yield {
    kind: 'objects',
    objects: { group: '', version: 'v1', resource: 'nodes', namespace: undefined },
    labelSelector: LABELS[part],
  }
  return new Set([
    ...policies.map((policy) => textAt(policy, 'spec', part, 'config', 'default')),
    ...nodes.flatMap((node) => [
      textAt(node, 'metadata', 'labels', LABELS[part]),
      textAt(node, 'metadata', 'annotations', CONFIG_BEFORE),
    ]),
  ])
}

/** What to merge into the data of a ConfigMap so that they are gone from it, and which these are. */
function without(map: LiveObject, added: readonly AddedConfig[]) {
  const gone: string[] = []
  const data: Record<string, string | null> = {}
  let file = textAt(map, 'data', 'config.yaml')
  for (const config of added) {
    if (config.part === 'migManager') {
      const left = withoutConfig(file, config.name, config.gpus)
      if (left === undefined) continue
      data['config.yaml'] = file = left
    } else {
      const entries = textsAt(map, 'data')
      // A device plugin does not start where there is no entry at all.
      const isLast = Object.keys(entries).every((key) => key === config.name || data[key] === null)
      if (entries[config.name] !== config.text || isLast) continue
      data[config.name] = null
    }
    gone.push(config.name)
  }
  return { data, gone }
}
