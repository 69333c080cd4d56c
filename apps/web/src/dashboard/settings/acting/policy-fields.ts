import { modeOf } from '@septet/domain'
import { ACTION_CLASSES, CLASSES } from '@septet/domain/action-classes'
import { dollars, listed, plural } from '@septet/domain/words'
import { LIMITS } from 'virtual:limits/actPoliciesPut'

import { dayTime } from '../../../ui/time-words.ts'
import { differences, saidBy, type Change } from '../../form/changes.ts'
import { limitsAt } from '../../form/limits.ts'
import type { FieldOf } from '../../form/SchemaFields.tsx'
import { type ShownPolicy, type Limits, type MaintenanceWindow } from './act-policy.ts'
import { CARRIED_OUT, MODE_NAMES } from './class-words.ts'

/** What the contract demands of a policy. */
export const POLICY_LIMITS = limitsAt(LIMITS, 'policy')

type Field = FieldOf<ShownPolicy>
/** The four things that a limit counts, each with its unit. */
export const LIMIT_NAMES = { pods: 'Pods', nodes: 'Nodes', gpus: 'GPUs', usdPerHour: '$ per hour' } as const
const LIMIT_KEYS = ['pods', 'nodes', 'gpus', 'usdPerHour'] as const

type Scope = 'limits.run' | 'limits.hour' | 'limits.day' | 'auto.budget.hour' | 'auto.budget.day'
/** The most that may be touched of each of the four things; an empty field is not a limit. */
const scope = (at: Scope, name: string) => ({
  name,
  fields: LIMIT_KEYS.map((key): Field & { readonly key: typeof key } => ({
    key,
    at: `${at}.${key}`,
    label: `${name}: ${key === 'usdPerHour' || key === 'gpus' ? LIMIT_NAMES[key] : LIMIT_NAMES[key].toLowerCase()}`,
    bare: true,
  })),
})

export const LIMIT_SCOPES = [
  scope('limits.run', 'Per action'),
  scope('limits.hour', 'Per hour'),
  scope('limits.day', 'Per day'),
]
export const AUTO_SCOPES = [
  scope('auto.budget.hour', 'On auto, per hour'),
  scope('auto.budget.day', 'On auto, per day'),
]

export const AUTO_FIELDS: readonly Field[] = [
  { at: 'auto.keptToAdvance', label: 'Successes in a row before widening', unit: 'actions' },
]

export const WORTH_FIELDS: readonly Field[] = [
  { at: 'minimum.usdPerMonth', label: 'Minimum saving', unit: '$/mo' },
  {
    at: 'minimum.gpuHoursPerMonth',
    label: 'Minimum saving, unpriced GPUs',
    unit: 'GPU-h/mo',
    note: 'Applies where GPUs have no price.',
  },
  { at: 'minimum.confidence', label: 'Minimum confidence', unit: '%', scale: 0.01 },
]

export const PROTECTED_FIELDS: readonly Field[] = [
  {
    at: 'protectedNamespaces',
    label: 'Protected namespaces',
    note: 'Separated by commas. team-* matches every name that starts with team-.',
  },
  {
    at: 'protectedLabels',
    label: 'Protected labels',
    note: 'Separated by commas. tier=gold protects that value, tier=* any value.',
    input: { placeholder: 'tier=gold' },
  },
]

export const TIME_FIELDS: readonly Field[] = [
  {
    at: 'approvalHolds',
    label: 'Approval expires after',
    note: 'An approved action that has not started by then expires.',
    scale: 'time',
  },
  {
    at: 'warning',
    label: 'Warning',
    note: 'How long owners of idle workloads are warned before Septet stops them.',
    scale: 'time',
  },
  {
    at: 'watch',
    label: 'Watch',
    note: 'How long a change is watched before it is kept. If anything gets worse, Septet undoes it.',
    scale: 'time',
  },
  {
    at: 'coolDown',
    label: 'Cool-down',
    note: 'How long Septet leaves a workload or node alone after changing it.',
    scale: 'time',
  },
]

/** What another policy says otherwise, each with before and after. */
export const changesOf = (before: ShownPolicy, after: ShownPolicy): readonly Change[] =>
  differences(factsOf(before), factsOf(after))

function factsOf(policy: ShownPolicy) {
  const said = (fields: readonly Field[]) => saidBy(POLICY_LIMITS, fields, policy)
  return [
    ...ACTION_CLASSES.map((kind) => ({
      name: CLASSES[kind].title,
      says: MODE_NAMES[modeOf(policy, kind)],
    })),
    ...CARRIED_OUT.map((kind) => ({
      name: `${CLASSES[kind].title} needs approval by`,
      says: policy.twoPeople.includes(kind) ? 'two people' : 'one person',
    })),
    ...said([...LIMIT_SCOPES, ...AUTO_SCOPES].flatMap(({ fields }) => fields)),
    ...said(AUTO_FIELDS),
    ...CARRIED_OUT.map((kind) => {
      const at = policy.auto.resumedAt[kind]
      return {
        name: `${CLASSES[kind].title} resumes after a setback`,
        says: at === undefined ? 'not set' : `after ${dayTime(at)}`,
      }
    }),
    ...said(WORTH_FIELDS),
    { name: 'Maintenance windows', says: windowsWords(policy.windows) },
    ...said([...PROTECTED_FIELDS, ...TIME_FIELDS]),
  ]
}

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
