import { screen } from '@testing-library/dom'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { createRoot } from 'react-dom/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import type { Sent } from '../client/use-sending.ts'
import { differences, saidBy } from './changes.ts'
import type { FieldLimits } from './limits.ts'
import type { FieldOf } from './SchemaFields.tsx'
import { SchemaForm } from './SchemaForm.tsx'

type Order = {
  readonly id: string
  readonly idle: { readonly threshold: number; readonly seconds: number }
  readonly watch: number
  readonly most: number | null
  readonly note?: string
  readonly names: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly on: boolean
  readonly severity: 'info' | 'critical'
  readonly files: readonly string[]
}
const LIMITS: FieldLimits = {
  type: 'object',
  required: ['id', 'idle', 'watch', 'most', 'names', 'labels', 'on', 'severity', 'files'],
  properties: {
    id: { type: 'string', pattern: '^[a-z-]+$', says: 'must be lowercase letters and dashes' },
    idle: {
      type: 'object',
      required: ['threshold', 'seconds'],
      properties: {
        threshold: { type: 'number', minimum: 0, maximum: 0.5 },
        seconds: { type: 'integer', minimum: 300, maximum: 86_400 },
      },
    },
    watch: { type: 'integer', minimum: 30, maximum: 604_800 },
    most: { type: 'integer', minimum: 0, nullable: true },
    note: { type: 'string', minLength: 3, maxLength: 20 },
    names: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$', says: 'must be letters' } },
    labels: { type: 'object' },
    on: { type: 'boolean' },
    severity: { type: 'string', enum: ['info', 'critical'] },
    files: { type: 'array', items: { type: 'string', enum: ['pdf', 'csv'] } },
  },
}
const FIELDS: readonly FieldOf<Order>[] = [
  { at: 'id', label: 'Name', note: 'Saving an existing name replaces it.' },
  { at: 'idle.threshold', label: 'Busy at most', unit: '%', scale: 0.01 },
  { at: 'idle.seconds', label: 'For at least', unit: 'min', scale: 60 },
  { at: 'watch', label: 'Watch', scale: 'time' },
  { at: 'most', label: 'Pods' },
  { at: 'note', label: 'Note', rows: 2 },
  { at: 'names', label: 'Namespaces' },
  { at: 'labels', label: 'Labels' },
  { at: 'on', label: 'On' },
  { at: 'severity', label: 'Severity' },
  { at: 'files', label: 'Files' },
]
const VALUE: Order = {
  id: '',
  idle: { threshold: 0.07, seconds: 1800 },
  watch: 86_400,
  most: 20,
  names: ['ml'],
  labels: { tier: 'gold' },
  on: true,
  severity: 'info',
  files: ['pdf'],
}

function open(send: (order: Order) => Promise<Sent>, repeats = false): UserEvent {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  root.render(<SchemaForm limits={LIMITS} value={VALUE} fields={FIELDS} send={send} submit="Save" repeats={repeats} />)
  return userEvent.setup()
}
const saves = () => vi.fn<(order: Order) => Promise<Sent>>(async () => undefined)
const field = (label: string): Promise<HTMLInputElement> => screen.findByLabelText(label)
const type = async (user: UserEvent, label: string, text: string): Promise<void> => {
  await user.clear(await field(label))
  if (text !== '') await user.type(await field(label), text)
}

describe('a form by its schema', () => {
  test('shows each value as people read it, and sends what was typed as the contract counts it', async () => {
    const send = saves()
    const user = open(send)
    expect((await field('Busy at most')).value).toBe('7')
    expect((await field('Watch')).value).toBe('24')
    await type(user, 'Name', 'idle-gpus')
    await type(user, 'Busy at most', '12.5')
    await type(user, 'For at least', '45')
    await user.selectOptions(screen.getByLabelText('Watch, unit'), 'days')
    await type(user, 'Watch', '1.5')
    await type(user, 'Pods', '')
    await type(user, 'Note', 'for the night')
    await type(user, 'Namespaces', 'ml, etl  web')
    await type(user, 'Labels', 'tier=gold, team=vision')
    await user.click(screen.getByLabelText('On'))
    await user.selectOptions(screen.getByLabelText('Severity'), 'critical')
    await user.click(screen.getByLabelText('csv'))
    await user.click(screen.getByLabelText('pdf'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(send.mock.calls).toEqual([
      [
        {
          id: 'idle-gpus',
          idle: { threshold: 0.125, seconds: 2700 },
          watch: 129_600,
          most: null,
          note: 'for the night',
          names: ['ml', 'etl', 'web'],
          labels: { tier: 'gold', team: 'vision' },
          on: false,
          severity: 'critical',
          files: ['csv'],
        },
      ],
    ])
  })

  test('is sent by Enter, and what is optional and emptied is left out', async () => {
    const send = saves()
    const user = open(send)
    await type(user, 'Note', 'abc')
    await type(user, 'Note', '')
    await type(user, 'Namespaces', '')
    await type(user, 'Name', 'x{Enter}')
    expect(send.mock.calls).toEqual([[{ ...VALUE, id: 'x', note: undefined, names: [] }]])
  })

  test.each([
    ['Name', '', 'Fill this in.'],
    ['Name', 'My entry', 'My entry must be lowercase letters and dashes.'],
    ['Busy at most', '51', 'Must be at most 50.'],
    ['For at least', '4', 'Must be at least 5.'],
    ['For at least', '', 'Enter a number.'],
    ['Watch', '200', 'Must be at most 168.'],
    ['Pods', '1.5', 'Enter a whole number.'],
    ['Note', 'ab', 'Must have at least 3 characters.'],
    ['Namespaces', 'ml, E7', 'E7 must be letters.'],
  ])('is not sent while %s is %j: says so below it and goes there', async (label, text, words) => {
    const send = saves()
    const user = open(send)
    await type(user, 'Name', 'x')
    await type(user, label, text)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const wrong = await field(label)
    expect(document.activeElement).toBe(wrong)
    expect(wrong.getAttribute('aria-invalid')).toBe('true')
    const described = (wrong.getAttribute('aria-describedby') ?? '').split(' ')
    expect(described.map((id) => document.querySelector(`[id="${id}"]`)?.textContent)).toContain(words)
    expect(send).not.toHaveBeenCalled()
    await user.type(wrong, '0')
    expect(wrong.getAttribute('aria-invalid')).toBeNull()
  })

  test('that the server refuses says why, and keeps what was typed', async () => {
    const user = open(async () => ({ problem: 'That name is taken.' }), true)
    await type(user, 'Name', 'x{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('That name is taken.')
    expect((await field('Name')).value).toBe('x')
  })

  test('that repeats starts over once it was sent', async () => {
    const send = saves()
    const user = open(send, true)
    await type(user, 'Name', 'x{Enter}')
    await expect.poll(async () => (await field('Name')).value).toBe('')
    await type(user, 'Name', 'y{Enter}')
    expect(send.mock.calls.map(([{ id }]) => id)).toEqual(['x', 'y'])
  })
})

test('what a draft says otherwise is said with before and after', () => {
  const said = (value: Order) => saidBy(LIMITS, FIELDS, value)
  const after: Order = { ...VALUE, watch: 90, most: null, labels: {}, idle: { threshold: 0.1, seconds: 1800 } }
  expect(differences(said(VALUE), said(after))).toEqual([
    { name: 'Busy at most', before: '7%', after: '10%' },
    { name: 'Watch', before: '1 d', after: '90 s' },
    { name: 'Pods', before: '20', after: 'no limit' },
    { name: 'Labels', before: 'tier=gold', after: 'none' },
  ])
})
