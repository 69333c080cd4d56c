import type { Answer } from '../../../api.ts'
import { labelsOf, labelsText, typedNames } from '../../words/typed-names.ts'

type Rule = Answer<'tenantsGet'>['tenants'][number]

/** A rule as it is typed. */
export type DraftRule = {
  readonly key: number
  readonly name: string
  readonly namespaces: string
  /** `team=vision, tier=gold` */
  readonly labels: string
}

/** The rules as text to edit; keys stay while they move. */
export const draftOf = (rules: readonly Rule[]): readonly DraftRule[] =>
  rules.map(({ name, namespaces, labels }, key) => ({
    key,
    name,
    namespaces: namespaces.join(', '),
    labels: labelsText(labels),
  }))

/** What was typed, as rules; what is not whole yet is refused by the server in words. */
export const rulesOf = (drafts: readonly DraftRule[]): Rule[] =>
  drafts.map(({ name, namespaces, labels }) => ({
    name: name.trim(),
    namespaces: typedNames(namespaces) ?? [],
    labels: labelsOf(labels),
  }))

/** The drafts with one moved by a step up (-1) or down (1). */
export function moved(drafts: readonly DraftRule[], from: number, by: -1 | 1): readonly DraftRule[] {
  const rule = drafts[from]
  const to = from + by
  if (rule === undefined || to < 0 || to >= drafts.length) return drafts
  return drafts.toSpliced(from, 1).toSpliced(to, 0, rule)
}
