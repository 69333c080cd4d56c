import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

type Card = { readonly kind: 'action' | 'recommendation'; readonly id: string }

/** Which card is open beside the screen: one at a time, kept by the address. */
export function useCard(): readonly [Card | undefined, (card: Card | undefined) => void] {
  const [search, setSearch] = useSearchParams()
  const open = useCallback(
    (card: Card | undefined) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        for (const kind of KINDS) after.delete(kind)
        if (card !== undefined) after.set(card.kind, card.id)
        return after
      }),
    [setSearch],
  )
  const cards = KINDS.flatMap((kind) => {
    const id = search.get(kind)
    return id === null ? [] : [{ kind, id }]
  })
  return [cards[0], open]
}

const KINDS = ['action', 'recommendation'] as const
