import { useQueryClient, type QueryCache } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { NoticeBox } from '../../ui/Notice.tsx'

/**
 * Above every screen, where figures on it do not reach the newest reading or reach into a past that is not read yet: how far
 * they reach, each sentence once.
 */
export function AgeNotice() {
  const cache = useQueryClient().getQueryCache()
  const ages = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => agesIn(cache),
  )
  return ages === '' ? undefined : (
    <div className="mb-4">
      <NoticeBox tone="warning">{ages}</NoticeBox>
    </div>
  )
}

function agesIn(cache: QueryCache): string {
  const asked = cache.findAll({ type: 'active' }).map(({ state }) => state)
  const shown = asked.toSorted((a, b) => a.dataUpdatedAt - b.dataUpdatedAt).map(({ data }) => ageOf(data))
  // Of how much of the past is read the newest answer knows best.
  const newest = new Map(shown.map((age) => [age.replace(/\d+%/u, '%'), age]))
  return [...newest.values()].filter((age) => age !== '').join(' ')
}

const ageOf = (answer: unknown): string =>
  typeof answer === 'object' && answer !== null && 'age' in answer && typeof answer.age === 'string' ? answer.age : ''
