import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { StateDot } from '../../ui/StateDot.tsx'

type Status = Answer<'summaryGet'>['status']

/** "All Systems Operational" when that is so; else what is wrong, with the list one press away. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const badge = (
    <>
      <StateDot state={DOT[status.kind]} />
      <span className={INK[status.kind]}>{status.headline}</span>
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
      <h2 className="mb-2.5 font-semibold">
        {status.problems.length === 1 ? 'One problem' : `${status.problems.length} problems`}
      </h2>
      <ul className="-mr-2 grid max-h-80 gap-3 overflow-y-auto pr-2">
        {status.problems.map((problem) => (
          <li key={`${problem.code} ${problem.object}`}>
            <p>{problem.message}</p>
            <p className="font-mono text-12 break-all text-ink-quiet">
              {problem.object} · {problem.code}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
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
