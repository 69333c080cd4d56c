import { useId, useRef, useState, type InputHTMLAttributes, type ReactNode } from 'react'

import { describedBy, Labeled } from '../../ui/Labeled.tsx'
import { isNeeded, isNumber, limitsAt, putAt, valueAtPath, wrongIn, type FieldLimits, type PathIn } from './limits.ts'
import { readTyped, shownIn, textOf, TIMES, timeOf, type Scaled, type TypedTime } from './typed-value.ts'

type Choice = { readonly value: string; readonly words: ReactNode }

/** What people read of one value of an order; what it must be is in the contract. */
export type FieldOf<T extends object> = {
  readonly at: PathIn<T>
  readonly label: string
  readonly note?: ReactNode
  /** Beside the label, at the right. */
  readonly aside?: ReactNode
  /** What stands behind a number. */
  readonly unit?: string
  /** One of what is shown, in what the contract counts: 60 for minutes of seconds. `time`: in minutes, hours or days. */
  readonly scale?: number | 'time'
  /** What can be chosen, where the contract does not say it or has no words for it. */
  readonly choices?: readonly Choice[]
  /** Takes a row of its own. */
  readonly wide?: boolean
  /** What stands around it says what it is: its label is only heard. */
  readonly bare?: boolean
  /** Several lines, to be pasted. */
  readonly rows?: number
  readonly input?: InputHTMLAttributes<HTMLInputElement>
}

type Change<T> = (edit: (before: T) => T) => void
type Props<T extends object> = {
  readonly limits: FieldLimits
  readonly fields: readonly FieldOf<T>[]
  readonly value: T
  readonly change: Change<T>
}

/** Fields in their order, each held to what the contract demands; they keep what is typed, so other values need another key. */
export const SchemaFields = <T extends object>({ fields, ...props }: Props<T>) =>
  fields.map((field) => (
    <div key={field.at} className={`grid min-w-0 content-start ${field.wide === true ? 'col-span-full' : ''}`}>
      <SchemaField {...props} field={field} />
    </div>
  ))

type FieldProps<T extends object> = Omit<Props<T>, 'fields'> & { readonly field: FieldOf<T> }

/** One field. */
export function SchemaField<T extends object>({ field, limits, value, change }: FieldProps<T>) {
  const own = limitsAt(limits, field.at)
  const control: ControlProps = {
    field,
    limits: own,
    needed: isNeeded(limits, field.at),
    value: valueAtPath(value, field.at),
    put: (next) => change((before) => putAt(before, field.at, next)),
  }
  if (own.type === 'boolean') return <Check {...control} />
  if (own.type === 'array' && (field.choices ?? own.items?.enum) !== undefined) return <Checks {...control} />
  return (field.choices ?? own.enum) === undefined ? <Typed {...control} /> : <Chosen {...control} />
}

type Control = Omit<FieldOf<object>, 'at'>
type ControlProps = {
  readonly field: Control
  readonly limits: FieldLimits
  readonly needed: boolean
  readonly value: unknown
  readonly put: (next: unknown) => void
}

const Check = ({ field: { label }, value, put }: ControlProps) => (
  <label className="flex items-center gap-2 text-13">
    <input
      type="checkbox"
      defaultChecked={value === true}
      onChange={({ target }) => put(target.checked)}
      className="size-4 accent-(--ink)"
    />
    {label}
  </label>
)

const choicesOf = ({ choices }: Control, values: readonly string[] = []): readonly Choice[] =>
  choices ?? values.map((value) => ({ value, words: value }))

/** Some of a few. */
function Checks({ field, limits, value, put }: ControlProps) {
  const chosen = Array.isArray(value) ? value : []
  const choices = choicesOf(field, limits.items?.enum)
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{field.label}</legend>
      {field.note !== undefined && <p className="text-12 text-ink-soft">{field.note}</p>}
      <span className="flex flex-wrap gap-x-5 gap-y-2">
        {choices.map((choice) => (
          <label key={choice.value} className="flex items-center gap-2 text-13">
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={({ target }) =>
                put(target.checked ? [...chosen, choice.value] : chosen.filter((each) => each !== choice.value))
              }
              className="size-4 accent-(--ink)"
            />
            {choice.words}
          </label>
        ))}
      </span>
    </fieldset>
  )
}

const LOOK =
  'h-10 rounded-control border border-(--free) bg-surface px-3 text-16 placeholder:text-ink-quiet hover:border-ink-quiet disabled:text-ink-soft aria-invalid:border-fault sm:text-14'

/** One of a few. */
function Chosen({ field, limits, value, needed, put }: ControlProps) {
  const id = useId()
  return (
    <Labeled id={id} label={field.label} note={field.note}>
      <select
        id={id}
        value={typeof value === 'string' ? value : ''}
        aria-describedby={describedBy(id, field)}
        onChange={({ target }) => put(target.value === '' && !needed ? undefined : target.value)}
        className={`${LOOK} w-full`}
      >
        {choicesOf(field, limits.enum).map(({ value: each, words }) => (
          <option key={each} value={each} dir="auto">
            {words}
          </option>
        ))}
      </select>
    </Labeled>
  )
}

const isTime = (text: string): text is TypedTime => Object.hasOwn(TIMES, text)

/** A text, a number with its unit, or names and labels between commas. */
function Typed(control: ControlProps) {
  const { field, value } = control
  const [time, setTime] = useState(() => timeOf(value))
  const scaled = (now: TypedTime): Scaled => ({
    ...control.limits,
    scale: field.scale === 'time' ? TIMES[now] : (field.scale ?? 1),
  })
  const limits = scaled(time)
  const { props, problem, take } = useTyping(control, limits)
  const number = numberProps(limits)
  return (
    <Labeled {...field} id={props.id} problem={problem} isBare={field.bare}>
      {field.rows === undefined ? (
        <div className="flex items-center gap-2">
          <input
            type={TYPES[limits.format ?? '']}
            {...number}
            {...props}
            {...field.input}
            className={`${LOOK} ${number === undefined ? 'w-full' : 'w-28 font-mono'}`}
          />
          {field.unit !== undefined && <span className="text-13 text-ink-soft">{field.unit}</span>}
          {field.scale === 'time' && (
            <select
              aria-label={`${field.label}, unit`}
              value={time}
              onChange={({ target }) => {
                const next = isTime(target.value) ? target.value : time
                setTime(next)
                take(scaled(next))
              }}
              className={LOOK}
            >
              {Object.keys(TIMES).map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </div>
      ) : (
        <textarea
          {...props}
          rows={field.rows}
          placeholder={field.input?.placeholder}
          className={`${LOOK} h-auto w-full resize-y py-2 font-mono sm:text-12`}
        />
      )}
    </Labeled>
  )
}

/** What an input needs to be typed into: what it holds is taken over as it is typed, and what is wrong is said when it is sent. */
function useTyping({ field: { note }, needed, value, put }: ControlProps, limits: Scaled) {
  const id = useId()
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [problem, setProblem] = useState<string>()
  const [start] = useState(() => textOf(limits, value))
  const take = (now: Scaled): void => {
    if (input.current === null) return
    const read = readTyped(now, input.current.value)
    const wrong = wrongIn(now, read, (amount) => shownIn(now, amount))
    input.current.setCustomValidity(wrong ?? (read === undefined && needed ? MISSING : ''))
    setProblem(undefined)
    // An emptied number, which is not sent either, changes nothing.
    if (read !== undefined || !needed) put(read)
  }
  const props = {
    id,
    ref: input,
    required: needed,
    defaultValue: start,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': describedBy(id, { note, problem }),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    onChange: () => take(limits),
    onInvalid: (event: { preventDefault: () => void }) => {
      event.preventDefault()
      if (input.current !== null) setProblem(wrongWords(input.current))
    },
  } as const
  return { props, problem, take }
}

const TYPES: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' }

function numberProps(limits: Scaled) {
  if (!isNumber(limits)) return undefined
  const { minimum, exclusiveMinimum, maximum, type, scale } = limits
  return {
    type: 'number',
    inputMode: 'decimal',
    min: minimum === undefined ? exclusiveMinimum : shownIn(limits, minimum),
    max: maximum === undefined ? undefined : shownIn(limits, maximum),
    step: type === 'integer' && scale === 1 ? 1 : 'any',
    placeholder: limits.nullable === true ? 'no limit' : undefined,
  } as const
}

const MISSING = 'Fill this in.'

/** What stands in the way of sending, in a sentence. */
function wrongWords({ validity, validationMessage, type }: HTMLInputElement): string {
  if (validity.valueMissing || validity.badInput) return type === 'number' ? 'Enter a number.' : MISSING
  if (validity.typeMismatch)
    return type === 'email' ? 'Enter an email address.' : 'Enter an address with http:// or https://.'
  return validity.stepMismatch ? 'Enter a whole number.' : validationMessage
}
