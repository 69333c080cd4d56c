import { plural } from '@septet/domain/words'
import { dayTime } from '../../ui/time-words.ts'
import { Part } from '../panel/Part.tsx'
import type { WorkloadAnswer } from './use-workloads.ts'

/** From the topmost owner down to its pods, and the labels that all of these carry. */
export function OwnerChainPart({ data: { owners, podCount, labels, workload } }: { readonly data: WorkloadAnswer }) {
  const chain = owners.toReversed()
  const names = Object.keys(labels)
  if (workload.status === 'ended' && chain.length === 0) return undefined
  return (
    <Part title="Owners and labels">
      <ol className="grid gap-1 text-13">
        {chain.map(({ kind, name, createdAt, byRule }, depth) => (
          <li
            key={`${kind} ${name}`}
            className="flex items-baseline gap-2"
            style={{ paddingInlineStart: `${depth}rem` }}
          >
            <span className="shrink-0 text-ink-quiet">{kind}</span>
            <span className="min-w-0">
              <bdi className="font-mono text-12 wrap-anywhere">{name}</bdi>
              <span className="block text-12 text-ink-quiet">
                {byRule
                  ? 'inferred from its naming rule: the object itself could not be read'
                  : createdAt !== null && `made ${dayTime(createdAt)}`}
              </span>
            </span>
          </li>
        ))}
        <li className="text-ink-soft" style={{ paddingInlineStart: `${chain.length}rem` }}>
          {podWords(podCount, chain.length)}
        </li>
      </ol>
      {names.length > 0 && (
        <dl className="grid gap-0.5 text-12">
          {names.toSorted().map((name) => (
            <div key={name} className="font-mono wrap-anywhere">
              <dt className="inline text-ink-quiet">
                <bdi>{name}</bdi>
              </dt>
              <dd className="inline">
                <span aria-hidden>=</span>
                <bdi>{labels[name]}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  )
}

function podWords(pods: number, owners: number): string {
  if (pods === 0) return 'no pods yet'
  if (owners === 0) return 'a pod without an owner: no controller recreates it'
  return plural(pods, 'pod')
}
