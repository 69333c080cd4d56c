import { expect, test } from 'vitest'

import { QuestionQueue } from './model-writer.ts'

test('questions are answered in order, and one that was forgotten while it waited is never begun', async () => {
  const queue = new QuestionQueue()
  const begun: string[] = []
  const question = (name: string) => queue.add(name, async () => void begun.push(name))
  const answered = Promise.all([question('first'), question('second'), question('third')])
  queue.forget('second')
  await answered
  expect(begun).toEqual(['first', 'third'])
  await question('fourth')
  expect(begun).toEqual(['first', 'third', 'fourth'])
})

test('between two it hears what has come meanwhile', async () => {
  const queue = new QuestionQueue()
  const begun: string[] = []
  const first = queue.add('first', async () => {
    begun.push('first')
    // As a message that arrives while the first one is computed.
    setImmediate(() => queue.forget('second'))
  })
  const second = queue.add('second', async () => void begun.push('second'))
  await Promise.all([first, second])
  expect(begun).toEqual(['first'])
})

test('one that fails fails alone', async () => {
  const queue = new QuestionQueue()
  const failing = queue.add('failing', () => Promise.reject(new Error('no')))
  const next = queue.add('next', () => Promise.resolve())
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBeUndefined()
})
