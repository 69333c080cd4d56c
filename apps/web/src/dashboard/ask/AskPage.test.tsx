import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { parameters, shows } from '../../read-page.fake.ts'
import { answerFixture } from '../copilot/answer.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

type Read = Answer<'queryAsk'>

const MARKUP = '<img src=x onerror=document.title=1>'
const piece = (line: string, text: string, more: Partial<Read['pieces'][number]>): Read['pieces'][number] => ({
  from: line.indexOf(text),
  to: line.indexOf(text) + text.length,
  kind: 'subject',
  says: text,
  problem: null,
  choices: [],
  ...more,
})

const read = (line: string): Read => {
  const known = line.replace('serach', '').includes('research') || !line.includes('serach')
  return {
    line,
    pieces: [
      ...(line.includes('cost') ? [piece(line, 'cost', { kind: 'figure', says: 'Cost' })] : []),
      ...(known
        ? []
        : [
            piece(line, 'serach', {
              kind: 'unknown',
              problem: '“serach” is not understood.',
              choices: [line.replace('serach', 'research'), line.replace('serach', MARKUP)],
            }),
          ]),
    ],
    assumed: ['last 24 hours'],
    completions: line === 'co' ? [{ line: 'cost ', label: 'cost', kind: 'Figure' }] : [],
    answer: line.includes('cost') && known ? answerFixture({ question: line }) : null,
  }
}
const answers: Answers = { queryAsk: (asked) => read(asked.line) }
const field = () => screen.findByRole('combobox', { name: 'Your line' })
const pieces = async () =>
  within(await screen.findByRole('list', { name: 'What the line was read as' })).getAllByRole('listitem')

describe('a line', () => {
  test('is completed by the keyboard, answered, and kept in the address', async () => {
    const { user } = await openDashboard('/dashboard/ask?cluster=demo', { answers })
    await user.type(await field(), 'co')
    await screen.findByRole('option', { name: /cost/u })
    await user.keyboard('{ArrowDown}{Enter}')
    expect(await field()).toHaveProperty('value', 'cost ')
    await screen.findByRole('region', { name: 'Answer' })
    await shows('vllm-7 waits for a 3g.40gb.')
    await expect.poll(() => parameters()['q']).toBe('cost')
    expect((await pieces()).map(({ textContent }) => textContent)).toEqual(['FigureCost×', 'last 24 hours'])
  })

  test('is read from the address, and what it left out can be written into it', async () => {
    const { septet, user } = await openDashboard('/dashboard/ask?cluster=demo&q=cost', { answers })
    const asked = () => septet.asked.findLast(({ operation }) => operation === 'queryAsk')?.input
    await user.click(await screen.findByRole('button', { name: 'last 24 hours' }))
    expect(await field()).toHaveProperty('value', 'cost last 24 hours')
    await expect.poll(asked).toMatchObject({ line: 'cost last 24 hours' })
    await expect.poll(() => parameters()['q']).toBe('cost last 24 hours')
    await user.click(await screen.findByRole('button', { name: 'Remove Cost' }))
    expect(await field()).toHaveProperty('value', 'last 24 hours')
  })

  test('that is not understood whole is not answered, and says what may stand there', async () => {
    const { user } = await openDashboard('/dashboard/ask?cluster=demo&q=cost+of+serach', { answers })
    await shows('“serach” is not understood.')
    await shows('There is no answer until every part of the line is understood.')
    expect(screen.queryByRole('region', { name: 'Answer' })).toBeNull()
    // Names are text.
    expect(document.querySelector('img[src=x]')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'research' }))
    await screen.findByRole('region', { name: 'Answer' })
    expect(await field()).toHaveProperty('value', 'cost of research')
  })

  test('is offered where none is typed yet', async () => {
    const { user } = await openDashboard('/dashboard/ask?cluster=demo', { answers })
    await user.click(await screen.findByRole('button', { name: 'cost by namespace, this week vs last week' }))
    await screen.findByRole('region', { name: 'Answer' })
  })
})
