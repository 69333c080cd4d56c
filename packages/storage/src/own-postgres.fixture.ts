import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { Client } from 'pg'

export type OwnPostgres = { url(database?: string, password?: string): string; stop(): Promise<void> }

/** Starts `program` as a server of the test's own on a free loopback port; never touches one that is there already. */
export async function startPostgres15(program: string): Promise<OwnPostgres> {
  const bin = dirname(program)
  const folder = mkdtempSync(join(tmpdir(), 'septet-pg15-'))
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  const files = join(folder, 'data')
  const options = { ...nobody, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' } }
  const made = spawnSync(
    'sh',
    [
      '-c',
      `printf secret > pw && ${bin}/initdb -D ${files} -U septet --pwfile=pw -A scram-sha-256 -E UTF8 --locale=C.UTF-8`,
    ],
    options,
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`)
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off']
  const child = spawn(program, ['-D', files, ...settings.flatMap((each) => ['-c', each])], {
    ...options,
    stdio: 'ignore',
  })
  const url = (database = 'postgres', password = 'secret') =>
    `postgresql://septet:${password}@127.0.0.1:${port}/${database}`
  await untilAnswers(url())
  return {
    url,
    stop: async () => {
      child.kill('SIGINT')
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

/** One statement on a server, outside any store. */
export async function tell(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    try {
      await tell(url, 'select 1')
      return
    } catch {
      await delay(50)
    }
  }
  throw new Error('PostgreSQL 15 did not answer within 20 s')
}
