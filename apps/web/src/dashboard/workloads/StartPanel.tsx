import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { tell } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { LongField } from '../../ui/LongField.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'
import { SidePanel } from '../panel/SidePanel.tsx'
import { StartVerdictLine } from './StartVerdict.tsx'

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
