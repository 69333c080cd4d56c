import {
  type NodeRequirement,
  type SpreadRule,
  isControllersLabel,
  isGpuResource,
  isMisspelledGpu,
  matchLabels,
} from '@septet/domain'
import { SchedulingSpec } from '../read/parse-scheduling.ts'
import { readSelector, repelRules, type RepelRule } from '../read/repel-rules.ts'
import { countIn, itemsIn, objectIn, textIn, type Raw } from './raw.ts'

/** Labels of the pods, and where they go. */
type Own = { readonly labels: Readonly<Record<string, string>>; readonly namespace: string }

/** The rules of a pod beside its node affinity: those that are judged, and in words those that are not. */
export type ManifestRules = {
  readonly spread: readonly SpreadRule[]
  readonly unknown: readonly string[]
  /** Which scheduling gates hold the pods back, in sentences; Kueue takes away its own. */
  readonly gates: readonly string[]
}

export function podRules(spec: Raw, own: Own): ManifestRules {
  const apart = (repelRules(SchedulingSpec.parse(spec), own.namespace) ?? []).map((rule) => apartRule(rule, own))
  const spread = itemsIn(spec, 'topologySpreadConstraints')
    .filter((each) => textIn(each, 'whenUnsatisfiable') !== 'ScheduleAnyway')
    .map((each) => spreadRule(each, own))
  const rules = [...apart, ...spread]
  return {
    spread: rules.flatMap((rule) => (typeof rule === 'string' ? [] : rule)),
    unknown: [
      ...rules.flatMap((rule) => (typeof rule === 'string' ? rule : [])),
      ...(itemsIn(spec, 'affinity', 'podAffinity', REQUIRED).length > 0
        ? ['it wants to be near other pods, whose labels are not read']
        : []),
      ...volumes(spec),
      ...resources(spec),
      ...others(spec),
    ],
    gates: itemsIn(spec, 'schedulingGates')
      .map((gate) => textIn(gate, 'name'))
      .filter((name) => !name.startsWith('kueue.x-k8s.io/'))
      .map((name) => `The scheduling gate ${name} holds it back until its owner takes the gate away.`),
  }
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'

function apartRule({ topologyKey, selector, namespaces }: RepelRule, { labels, namespace }: Own): SpreadRule | string {
  const meant = matchLabels(selector, labels)
  if (namespaces === 'unread' || meant === 'maybe' || topologyKey === '')
    return 'it keeps away from other pods, whose labels are not read'
  const isOfOwn = namespaces !== 'all' && namespaces.length === 1 && namespaces.includes(namespace)
  const own = meant === 'yes' && (namespaces === 'all' || namespaces.includes(namespace))
  return { topologyKey, most: 'apart', selector, own, ...(isOfOwn ? {} : { namespaces }) }
}

function spreadRule(rule: unknown, { labels }: Own): SpreadRule | string {
  const selector = readSelector(objectIn(rule)['labelSelector'])
  const meant = selector === undefined ? 'no' : matchLabels(selector, labels)
  const keys = itemsIn(rule, 'matchLabelKeys').map(String)
  const [most, minDomains] = [countIn(rule, 'maxSkew'), countIn(rule, 'minDomains')]
  const topologyKey = textIn(rule, 'topologyKey')
  if (meant === 'maybe' || most === undefined || topologyKey === '')
    return 'its topology spread counts pods or nodes by rules that are not judged'
  return {
    topologyKey,
    most,
    own: meant === 'yes',
    ...aboutWhom(selector, labels, keys),
    ...(minDomains === undefined ? {} : { minDomains }),
    ...(textIn(rule, 'nodeAffinityPolicy') === 'Ignore' ? { anyNode: true } : {}),
    ...(textIn(rule, 'nodeTaintsPolicy') === 'Honor' ? { honorsTaints: true } : {}),
  }
}

/** `keys`: labels that must be as on the pods themselves. */
function aboutWhom(
  selector: readonly NodeRequirement[] | undefined,
  labels: Own['labels'],
  keys: readonly string[],
): Pick<SpreadRule, 'selector' | 'namespaces'> {
  const same = keys.flatMap((key): NodeRequirement | [] => {
    const value = labels[key]
    return value === undefined ? [] : { key, operator: 'In', values: [value] }
  })
  // What a controller gives to new pods no pod has that is there already.
  const isNew = keys.some((key) => labels[key] === undefined && isControllersLabel(key))
  return { selector: [...(selector ?? []), ...same], ...(selector === undefined || isNew ? { namespaces: [] } : {}) }
}

const volumes = (spec: Raw): readonly string[] =>
  itemsIn(spec, 'volumes').flatMap((volume) => {
    const claim = textIn(volume, 'persistentVolumeClaim', 'claimName')
    if (claim !== '') return [`whether the volume ${claim} is bound, and to which nodes, is not read`]
    return Object.keys(objectIn(volume, 'ephemeral')).length > 0
      ? ['where its ephemeral volume may be is not read']
      : []
  })

const PLAIN: ReadonlySet<string> = new Set(['cpu', 'memory'])

/** Resources that nodes are not known to have. */
function resources(spec: Raw): readonly string[] {
  const containers = [...itemsIn(spec, 'containers'), ...itemsIn(spec, 'initContainers')]
  const names = containers.flatMap((each) =>
    ['limits', 'requests'].flatMap((list) => Object.keys(objectIn(each, 'resources', list))),
  )
  const unread = [...new Set(names)].filter(
    (name) => !PLAIN.has(name) && !isGpuResource(name) && !isMisspelledGpu(name),
  )
  return unread.map((name) => `how many ${name} nodes have left is not read`)
}

function others(spec: Raw): readonly string[] {
  const runtime = textIn(spec, 'runtimeClassName')
  const ports = itemsIn(spec, 'containers').flatMap((each) => itemsIn(each, 'ports'))
  const usesHost =
    spec['hostNetwork'] === true ? ports.length > 0 : ports.some((port) => countIn(port, 'hostPort') !== undefined)
  return [
    // The class that the GPU Operator makes adds nothing.
    ...(runtime === '' || runtime === 'nvidia' ? [] : [`what the runtime class ${runtime} adds is not read`]),
    ...(usesHost ? ['which ports of nodes are taken is not read'] : []),
  ]
}
