import { Field } from '../../../ui/Field.tsx'
import { Segmented } from '../../form/Segmented.tsx'
import type { MetricsDraft, Secret } from './connection-draft.ts'
import { MoreMetrics } from './MoreMetrics.tsx'
import { secretProps, type TextProps } from './secret-props.tsx'

const SOURCES = [
  { value: 'prometheus', label: 'Prometheus' },
  { value: 'exporters', label: 'dcgm-exporter directly' },
  { value: 'none', label: 'None' },
] as const

type Props = {
  readonly draft: MetricsDraft
  readonly change: (change: Partial<MetricsDraft>) => void
  /** What is stored already, and stays while nothing is typed. */
  readonly kept?: readonly Secret[]
}

/** Where the DCGM metrics of a cluster are. */
export function MetricsFields({ draft, change, kept = [] }: Props) {
  const text: TextProps = (name) => ({
    value: draft[name],
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
      {draft.metrics === 'prometheus' && <PrometheusFields draft={draft} change={change} kept={kept} text={text} />}
      {draft.metrics === 'exporters' && (
        <Field
          label="Metrics addresses"
          placeholder="http://10.0.0.5:9400/metrics"
          note="Separated by commas or spaces. Scraped directly; past usage is not available from these."
          {...text('exporterTargets')}
        />
      )}
      {draft.metrics === 'none' && (
        <p className="text-13 text-ink-soft">
          Allocation, placement and cost work without metrics. Utilization, idle time and right-sizing do not.
        </p>
      )}
    </div>
  )
}

type PrometheusProps = Required<Props> & { readonly text: TextProps }

const PrometheusFields = (props: PrometheusProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <div className="sm:col-span-2">
      <Field
        label="Address"
        inputMode="url"
        placeholder="https://prometheus.example.com"
        note="Prometheus, Thanos, Mimir or VictoriaMetrics, with the path prefix where there is one."
        {...props.text('prometheusUrl')}
      />
    </div>
    <Field
      label="Bearer token"
      type="password"
      {...secretProps(props, 'prometheusToken', 'Stored encrypted. Optional.')}
      {...props.text('prometheusToken')}
    />
    <Field label="Tenant" note="X-Scope-OrgID (Mimir, Cortex). Optional." {...props.text('prometheusTenant')} />
    <div className="sm:col-span-2">
      <Field
        label="Label matchers"
        placeholder={'cluster="prod"'}
        note="If several clusters share this engine: what the series of this cluster have in common, as in PromQL."
        {...props.text('prometheusMatchers')}
      />
    </div>
    <MoreMetrics {...props} />
  </div>
)
