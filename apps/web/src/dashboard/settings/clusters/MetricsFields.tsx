import { Field } from '../../../ui/Field.tsx'
import { Segmented } from '../../form/Segmented.tsx'
import type { ConnectionDraft } from './connection-draft.ts'

const SOURCES = [
  { value: 'prometheus', label: 'Prometheus' },
  { value: 'exporters', label: 'dcgm-exporter directly' },
  { value: 'none', label: 'None' },
] as const

type Props = {
  readonly draft: ConnectionDraft
  readonly change: (change: Partial<ConnectionDraft>) => void
}

/** Where the DCGM metrics of a cluster are. */
export function MetricsFields({ draft, change }: Props) {
  const text = (name: keyof ConnectionDraft) => ({
    value: draft[name] ?? '',
    onChange: (event: { readonly target: { readonly value: string } }) => change({ [name]: event.target.value }),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  })
  return (
    <div className="grid gap-4">
      <div className="justify-self-start">
        <Segmented
          label="Source of metrics"
          options={SOURCES}
          value={draft.metrics}
          onChange={(metrics) => change({ metrics })}
        />
      </div>
      {draft.metrics === 'prometheus' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <Field
              label="Address"
              inputMode="url"
              placeholder="https://prometheus.example.com"
              note="Prometheus, Thanos, Mimir or VictoriaMetrics, with the path prefix where there is one."
              {...text('prometheusUrl')}
            />
          </div>
          <Field label="Bearer token" type="password" note="Kept sealed. Empty: none." {...text('prometheusToken')} />
          <Field
            label="Tenant"
            note="Value of X-Scope-OrgID (Mimir, Cortex). Empty: none."
            {...text('prometheusTenant')}
          />
        </div>
      )}
      {draft.metrics === 'exporters' && (
        <Field
          label="Metrics addresses"
          placeholder="http://10.0.0.5:9400/metrics"
          note="Separated by commas or spaces. They are scraped at every turn; past usage cannot be read from them."
          {...text('exporterTargets')}
        />
      )}
      {draft.metrics === 'none' && (
        <p className="text-13 text-ink-soft">
          Allocation, placements and cost work without metrics. Utilization, idle time and right sizes are not measured.
        </p>
      )}
      <div className="max-w-sm">
        <Field
          label="Namespace of the GPU Operator"
          note="OpenShift: nvidia-gpu-operator."
          {...text('operatorNamespace')}
        />
      </div>
    </div>
  )
}
