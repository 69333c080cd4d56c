import { useQueries } from '@tanstack/react-query'

import type { Answer, Input } from '../../api.ts'
import { answerQuery, useAnswer } from '../client/use-answer.ts'

export const PAGE = 40

type Node = Answer<'partitionsList'>['nodes'][number]

/**
 * Nodes page by page, only those in sight: a fleet of 1,250 nodes is some megabytes. The first page is always there, as
 * it tells how many there are.
 */
export function useNodePages(input: Input, seen: readonly number[]) {
  const first = useAnswer('partitionsList', { ...input, limit: PAGE, offset: 0 })
  const wanted = [...new Set(seen.map((index) => Math.floor(index / PAGE)))].filter((page) => page > 0)
  const others = useQueries({
    queries: wanted.map((page) => answerQuery('partitionsList', { ...input, limit: PAGE, offset: page * PAGE })),
  })
  const pages = new Map<number, readonly Node[]>([[0, first.data?.nodes ?? []]])
  for (const [place, page] of wanted.entries()) {
    const nodes = others[place]?.data?.nodes
    if (nodes !== undefined) pages.set(page, nodes)
  }
  const failed = others.find(({ error, data }) => error !== null && data === undefined)?.error
  return {
    first,
    failed: failed ?? undefined,
    /** Undefined while its page is on the way. */
    nodeAt: (index: number): Node | undefined => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
  }
}
