import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach } from 'vitest'

import { startDemoCluster, type DemoCluster, type DemoOptions } from './start-demo-cluster.ts'

export type Body = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- bodies are looked at as they come
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body }
type Sent = { readonly as?: 'reader' | 'actor'; readonly type?: string; readonly body?: unknown }

const BEGIN = Date.UTC(2026, 10, 18, 14, 3, 0)

/** A demo cluster for each test of a file, over real HTTP. Its time stands still unless a test moves it. */
export class TestedDemo {
  now = BEGIN
  folder = ''
  /** Undefined only between tests. */
  private running: DemoCluster | undefined
  private readonly options: Partial<DemoOptions>
  private readonly usual: 'reader' | 'actor'

  /** `usual`: who asks where a test does not say; the reader may do everything. */
  constructor(options: Partial<DemoOptions> = {}, usual: 'reader' | 'actor' = 'reader') {
    this.options = options
    this.usual = usual
    beforeEach(async () => {
      this.now = BEGIN
      this.folder = mkdtempSync(path.join(tmpdir(), 'septet-demo-'))
      await this.start()
    })
    afterEach(async () => {
      await this.cluster.close()
      rmSync(this.folder, { recursive: true })
    })
  }

  get cluster(): DemoCluster {
    if (this.running === undefined) throw new Error('the demo runs inside tests only')
    return this.running
  }

  async start(): Promise<void> {
    const common = { seed: 7, scale: 'small', dataDir: this.folder, turnMs: 3_600_000 } as const
    this.running = await startDemoCluster({ ...common, clock: () => this.now, ...this.options })
  }

  async restart(): Promise<void> {
    await this.cluster.close()
    await this.start()
  }

  async call(method: string, target: string, { as = this.usual, type, body }: Sent = {}): Promise<Answer> {
    const token = as === 'actor' ? this.cluster.actorToken : this.cluster.token
    const usual = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const answer = await fetch(`${this.cluster.apiUrl}${target}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type ?? usual },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // What is turned away before it is looked at is plain text.
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    const told = (isJson ? await answer.json() : { text: await answer.text() }) as Body
    return { status: answer.status, headers: answer.headers, body: told }
  }

  async get(target: string): Promise<Body> {
    return (await this.call('GET', target, { as: 'reader' })).body
  }

  async items(target: string): Promise<readonly Body[]> {
    return (await this.get(target))['items'] as Body[]
  }

  patch(target: string, body: unknown): Promise<Answer> {
    return this.call('PATCH', target, { body })
  }
}
