import { type SpreadRule, isGpuResource, isMisspelledGpu } from '@septet/domain'
import { countIn, itemsIn, objectIn, textIn, type Raw } from './raw.ts'

type Labels = Readonly<Record<string, string>>

/** The rules of a pod beside its node affinity: those that are judged, and in words those that are not. */
export type ManifestRules = {
  readonly spread: readonly SpreadRule[]
  readonly unknown: readonly string[]
  /** Which scheduling gates hold the pods back, in sentences; Kueue takes away its own. */
  readonly gates: readonly string[]
}

export function podRules(spec: Raw, labels: Labels): ManifestRules {
  const apart = itemsIn(spec, 'affinity', 'podAntiAffinity', REQUIRED).map((term) => apartRule(term, labels))
  const spread = itemsIn(spec, 'topologySpreadConstraints')
    .filter((each) => textIn(each, 'whenUnsatisfiable') !== 'ScheduleAnyway')
    .map((each) => spreadRule(each, labels))
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

function apartRule(term: unknown, labels: Labels): SpreadRule | string {
  const wide = itemsIn(term, 'namespaces').length > 0 || 'namespaceSelector' in objectIn(term)
  const selected = wide ? undefined : ownSelection(objectIn(term, 'labelSelector'), labels)
  const topologyKey = textIn(term, 'topologyKey')
  return selected === undefined || topologyKey === ''
    ? 'it keeps away from other pods, whose labels are not read'
    : { topologyKey, most: 'apart', labels: selected }
}

function spreadRule(rule: unknown, labels: Labels): SpreadRule | string {
  const selected = ownSelection(objectIn(rule, 'labelSelector'), labels)
  const most = countIn(rule, 'maxSkew')
  const topologyKey = textIn(rule, 'topologyKey')
  const more = ['minDomains', 'nodeAffinityPolicy', 'nodeTaintsPolicy'].some((key) => key in objectIn(rule))
  return selected === undefined || most === undefined || topologyKey === '' || more
    ? 'its topology spread counts pods or nodes by rules that are not judged'
    : { topologyKey, most, labels: selected }
}

/** What a selector selects by, where it selects the pods themselves and by labels alone. */
function ownSelection(selector: Raw, labels: Labels): Labels | undefined {
  if (itemsIn(selector, 'matchExpressions').length > 0) return undefined
  const wanted = Object.entries(objectIn(selector, 'matchLabels'))
  const isOwn = wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value)
  return isOwn ? Object.fromEntries(wanted.map(([key, value]) => [key, String(value)])) : undefined
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
