import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { ask, type Answer } from '../../api.ts'
import { holdsEveryWord } from './commands.ts'

type Found = Answer<'searchFind'>['found'][number]

/** A pause in typing that is long enough to ask. */
const PAUSE_MS = 120

type Search = {
  readonly found: readonly Found[]
  /** Whether this is all that there is for what was typed. */
  readonly isComplete: boolean
}

/** What of the cluster is called as was typed; of the answer before it, what still fits stays until it comes. */
export function useFound(cluster: string | undefined, typed: string): Search {
  const query = useSettled(typed.trim(), PAUSE_MS)
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: ['searchFind', { cluster, query }],
    queryFn: ({ signal }) => ask('searchFind', { cluster, query }, signal),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
  const found = query === '' ? [] : (data?.found ?? [])
  const isOld = isPlaceholderData || query !== typed.trim()
  return { found: isOld ? found.filter((one) => fits(one, typed)) : found, isComplete: !isOld && !isPending }
}

const fits = ({ name, id, detail }: Found, typed: string): boolean => holdsEveryWord(`${name}\n${id}\n${detail}`, typed)

/** The newest text that has stood for a while. */
function useSettled(text: string, milliseconds: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return settled
}
