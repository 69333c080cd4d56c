import type { Answer } from '../../api.ts'
import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { To } from '../address/To.tsx'

type Status = Answer<'summaryGet'>['status']

type Props = {
  readonly status: Status
  /** What makes the status itself doubtful, in a few words. */
  readonly trouble: string | undefined
}

/**
 * "All Systems Operational" when that is so; else what is wrong, with the list and the way to where it is mended one press
 * away.
 */
export function StatusBadge({ status, trouble }: Props) {
  const kind = trouble !== undefined && status.kind === 'operational' ? 'degraded' : status.kind
  const badge = (
    <>
      <StateDot state={DOT[kind]} />
      <span className={INK[kind]}>
        {status.kind === 'operational' ? (trouble ?? status.headline) : status.headline}
      </span>
    </>
  )
  if (status.problems.length === 0)
    return (
      <p className="flex min-h-8 items-center gap-2 rounded-control border border-line bg-surface px-2.5 text-13">
        {badge}
      </p>
    )
  return (
    <Card
      label="What is wrong"
      trigger={
        <Button className="min-h-8 max-w-full gap-2 whitespace-normal">
          {badge}
          <ChevronDownIcon />
        </Button>
      }
    >
      <h2 className="mb-2.5 font-semibold">Problems, most severe first</h2>
      <ul className="-mr-2 grid max-h-80 gap-3 overflow-y-auto pr-2">
        {status.problems.map((problem) => (
          <li key={`${problem.code} ${problem.object}`}>
            <p>{problem.message}</p>
            <p className="font-mono text-12 break-all text-ink-quiet">
              {problem.object} · {problem.code}
            </p>
            <Mend object={problem.object} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** To the screen where it is looked into or mended. Visitors of the demo have no settings. */
function Mend({ object }: { readonly object: string }) {
  const { demo } = usePlace()
  const { path, words, more } = placeOf(object)
  if (demo && path.startsWith('/settings')) return undefined
  return (
    <To path={path} more={more} look="underlined" className="text-12">
      {words}
    </To>
  )
}

function placeOf(object: string) {
  const [, kind, name] = /^(node|gpu)\/(.+)$/u.exec(object) ?? []
  if (kind === 'node' && name !== undefined) return { path: '/fleet', words: 'Open node', more: { q: name } }
  if (kind === 'gpu' && name !== undefined) return { path: '/fleet', words: 'Open GPU', more: { gpu: name } }
  return { path: '/settings/clusters', words: 'Check the connection', more: {} }
}

const DOT = {
  operational: 'on',
  degraded: 'waiting',
  connecting: 'waiting',
  down: 'fault',
} as const satisfies Record<Status['kind'], string>

const INK = {
  operational: 'text-busy-ink',
  degraded: 'text-idle-ink',
  connecting: 'text-ink-soft',
  down: 'text-fault-ink',
} satisfies Record<Status['kind'], string>
