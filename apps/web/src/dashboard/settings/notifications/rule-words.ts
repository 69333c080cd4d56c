import type { Answer } from '../../../api.ts'

export type Rules = Answer<'alertRulesGet'>['rules']
export type RuleKind = keyof Rules
export type Rule = Rules[RuleKind]

/** What each rule says, with its threshold's unit; an undefined unit is one without a threshold to set. */
export const RULE_WORDS = {
  'idle-held': {
    meaning: 'A workload has held idle GPUs for at least this long.',
    unit: 'hours',
  },
  budget: { meaning: 'Spend reached this share of a budget.', unit: '%' },
  efficiency: {
    meaning: 'Held GPUs were busy less than this over 24 h. Evaluated only where 80% or more was measured.',
    unit: '%',
  },
  'pending-with-free': {
    meaning: 'A workload has waited this long although enough slices are free in total.',
    unit: 'minutes',
  },
  'mig-change-failed': {
    meaning: 'mig-manager could not bring a node to its configuration.',
    unit: undefined,
  },
  xid: {
    meaning: 'A GPU reports an XID that means the GPU itself is unreliable.',
    unit: undefined,
  },
  'telemetry-missing': {
    meaning: 'A cluster, node or exporter stopped reporting metrics.',
    unit: undefined,
  },
  'spend-change': {
    meaning: 'A namespace cost this much more in 24 h than its 7-day daily mean.',
    unit: '%',
  },
  'mixed-namespaces': {
    meaning: 'Pods of several namespaces share a node that Septet shares for one.',
    unit: undefined,
  },
} as const satisfies Record<RuleKind, { readonly meaning: string; readonly unit: string | undefined }>

export const RULE_KINDS = Object.keys(RULE_WORDS).filter(isKind)
function isKind(name: string): name is RuleKind {
  return Object.hasOwn(RULE_WORDS, name)
}

/** All rules at once with that channel among those that each tells. */
export const toldTo = (rules: Rules, channel: string): Rules => ({
  ...rules,
  ...Object.fromEntries(
    RULE_KINDS.map((kind) => {
      const { channels, ...rule } = rules[kind]
      return [kind, { ...rule, channels: [...new Set([...channels, channel])] }]
    }),
  ),
})
