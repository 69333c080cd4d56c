import type { Range } from '@septet/contract'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** The ranges in words; the keys are the contract's RANGES, which api.test.ts checks. */
export const RANGE_WORDS = {
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} satisfies Record<Range, string>

const DEFAULT_RANGE: Range = '24h'

export type UrlState = {
  /** Undefined: whichever the server names first. */
  readonly cluster: string | undefined
  readonly range: Range
  /** Each choice is a step in the history, so that back undoes it. */
  readonly choose: (choice: { readonly cluster?: string; readonly range?: Range }) => void
}

/** What the address says is shown. A link to it shows a colleague the same. */
export function useUrlState(): UrlState {
  const [search, setSearch] = useSearchParams()
  const choose = useCallback<UrlState['choose']>(
    (choice) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(choice)) after.set(name, value)
        return after
      }),
    [setSearch],
  )
  const range = search.get('range')
  return {
    cluster: search.get('cluster') ?? undefined,
    range: range !== null && isRange(range) ? range : DEFAULT_RANGE,
    choose,
  }
}

/**
 * One more choice that the address keeps: its text, or undefined, and how to change it. `replace` does not make a step in
 * the history: for what is typed letter by letter.
 */
export function useUrlChoice(
  name: string,
): readonly [string | undefined, (value: string | undefined, how?: { readonly replace: boolean }) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = useCallback(
    (value: string | undefined, how: { readonly replace: boolean } = { replace: false }) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        if (value === undefined || value === '') after.delete(name)
        else after.set(name, value)
        return after
      }, how),
    [name, setSearch],
  )
  return [search.get(name) ?? undefined, choose]
}

export const isRange = (text: string): text is Range => Object.hasOwn(RANGE_WORDS, text)
