import { DAY_MS } from '@septet/domain/units'
import { instant, instantIn, parseRange, rangeText, wallText, type Instant } from '@septet/domain'
import { useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { formText } from '../../ui/form-text.ts'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { BROWSER_ZONE, CALENDAR_WORDS, zonesWith } from '../address/range-choice.ts'
import { useUrlState } from '../address/url-state.ts'

/** Ranges of the calendar, two instants of one's own, and the time zone in which days begin. */
export function RangeMenu({ close }: { readonly close: () => void }) {
  const { over, zone, choose } = useUrlState()
  const name = over.kind === 'calendar' ? over.name : undefined
  return (
    <div className="grid gap-3">
      <fieldset className="grid grid-cols-2 gap-1">
        <legend className="sr-only">Calendar</legend>
        {Object.entries(CALENDAR_WORDS).map(([value, words]) => (
          <Button
            key={value}
            look="quiet"
            aria-pressed={name === value}
            className={`justify-start ${name === value ? 'bg-sunken font-medium text-ink' : ''}`}
            onClick={() => {
              choose({ range: value, zone })
              close()
            }}
          >
            {words}
          </Button>
        ))}
      </fieldset>
      <CustomRange close={close} />
      <ChoiceField
        label="Time zone"
        value={zone}
        options={zonesWith(zone).map((value) => ({
          value,
          label: value === BROWSER_ZONE ? `${value} (this browser)` : value,
        }))}
        onChange={(next) => choose(name === undefined ? { zone: next } : { range: name, zone: next })}
      />
      <p className="text-12 text-ink-quiet">
        Days, weeks and months begin in this zone; weeks on Monday. A day on which the clock changes has 23 or 25 hours.
      </p>
    </div>
  )
}

function CustomRange({ close }: { readonly close: () => void }) {
  const { over, zone, choose } = useUrlState()
  const [problem, setProblem] = useState<string>()
  const [opened] = useState(() => Date.now())
  // What was typed stays, whatever zone is chosen meanwhile; the rest is the range that is shown, on that zone's clock.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const { from, to } = over.kind === 'custom' ? over.window : { from: instant(opened - DAY_MS), to: instant(opened) }
  const show = (data: FormData): void => {
    const [start, end] = ['from', 'to'].map((field) => instantOfField(formText(data, field), zone))
    if (start === undefined || end === undefined) return setProblem('Enter both a date and a time.')
    const chosen = rangeText({ kind: 'custom', window: { from: start, to: end } })
    if (start >= end) return setProblem('The start must be before the end.')
    if (parseRange(chosen) === undefined) return setProblem('Choose at most 800 days.')
    choose({ range: chosen, zone })
    return close()
  }
  return (
    <Form send={show} className="grid gap-2 border-t border-line pt-3">
      <Field
        label="From"
        name="from"
        type="datetime-local"
        required
        problem={problem}
        value={typed['from'] ?? wallText(zone, from)}
        onChange={({ target }) => setTyped((before) => ({ ...before, from: target.value }))}
      />
      <Field
        label="To"
        name="to"
        type="datetime-local"
        required
        value={typed['to'] ?? wallText(zone, to)}
        onChange={({ target }) => setTyped((before) => ({ ...before, to: target.value }))}
      />
      <SubmitButton busy={false}>Apply</SubmitButton>
    </Form>
  )
}

/** What `datetime-local` gives, `2026-03-29T14:05`, as the clock of a zone; undefined for what is none. */
function instantOfField(text: string, zone: string): Instant | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/u.exec(text)
  if (found === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map(Number)
  return instantIn(zone, { year, month, day }, hour * 60 + minute)
}
