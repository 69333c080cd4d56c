import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { duration } from '@septet/domain/words'

import { tell } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { LongField } from '../../ui/LongField.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'
import { SidePanel } from '../panel/SidePanel.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Part } from '../panel/Part.tsx'

/** Takes a manifest and says whether it would start, before anybody submits it. */
export function StartPanel({ onClose }: { readonly onClose: () => void }) {
  const { cluster } = useUrlState()
  const [manifest, setManifest] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (text: string) =>
      tell('startsCheck', { manifest: text, ...(cluster === undefined ? {} : { cluster }) }),
  })
  const isEmpty = manifest.trim() === ''
  return (
    <SidePanel lead="Before you submit a job" title="Will it start?" onClose={onClose}>
      <div className="grid gap-2">
        <LongField
          label="Manifest"
          value={manifest}
          change={setManifest}
          rows={10}
          placeholder={'apiVersion: batch/v1\nkind: Job'}
          note={
            <>
              The manifest you would pass to <code className="font-mono">kubectl apply -f</code>. Nothing is submitted
              or stored.
            </>
          }
        />
        <div>
          <Button
            look="strong"
            aria-disabled={isEmpty || isPending}
            onClick={() => {
              if (!isEmpty && !isPending) mutate(manifest)
            }}
          >
            {isPending ? 'Looking …' : 'Will it start?'}
          </Button>
        </div>
      </div>
      {error !== null && <NoticeBox tone="fault">{failureWords(error)}</NoticeBox>}
      {data?.jobs.map((job) => (
        <StartVerdictLine key={`${job.namespace}/${job.kind}/${job.name}`} job={job} />
      ))}
    </SidePanel>
  )
}

type Job = Awaited<ReturnType<typeof tell<'startsCheck'>>>['jobs'][number]

/** What was found of one job: the answer first, then what would change it. */
const StartVerdictLine = ({ job }: { readonly job: Job }) => (
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
