import type { ReportFile } from '@septet/contract'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { Link } from 'react-router'

import { REPORT_FILES_PATH } from '@septet/contract/routes'
import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { CloseIcon } from '../../ui/dashboard-icons.tsx'
import { useFocusBack } from '../../ui/use-focus-back.ts'
import { DownloadButton } from '../panel/DownloadButton.tsx'
import { rangePhrase } from '../address/range-choice.ts'
import { chosenCluster } from '../client/sources.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { REPORT_FILE_NAMES, REPORT_FILE_WORDS } from './report-files.ts'

/** Of what a report is, and as which files it can be kept. */
export function ReportDialog({ close }: { readonly close: () => void }) {
  const { cluster, over, range, zone } = useUrlState()
  const [namespaces, setNamespaces] = useState('')
  useFocusBack()
  const chosen = chosenCluster(useAnswer('clustersList', {}).data?.clusters, cluster)
  const addressOf = (file: ReportFile): string => {
    const query = new URLSearchParams({ range })
    if (cluster !== undefined) query.set('cluster', cluster)
    if (namespaces.trim() !== '') query.set('namespaces', namespaces)
    return `${REPORT_FILES_PATH}/${file}?${query}`
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-[oklch(0%_0_0/35%)]" />
        <Dialog.Content className="floats fixed inset-x-3 top-[6vh] z-50 mx-auto flex max-h-[88vh] max-w-2xl flex-col rounded-card border border-line bg-raised outline-none">
          <Head of={`${chosen?.name ?? 'The first cluster'}, ${rangePhrase(over, zone)}`} />
          <div className="min-h-0 overflow-y-auto px-5 pb-5">
            {chosen?.kind !== 'sample' && (
              <div className="mb-4 max-w-md">
                <Field
                  label="Only these namespaces"
                  value={namespaces}
                  onChange={(event) => setNamespaces(event.target.value)}
                  verbatim
                  note="Separated by commas. Leave empty for all you can see."
                />
              </div>
            )}
            <ul className="divide-y divide-line border-t border-line">
              {REPORT_FILE_NAMES.map((file) => (
                <FileRow key={file} file={file} path={addressOf(file)} />
              ))}
            </ul>
            <Mailed close={close} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const Head = ({ of }: { readonly of: string }) => (
  <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
    <div>
      <Dialog.Title className="text-16 font-semibold tracking-tight">Export Report</Dialog.Title>
      <Dialog.Description className="mt-0.5 text-13 text-ink-soft">
        {of}. The same figures as on the screens; another source or range is chosen at the top of the page.
      </Dialog.Description>
    </div>
    <Dialog.Close asChild>
      <Button look="quiet" aria-label="Close" className="size-8 shrink-0 px-0">
        <CloseIcon />
      </Button>
    </Dialog.Close>
  </header>
)

type RowProps = { readonly file: ReportFile; readonly path: string }

const FileRow = ({ file, path }: RowProps) => {
  const { name, kind, holds } = REPORT_FILE_WORDS[file]
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="min-w-0">
        <p className="text-13 font-medium">
          {name} <span className="ml-1 font-mono text-12 font-normal text-ink-quiet">{kind}</span>
        </p>
        <p className="text-12 text-ink-soft">{holds}</p>
      </div>
      <DownloadButton path={path} label="Download" name={`Download ${name} as ${kind}`} />
    </li>
  )
}

function Mailed({ close }: { readonly close: () => void }) {
  if (usePlace().demo) return undefined
  return (
    <p className="border-t border-line pt-3 text-12 text-ink-soft">
      Get reports by email every day, week or month:{' '}
      <Link to="/settings/reports" onClick={close} className="text-accent-ink underline underline-offset-4">
        Scheduled reports
      </Link>
      . From a terminal: <code className="font-mono wrap-anywhere">septet report --server URL --file pdf</code>.
    </p>
  )
}
