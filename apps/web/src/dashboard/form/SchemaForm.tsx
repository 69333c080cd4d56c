import { useState, type ComponentProps, type ReactNode } from 'react'

import type { Sent } from '../client/use-sending.ts'
import type { FieldLimits } from './limits.ts'
import { SchemaFields, type FieldOf } from './SchemaFields.tsx'
import { SendForm } from './SendForm.tsx'

type Props<T extends object> = Pick<
  ComponentProps<typeof SendForm>,
  'aria-label' | 'className' | 'onKeyDown' | 'cancel'
> & {
  /** What the contract demands of the order. */
  readonly limits: FieldLimits
  readonly value: T
  readonly fields: readonly FieldOf<T>[] | ((draft: T) => readonly FieldOf<T>[])
  readonly send: (order: T) => Promise<Sent>
  readonly submit: string
  /** Whether it is filled again once it was sent: for the next one. */
  readonly repeats?: boolean
  /** What the contract has no field for. */
  readonly children?: (draft: T, change: (edit: (before: T) => T) => void) => ReactNode
}

/** A form for one order: its fields by the contract, and what stands between it and the server. */
export function SchemaForm<T extends object>(props: Props<T>) {
  const { limits, value, fields, send, repeats = false, children, ...form } = props
  const [draft, setDraft] = useState(value)
  const [version, setVersion] = useState(0)
  const put = async (): Promise<Sent> => {
    const sent = await send(draft)
    if (repeats && (sent === undefined || 'done' in sent)) {
      setDraft(value)
      setVersion(version + 1)
    }
    return sent
  }
  const shown = typeof fields === 'function' ? fields(draft) : fields
  return (
    <SendForm {...form} send={put}>
      <SchemaFields key={version} limits={limits} fields={shown} value={draft} change={setDraft} />
      {children?.(draft, setDraft)}
    </SendForm>
  )
}
