import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { tell } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'
import { SidePanel } from '../panel/SidePanel.tsx'
import { StartVerdict } from './StartVerdict.tsx'

/** Takes a manifest and says whether it would start, before anybody submits it. */
export function StartPanel({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
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
        <label htmlFor={id} className="text-13 font-medium">
          Manifest
        </label>
        <textarea
          id={id}
          value={manifest}
          onChange={(event) => setManifest(event.target.value)}
          rows={10}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          aria-describedby={`${id}-note`}
          placeholder="apiVersion: batch/v1&#10;kind: Job"
          className="w-full resize-y rounded-control border border-(--free) bg-surface px-3 py-2 font-mono text-16 hover:border-ink-quiet sm:text-12"
        />
        <p id={`${id}-note`} className="text-12 text-ink-soft">
          What you would give to <code className="font-mono">kubectl apply -f</code>. Nothing is submitted or kept.
        </p>
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
      {error !== null && <Notice tone="fault">{failureWords(error)}</Notice>}
      {data?.jobs.map((job) => (
        <StartVerdict key={`${job.namespace}/${job.kind}/${job.name}`} job={job} />
      ))}
    </SidePanel>
  )
}
