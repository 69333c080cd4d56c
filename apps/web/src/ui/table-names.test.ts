import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')
const screens = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))
  .filter(({ text }) => text.includes('<Cell'))

/** What stands before cells on a narrow screen, as far as a screen spells it out. */
const spelled = screens.flatMap(({ file, text }) =>
  [...text.matchAll(/<Cell\b[^>]*?\bname="([^"]+)"/gu)].map(([, name = '']) => ({ file, name, text })),
)

test('a cell is named on a narrow screen as the head names its column on a wide one', () => {
  expect(spelled.length).toBeGreaterThan(20)
  const unknown = spelled.filter(({ name, text }) => !text.includes(`'${name}'`))
  expect(unknown.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})
