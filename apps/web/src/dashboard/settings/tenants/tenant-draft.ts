import type { Answer } from '../../../api.ts'

type Rule = Answer<'tenantsGet'>['tenants'][number]

/** A rule as it is typed, with a key that stays while rules move. */
export type DraftRule = Rule & { readonly key: number }

/** The rules, to be changed. */
export const tenantDraftOf = (rules: readonly Rule[]): readonly DraftRule[] =>
  rules.map((rule, key) => ({ ...rule, key }))

/** What was typed, as rules. */
export const rulesOf = (drafts: readonly DraftRule[]): Rule[] => drafts.map(({ key: _key, ...rule }) => rule)

/** The drafts with one moved by a step up (-1) or down (1). */
export function moved(drafts: readonly DraftRule[], from: number, by: -1 | 1): readonly DraftRule[] {
  const rule = drafts[from]
  const to = from + by
  if (rule === undefined || to < 0 || to >= drafts.length) return drafts
  return drafts.toSpliced(from, 1).toSpliced(to, 0, rule)
}
