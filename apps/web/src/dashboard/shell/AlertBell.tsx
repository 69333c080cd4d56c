import { Link, useSearchParams } from 'react-router'

import { BellIcon } from '../../ui/dashboard-icons.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'

/** How many alerts fire, quietly, and the way to them. */
export function AlertBell() {
  const { cluster } = useUrlState()
  const [search] = useSearchParams()
  const { data } = useAnswer('alertsList', { cluster, limit: 1, days: 1 })
  const total = data?.total
  const kept = search.get('cluster')
  return (
    <Link
      to={{ pathname: '/alerts', search: kept === null ? '' : `cluster=${encodeURIComponent(kept)}` }}
      aria-label={total === undefined ? 'Alerts' : `Alerts: ${total} firing`}
      className="inline-flex min-h-7 min-w-12 items-center justify-center gap-1.5 rounded-control px-2 text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <BellIcon />
      <span className="min-w-4 font-mono text-12 tabular-nums">{countWords(total)}</span>
    </Link>
  )
}

const MOST = 999
/** Nothing where nothing is known, and where nothing fires. */
const countWords = (total: number | undefined): string => {
  if (total === undefined || total === 0) return ''
  return total > MOST ? `${MOST}+` : String(total)
}
