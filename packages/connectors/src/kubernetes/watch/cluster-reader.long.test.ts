import { describe, expect, test } from 'vitest'
import { pod } from './cluster-objects.fixture.ts'
import { has, openBeforeTests, read, serve } from './watched-server.fixture.ts'

openBeforeTests()

describe('a server that misbehaves', () => {
  test('a page that is too large is asked for again in smaller ones', async () => {
    const server = await serve()
    const padding = 'x'.repeat(1024 * 1024)
    server.seed(
      'pods',
      Array.from({ length: 90 }, (_, index) => pod('team', `p${index}`, { metadata: { annotations: { padding } } })),
    )
    const reader = read(server)
    await reader.start()
    expect(has(reader).pods).toHaveLength(90)
    expect(server.calls.some(({ path, query }) => path === '/api/v1/pods' && query.get('limit') === '63')).toBe(true)
  })
})
