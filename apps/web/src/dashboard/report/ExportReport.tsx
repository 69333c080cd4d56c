import { lazy, Suspense } from 'react'

import { Button } from '../../ui/Button.tsx'
import { useUrlChoice } from '../address/url-state.ts'

const ReportDialog = lazy(async () => ({ default: (await import('./ReportDialog.tsx')).ReportDialog }))

/** Opens the files that a report of what is shown can be kept as. */
export function ExportReport() {
  const [open, setOpen] = useUrlChoice('report')
  return (
    <>
      <Button look="strong" aria-haspopup="dialog" className="min-h-8" onClick={() => setOpen('open')}>
        Export Report
      </Button>
      {open !== undefined && (
        <Suspense>
          <ReportDialog close={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
