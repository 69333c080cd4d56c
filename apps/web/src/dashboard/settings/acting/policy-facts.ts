import { dollars, duration, listed, plural } from '@septet/domain/words'

import { dayTime } from '../../../ui/time-words.ts'
import { CLASS_WORDS } from '../../acting/action-words.ts'
import { labelsText } from '../label-text.ts'
import { modeOf, type ActionClass, type ActPolicy, type Limits, type MaintenanceWindow } from './act-policy.ts'
import { BY_HAND, CARRIED_OUT, MODE_NAMES } from './class-words.ts'

/** One thing that a policy says. */
type Fact = { readonly name: string; readonly says: string }
export type Change = { readonly name: string; readonly before: string; readonly after: string }

/** What another policy says otherwise, each with before and after. */
export function changesOf(before: ActPolicy, after: ActPolicy): readonly Change[] {
  const was = new Map(factsOf(before).map(({ name, says }) => [name, says]))
  return factsOf(after)
    .map(({ name, says }) => ({ name, before: was.get(name) ?? '', after: says }))
    .filter((change) => change.before !== change.after)
}

const factsOf = (policy: ActPolicy): readonly Fact[] => [
  ...[...CARRIED_OUT, ...BY_HAND].map((kind) => ({ name: CLASS_WORDS[kind], says: MODE_NAMES[modeOf(policy, kind)] })),
  ...limitFacts('Per action', policy.limits.run),
  ...limitFacts('Per hour', policy.limits.hour),
  ...limitFacts('Per day', policy.limits.day),
  ...limitFacts('On auto, per hour', policy.auto.budget.hour),
  ...limitFacts('On auto, per day', policy.auto.budget.day),
  { name: 'Kept in a row before more nodes', says: String(policy.auto.keptToAdvance) },
  ...CARRIED_OUT.map((kind) => ({
    name: `${CLASS_WORDS[kind]} resumes after a setback`,
    says: resumedWords(policy, kind),
  })),
  { name: 'Minimum saving', says: `$${policy.minimum.usdPerMonth}/mo` },
  { name: 'Minimum saving, unpriced GPUs', says: `${policy.minimum.gpuHoursPerMonth} GPU-h/mo` },
  { name: 'Minimum confidence', says: `${percentOf(policy.minimum.confidence)}%` },
  { name: 'Maintenance windows', says: windowsWords(policy.windows) },
  { name: 'Protected namespaces', says: policy.protectedNamespaces.join(', ') || 'none' },
  { name: 'Protected labels', says: labelsText(policy.protectedLabels) || 'none' },
  { name: 'Cool-down', says: spanWords(policy.coolDown) },
  { name: 'Approval expires', says: `after ${spanWords(policy.approvalHolds)}` },
  { name: 'Warning', says: spanWords(policy.warning) },
  { name: 'Watch', says: spanWords(policy.watch) },
]

/** To the second, so that no change of it goes unsaid. */
export const spanWords = (seconds: number): string =>
  seconds % 60 === 0 && seconds > 0 ? duration(seconds) : `${seconds} s`

/** A share in percent, without the noise of binary fractions. */
export const percentOf = (share: number): number => Math.round(share * 1000) / 10

/** The four things that a limit counts, each with its unit. */
export const LIMIT_NAMES = {
  pods: 'Pods',
  nodes: 'Nodes',
  gpus: 'GPUs',
  usdPerHour: '$ per hour',
} as const satisfies Record<keyof Limits, string>
export const LIMIT_KEYS = ['pods', 'nodes', 'gpus', 'usdPerHour'] as const

const limitFacts = (scope: string, limits: Limits): readonly Fact[] =>
  LIMIT_KEYS.map((key) => ({
    name: `${scope}: ${key === 'usdPerHour' || key === 'gpus' ? LIMIT_NAMES[key] : LIMIT_NAMES[key].toLowerCase()}`,
    says: limits[key] === null ? 'no limit' : String(limits[key]),
  }))

/** "20 pods, 4 nodes, 16 GPUs and $150 an hour"; what has no limit is left out. */
export function limitsWords({ pods, nodes, gpus, usdPerHour }: Limits): string {
  const words = [
    ...(pods === null ? [] : [plural(pods, 'pod')]),
    ...(nodes === null ? [] : [plural(nodes, 'node')]),
    ...(gpus === null ? [] : [plural(gpus, 'GPU')]),
    ...(usdPerHour === null ? [] : [`${dollars(usdPerHour)} an hour`]),
  ]
  return words.length === 0 ? 'no limit' : listed(words)
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** "Saturday 22:00 to 02:00 the next day (Europe/Berlin)", each window after the other. */
export const windowsWords = (windows: readonly MaintenanceWindow[]): string =>
  windows.length === 0 ? 'at any time' : windows.map(windowWords).join('; ')

const windowWords = ({ weekday, from, to, zone }: MaintenanceWindow): string =>
  `${WEEKDAYS[weekday] ?? weekday} ${clock(from)} to ${clock(to)}${to > from ? '' : ' the next day'} (${zone})`

/** Minutes after midnight as `22:00`; the end of a day as the clock shows it, `00:00`. */
export const clock = (minutes: number): string =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

function resumedWords({ auto }: ActPolicy, kind: ActionClass): string {
  const at = auto.resumedAt[kind]
  return at === undefined ? 'not set' : `after ${dayTime(at)}`
}
