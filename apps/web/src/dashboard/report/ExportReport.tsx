import { PATHS } from '../../api.ts'
import type { Question } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { DownloadButton } from '../DownloadButton.tsx'
import { useUrlState } from '../url-state.ts'

/** Opens the files that what is shown can be kept as. */
export function ExportReport() {
  const { cluster, range } = useUrlState()
  const addressOf = (question: Question, asked: Readonly<Record<string, string>>): string =>
    `${PATHS[question]}?${new URLSearchParams({ ...(cluster === undefined ? {} : { cluster }), ...asked })}`
  return (
    <Card
      label="Export Report"
      trigger={
        <Button look="strong" className="min-h-8">
          Export Report
        </Button>
      }
    >
      <h2 className="mb-1 font-semibold">Export Report</h2>
      <p className="mb-3 text-12 text-ink-soft">
        The figures of this page with their formulas, windows and sources, as the API tells them.
      </p>
      <div className="grid justify-items-start gap-2">
        <DownloadButton path={addressOf('summaryGet', { range })} file="septet-summary.json" label="Summary (JSON)" />
        <DownloadButton
          path={addressOf('utilizationTrend', { range })}
          file="septet-utilization.json"
          label="Utilization over time (JSON)"
        />
        <DownloadButton path={addressOf('costMonths', {})} file="septet-months.json" label="Cost by month (JSON)" />
        <DownloadButton
          path={addressOf('costBreakdown', { range, by: 'namespace' })}
          file="septet-cost.json"
          label="Cost by namespace (JSON)"
        />
      </div>
      <p className="mt-3 text-12 text-ink-quiet">Each chart has “Copy CSV”.</p>
    </Card>
  )
}
