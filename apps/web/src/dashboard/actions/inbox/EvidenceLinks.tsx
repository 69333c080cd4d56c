import { Fragment, type ReactNode } from 'react'

import { usePlace } from '../../../session/place-context.ts'
import { minuteTime } from '../../../ui/time-words.ts'
import type { ActionDetail } from '../../acting/action-words.ts'
import { To } from '../../address/To.tsx'

type Evidence = ActionDetail['transitions'][number]['evidence'][number]

/** What a sentence of the journal can be checked by, each a link to where that is shown. */
export const EvidenceLinks = ({ evidence }: { readonly evidence: readonly Evidence[] }) => (
  <span className="block text-12 text-ink-quiet wrap-anywhere">
    Evidence:{' '}
    {evidence.map((each, index) => (
      <Fragment key={`${each.kind} ${each.id}`}>
        {index > 0 && ', '}
        <EvidenceLink evidence={each} />
      </Fragment>
    ))}
  </span>
)

const LOOK = 'rounded-control text-accent-ink underline underline-offset-2'

function EvidenceLink({ evidence }: { readonly evidence: Evidence }): ReactNode {
  const { demo } = usePlace()
  const { kind, id, says, window } = evidence
  if (kind === 'reading') return `${says} at ${minuteTime(window?.from ?? '')}`
  const here = HERE[kind]
  if (here !== undefined) {
    return (
      <a href={`#${here(id)}`} className={LOOK}>
        {says}
      </a>
    )
  }
  const place = placeOf(evidence)
  // The demo has no settings.
  if (place === undefined || (demo && kind === 'policy')) return says
  return (
    <To path={place.path} more={place.search} look="underlined">
      {says}
    </To>
  )
}

/** What stands on the card itself. */
const HERE: Partial<Record<Evidence['kind'], (id: string) => string>> = {
  plan: () => 'plan',
  step: (id) => `step-${id}`,
  write: (id) => `write-${id}`,
  saving: () => 'saving',
}

type Place = { readonly path: string; readonly search: Readonly<Record<string, string>> }

/** What has a screen of its own. */
function placeOf({ kind, id, window }: Evidence): Place | undefined {
  const range: Place['search'] =
    window === null || window.from === window.to ? {} : { range: `${window.from}/${window.to}` }
  return PLACES[kind]?.(id, range)
}

const PLACES: Partial<Record<Evidence['kind'], (id: string, range: Place['search']) => Place>> = {
  workload: (id, range) => ({ path: '/workloads', search: { workload: id, ...range } }),
  node: (id) => ({ path: '/partitions', search: { node: id } }),
  recommendation: (id) => ({ path: '/actions', search: { recommendation: id } }),
  policy: () => ({ path: '/settings/acting', search: {} }),
}
