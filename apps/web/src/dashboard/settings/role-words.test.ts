import { ROLES } from '@septet/domain'
import { expect, test } from 'vitest'

import { limitWords, ROLE_NAMES } from '../words/role-words.ts'
import { labelsOf, typedNames } from '../words/typed-names.ts'
import { deviceWords } from './AccountPage.tsx'
import { freeName } from './FactorPanel.tsx'

test('the roles are the domain’s', () => expect(ROLE_NAMES).toEqual(ROLES))

test('no limit is "all", and a limit to nothing is not mistaken for it', () => {
  expect(limitWords(null)).toBe('all')
  expect(limitWords([])).toBe('none')
  expect(limitWords(['ml', 'etl'])).toBe('ml, etl')
})

test.each([
  ['', undefined],
  [' , ', undefined],
  ['ml', ['ml']],
  ['ml, etl  web,ml\n', ['ml', 'etl', 'web']],
])('names typed as %j', (text, names) => expect(typedNames(text)).toEqual(names))

test('a label without a value asks for an empty one', () =>
  expect(labelsOf('gpu, team=vision')).toEqual({ gpu: '', team: 'vision' }))

test('a second authenticator gets a name of its own', () => {
  expect(freeName([])).toBe('Authenticator app')
  expect(freeName(['Authenticator app', 'Authenticator app 2', 'Phone'])).toBe('Authenticator app 3')
})

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.5; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['node', 'node'],
  ['', 'An unknown program'],
])('a device by its user agent: %s', (agent, words) => expect(deviceWords(agent)).toBe(words))
