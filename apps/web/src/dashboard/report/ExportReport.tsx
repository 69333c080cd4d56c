import { lazy, Suspense, useState } from 'react'

import { Button } from '../../ui/Button.tsx'

const ReportDialog = lazy(async () => ({ default: (await import('./ReportDialog.tsx')).ReportDialog }))

/** Opens the files that a report of what is shown can be kept as. */
export function ExportReport() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="strong" aria-haspopup="dialog" className="min-h-8" onClick={() => setOpen(true)}>
        Export Report
      </Button>
      {open && (
        <Suspense>
          <ReportDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
