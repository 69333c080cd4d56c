import { useState, type ReactNode } from 'react'

import { Field } from '../../../ui/Field.tsx'
import { LongField } from '../../../ui/LongField.tsx'
import type { Secret } from './connection-draft.ts'
import { secretProps, type SecretNeeds, type TextProps } from './secret-props.tsx'

type Props = SecretNeeds & { readonly text: TextProps }

/** What few engines ask for; each part is open where something of it is set. */
export const MoreMetrics = (props: Props) => (
  <>
    <Password {...props} />
    <Amazon {...props} />
    <Headers {...props} />
    <Certificates {...props} />
    <Limits {...props} />
  </>
)

const Password = (props: Props) => (
  <Fold title="User name and password" open={props.draft.prometheusUser !== ''}>
    <Field label="User name" note="Basic authentication." {...props.text('prometheusUser')} />
    <Field
      label="Password"
      type="password"
      {...secretProps(props, 'prometheusPassword', 'Stored encrypted.')}
      {...props.text('prometheusPassword')}
    />
  </Fold>
)

const Amazon = (props: Props) => (
  <Fold title="Amazon Managed Service for Prometheus" open={props.draft.prometheusAwsRegion !== ''}>
    <Field
      label="Region"
      placeholder="eu-west-1"
      note="Requests are signed (SigV4)."
      {...props.text('prometheusAwsRegion')}
    />
    <Field label="Access key ID" note="Of a user with aps:QueryMetrics." {...props.text('prometheusAwsKeyId')} />
    <Field
      label="Secret access key"
      type="password"
      {...secretProps(props, 'prometheusAwsSecret', 'Stored encrypted.')}
      {...props.text('prometheusAwsSecret')}
    />
  </Fold>
)

const Headers = (props: Props) => (
  <Fold title="Headers" open={props.kept.includes('prometheusHeaders')}>
    <Pasted
      {...props}
      name="prometheusHeaders"
      label="Headers"
      placeholder="X-Team: gpu"
      note="One a line, sent with every request. Stored encrypted."
    />
  </Fold>
)

const CERTIFICATE = '-----BEGIN CERTIFICATE-----'

const Certificates = (props: Props) => (
  <Fold title="Certificates" open={props.kept.includes('prometheusCa') || props.kept.includes('prometheusCert')}>
    <Pasted
      {...props}
      name="prometheusCa"
      label="CA certificate"
      placeholder={CERTIFICATE}
      note="PEM. Trusted in addition to well-known authorities."
    />
    <Pasted
      {...props}
      name="prometheusCert"
      label="Client certificate"
      placeholder={CERTIFICATE}
      note="PEM. Shown to an engine that asks for one (mTLS)."
    />
    <Pasted
      {...props}
      name="prometheusKey"
      label="Private key"
      placeholder="-----BEGIN PRIVATE KEY-----"
      note="PEM, without a passphrase. Stored encrypted."
    />
  </Fold>
)

const Limits = ({ draft, text }: Props) => (
  <Fold title="Query limits" open={draft.prometheusQueries !== '' || draft.prometheusQuerySeconds !== ''}>
    <Field
      label="Queries at the same time"
      inputMode="numeric"
      note="1 to 100. Leave empty for no limit."
      {...text('prometheusQueries')}
    />
    <Field
      label="Seconds a minute"
      inputMode="numeric"
      note="All queries together, 1 to 3000. Beyond it, past usage waits and readings are skipped. Leave empty for no limit."
      {...text('prometheusQuerySeconds')}
    />
  </Fold>
)

type PastedProps = Props & {
  readonly name: Secret
  readonly label: string
  readonly placeholder: string
  readonly note: string
}

const Pasted = ({ name, label, placeholder, note, ...props }: PastedProps) => (
  <div className="sm:col-span-2">
    <LongField
      label={label}
      value={props.draft[name]}
      change={(text) => props.change({ [name]: text })}
      rows={4}
      placeholder={placeholder}
      {...secretProps(props, name, note)}
    />
  </div>
)

type FoldProps = { readonly title: string; readonly open: boolean; readonly children: ReactNode }

/** Closed by nothing but a click: what is typed inside does not move it. */
function Fold({ title, open, children }: FoldProps) {
  const [isOpen] = useState(open)
  return (
    <details className="sm:col-span-2" open={isOpen}>
      <summary className="cursor-pointer text-13 text-ink-soft">{title}</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">{children}</div>
    </details>
  )
}
