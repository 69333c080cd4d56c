import { contentHash } from '../../plan/words/content-hash.ts'
import type { Action } from '../../plan/words/action.ts'
import { firstFew, plural } from '../../words.ts'
import { asRead, textAt } from '../live-object.ts'
import { done, seeing, type Deciding } from './decision.ts'
import { withoutConfig } from './mig-config-text.ts'
import { configMapRef, ownConfigMap } from './operator-objects.ts'

/** A configuration that a step has added to the ConfigMap of mig-manager, or would add. */
export type AddedConfig = Pick<Extract<Action, { readonly kind: 'repartition' }>, 'config' | 'gpus'>

const CONFIG = 'nvidia.com/mig.config'

/**
 * Takes configurations that Septet has added out of the ConfigMap that mig-manager goes by, all in one write, as far as no
 * node wears their name and they are there word for word as they were added. mig-manager looks one up when the label of a
 * node changes or when it starts, so one that no label names is missed by nobody, and nothing is restarted for it.
 */
export function* decideLeftOverConfigs(
  added: readonly AddedConfig[],
  { operatorNamespace: namespace, day }: { readonly operatorNamespace: string; readonly day: number },
): Deciding {
  const name = yield* ownConfigMap('migManager')
  const map = name === undefined ? undefined : yield* seeing(configMapRef(namespace, name))
  if (name === undefined || map === undefined) return done('')
  const nodes = yield {
    kind: 'objects',
    objects: { group: '', version: 'v1', resource: 'nodes', namespace: undefined },
    labelSelector: CONFIG,
  }
  const worn = new Set(nodes.map((node) => textAt(node, 'metadata', 'labels', CONFIG)))
  let text = textAt(map, 'data', 'config.yaml')
  const gone: string[] = []
  for (const { config, gpus } of added) {
    const without = worn.has(config) ? undefined : withoutConfig(text, config, gpus)
    if (without === undefined) continue
    text = without
    gone.push(config)
  }
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
      body: { metadata: asRead(map), data: { 'config.yaml': text } },
    },
  }
}
