import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { ask } from '../../api.ts'
import type { Answer } from '../../api.ts'

/** A pause in typing that is long enough to ask. */
const PAUSE_MS = 120

/** What of the cluster is called as was typed; the answer before it stays until it comes. */
export function useFound(cluster: string | undefined, typed: string): Answer<'searchFind'>['found'] {
  const query = useSettled(typed.trim(), PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['searchFind', { cluster, query }],
    queryFn: ({ signal }) => ask('searchFind', { cluster, query }, signal),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
  return query === '' ? [] : (data?.found ?? [])
}

/** The newest text that has stood for a while. */
function useSettled(text: string, milliseconds: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return settled
}
