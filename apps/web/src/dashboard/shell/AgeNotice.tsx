import { useQueryClient, type QueryCache } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { NoticeBox } from '../../ui/Notice.tsx'

/** Above every screen, where figures on it do not reach the newest reading: how old they are, each sentence once. */
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
  const shown = cache.findAll({ type: 'active' }).map(({ state: { data } }) => ageOf(data))
  return [...new Set(shown)].filter((age) => age !== '').join(' ')
}

const ageOf = (answer: unknown): string =>
  typeof answer === 'object' && answer !== null && 'age' in answer && typeof answer.age === 'string' ? answer.age : ''
