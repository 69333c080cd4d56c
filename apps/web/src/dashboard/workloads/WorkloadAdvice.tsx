import { dollars } from '@septet/domain/words'
import { Link, useLocation } from 'react-router'

import { Part } from '../panel/Part.tsx'
import type { WorkloadAnswer } from './use-workloads.ts'

/** What was found about it, and what is recommended. */
export function WorkloadAdvice({ data: { findings, recommendations } }: { readonly data: WorkloadAnswer }) {
  const { search } = useLocation()
  if (findings.length === 0 && recommendations.length === 0) return undefined
  const linked = (id: string): string => {
    const query = new URLSearchParams({ recommendation: id })
    const cluster = new URLSearchParams(search).get('cluster')
    if (cluster !== null) query.set('cluster', cluster)
    return String(query)
  }
  return (
    <Part title="Findings and recommendations">
      <ul className="grid gap-2.5 text-13">
        {recommendations.map(({ id, title, message }) => (
          <li key={id}>
            <Link
              to={{ pathname: '/actions', search: linked(id) }}
              className="font-medium wrap-anywhere text-accent-ink underline-offset-2 hover:underline"
            >
              <bdi>{title}</bdi>
            </Link>
            <bdi className="block text-12 wrap-anywhere text-ink-soft">{message}</bdi>
          </li>
        ))}
        {findings.map(({ id, message, costPerMonth }) => (
          <li key={id} className="text-12 text-ink-soft">
            <bdi className="wrap-anywhere">{message}</bdi>
            {costPerMonth !== null && (
              <span className="block text-ink-quiet">
                At this rate <span className="font-mono">{dollars(costPerMonth)}/mo</span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}
