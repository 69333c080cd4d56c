import { duration } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { tell } from '../../api.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { Part } from '../panel/Part.tsx'

type Job = Awaited<ReturnType<typeof tell<'startsCheck'>>>['jobs'][number]

/** What was found of one job: the answer first, then what would change it. */
export const StartVerdictLine = ({ job }: { readonly job: Job }) => (
  <section aria-label={`${job.kind} ${job.name}`} className="grid gap-4">
    <NoticeBox tone={TONE[job.verdict]}>{job.sentence}</NoticeBox>
    <Lines title="Where it would run" lines={job.places.map(placeWords)} />
    <Lines title="Why not now" lines={job.because} />
    <Lines title="Unknown" lines={job.unknown} />
    <Lines title="What would free capacity" lines={job.ways.map(({ sentence }) => sentence)} />
    {job.changes.length > 0 && (
      <Part title="Or change the job: any one of these is enough">
        <ul className="grid gap-2 text-13">
          {job.changes.map((change) => (
            <li key={change.sentence} className="flex items-start justify-between gap-3">
              <span className="min-w-0 wrap-anywhere">{change.sentence}</span>
              <CopyButton label="Copy patch" text={() => JSON.stringify(change.patch, undefined, 2)} />
            </li>
          ))}
        </ul>
      </Part>
    )}
    <When job={job} />
  </section>
)

const TONE = { now: 'quiet', 'not-now': 'warning', unknown: 'warning' } as const

const placeWords = ({ node, pods, part, devices }: Job['places'][number]): string => {
  const names = devices.map(({ index, profile }) => (profile === null ? `GPU ${index}` : `${profile} on GPU ${index}`))
  return `${node}: ${pods === 1 ? '1 pod' : `${pods} pods`}${part === '' ? '' : ` of ${part}`}${names.length === 0 ? '' : ` (${names.join(', ')})`}`
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null
  return (
    <Part title={title}>
      <ul className="grid gap-1 text-13">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function When({ job: { wait, noWait } }: { readonly job: Job }): ReactNode {
  if (wait === null && noWait === null) return null
  return (
    <Part title="Expected wait without changes">
      <p className="text-13 wrap-anywhere">
        {wait === null
          ? noWait
          : `In ${duration(wait.low)} to ${duration(wait.high)} (80% of waits), median ${duration(wait.middle)}, from ${wait.waits} past waits for ${wait.like}.`}
      </p>
    </Part>
  )
}
