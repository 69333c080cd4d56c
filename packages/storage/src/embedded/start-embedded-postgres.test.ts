import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { instant } from '@septet/domain'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'

import { openPostgresStore } from '../postgres-store.ts'
import { NOW, usageRow } from '../usage-row.fixture.ts'
import { findBinaries, linkLibraries } from './find-binaries.ts'
import { chooseRunAs, circumstances } from './run-as.ts'
import { NOBODY, dataDir, folder, isRoot, refusal, silent, start, template } from './own-directory.fixture.ts'

describe('a data directory', () => {
  test('is made on first use, reachable through a socket with a password only, and kept for its user', async () => {
    const postgres = await start()
    const { connection } = postgres
    expect(connection.host.startsWith('/')).toBe(true)
    const client = new Client(connection)
    await client.connect()
    const { rows } = await client.query(
      "select current_setting('listen_addresses') as addresses, current_setting('data_checksums') as sums",
    )
    expect(rows[0]).toEqual({ addresses: '', sums: 'on' })
    await client.end()
    await expect(new Client({ ...connection, password: 'guess' }).connect()).rejects.toMatchObject({ code: '28P01' })
    for (const path of ['postgres', 'postgres/data', 'postgres/socket']) {
      const { mode, uid } = statSync(join(dataDir, path))
      expect([path, mode & 0o777, uid]).toEqual([path, 0o700, isRoot ? NOBODY : process.getuid?.()])
    }
    expect(statSync(join(dataDir, 'postgres/data/septet.password')).mode & 0o777).toBe(0o600)
    await postgres.stop()
    expect(postgres.state()).toEqual({ kind: 'stopped' })
    expect(existsSync(join(dataDir, 'septet.lock'))).toBe(false)
  })

  test('keeps its data and password over a restart', async () => {
    template.copyTo(dataDir)
    const first = await start()
    const store = await openPostgresStore({ connection: first.connection, log: silent })
    await store.usage.write('c', [usageRow()])
    await store.close()
    await first.stop()
    const second = await start()
    expect(second.connection).toEqual(first.connection)
    const again = await openPostgresStore({ connection: second.connection, log: silent })
    const window = { from: NOW, to: instant(NOW + 1) }
    expect(await again.usage.rows({ cluster: 'c', span: '5m', window })).toEqual([usageRow()])
    await again.close()
    await second.stop()
  })
})

describe('a second owner', () => {
  test('in the same process is refused, the first goes on', async () => {
    template.copyTo(dataDir)
    const first = await start()
    expect(await refusal()).toMatchObject({
      code: 'in-use',
      message: expect.stringMatching(new RegExp(`\\(process ${process.pid}\\).*SEPTET_DATA_DIR`)),
    })
    expect(first.state().kind).toBe('running')
    await first.stop()
    await (await start()).stop()
  })
})

describe('the programs', () => {
  test('get their library links where npm ran no install scripts', async () => {
    const installed = await findBinaries()
    const at = join(folder, 'package')
    cpSync(installed.root, join(at, 'native'), { recursive: true, verbatimSymlinks: true })
    const { target } = JSON.parse(readFileSync(join(at, 'native/pg-symlinks.json'), 'utf8'))[0]
    const links = (JSON.parse(readFileSync(join(at, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]).map(
      (each) => join(at, each.target),
    )
    for (const link of links) rmSync(link)
    expect(existsSync(join(at, target))).toBe(false)
    await linkLibraries(at)
    expect(links.every((link) => existsSync(link))).toBe(true)
    const answer = spawnSync(join(at, 'native/bin/postgres'), ['--version'], { encoding: 'utf8' })
    expect(answer.stdout).toContain('postgres (PostgreSQL) 18')
  })

  test('run as whoever started Septet, unless that is root', () => {
    const here = { root: false, setpriv: undefined, capability: undefined }
    expect(chooseRunAs(['/root/x'], here)).toEqual({ kind: 'self' })
    expect(chooseRunAs(['/tmp/x'], { ...here, root: true })).toMatchObject({ kind: 'nobody' })
    expect(circumstances().root).toBe(isRoot)
  })
})

describe('supervision', () => {
  test('starts the server again when it was killed, and tells of it', async () => {
    template.copyTo(dataDir)
    const told: string[] = []
    const log = { ...silent, error: (message: string) => void told.push(message) }
    const postgres = await start({ log })
    const first = postgres.state()
    process.kill(first.kind === 'running' ? first.pid : 0, 'SIGKILL')
    await expect.poll(() => postgres.state().kind, { timeout: 10_000 }).toBe('restarting')
    await expect.poll(() => postgres.state().kind, { timeout: 20_000 }).toBe('running')
    expect(postgres.state()).not.toEqual(first)
    expect(told).toContain('the database server ended by itself and is started again')
    await postgres.stop()
  })
})
