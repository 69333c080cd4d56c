import { expect, test } from 'vitest'

import { withoutPerson } from './person-words.ts'

const said = (text: string): unknown => withoutPerson(text, 'ann+x@example.com', 'person-1')

test('an address is found whole, whatever stands around it, and not at the end of a longer one', () => {
  expect(said('by ann+x@example.com.')).toBe('by person-1.')
  expect(said('Ann+X@Example.com, bob@example.com')).toBe('person-1, bob@example.com')
  expect(said('joann+x@example.com')).toBe('joann+x@example.com')
  expect(said('ann+x@example.com.au and ann+x@example.community')).toBe(
    'ann+x@example.com.au and ann+x@example.community',
  )
})

test('who decided is anonymous, and who was to be told is nobody', () => {
  expect(
    withoutPerson(
      {
        changedBy: 'ann@example.com',
        at: 1,
        to: ['ann@example.com', 'bob@example.com'],
        deep: [{ by: 'ann@example.com' }],
      },
      'ann@example.com',
      'person-1',
    ),
  ).toEqual({ changedBy: 'person-1', at: 1, to: ['bob@example.com'], deep: [{ by: 'person-1' }] })
})
