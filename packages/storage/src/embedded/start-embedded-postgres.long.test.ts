import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { instant } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { openPostgresStore } from '../postgres-store.ts'
import { NOW, usageRow } from '../usage-row.fixture.ts'
import { lockDataDirectory } from './data-lock.ts'
import { findBinaries } from './find-binaries.ts'
import { identityOf } from './process-identity.ts'
import { stageBinaries } from './start-embedded-postgres.ts'
import { NOBODY, dataDir, folder, isRoot, mounts, refusal, silent, start, template } from './own-directory.fixture.ts'

function mountOn(target: string, options: string): void {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', target], { encoding: 'utf8' })
  if (mounted.status !== 0) throw new Error(`mount failed: ${mounted.stderr}`)
  mounts.push(target)
}

const bucketOf = (n: number) =>
  Array.from({ length: 2000 }, (_, index) => usageRow({ at: instant(NOW + n * 300_000), partition: `GPU-${index}` }))

describe('a data directory', () => {
  test('works below a path too long for a socket, with blanks and quotes in it', async () => {
    const deep = join(folder, `it's a "long" path ${'x'.repeat(60)}`, 'y'.repeat(60))
    template.copyTo(deep)
    const postgres = await start({ dataDir: deep })
    expect(postgres.connection.host.length).toBeLessThan(100)
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    await expect(store.ping()).resolves.toBeUndefined()
    await store.close()
    await postgres.stop()
    rmSync(postgres.connection.host, { recursive: true })
  })

  test('of another major version is left alone and says what to do', async () => {
    template.copyTo(dataDir)
    writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '17\n')
    const error = await refusal()
    expect(error.message).toMatch(
      /made by PostgreSQL 17, this Septet brings 18; nothing was changed.*pg_dump.*DATABASE_URL/,
    )
    expect(existsSync(join(dataDir, 'septet.lock'))).toBe(false)
  })

  test('whose database folder is something else is left alone', async () => {
    mkdirSync(join(dataDir, 'postgres/data'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres/data/notes.txt'), 'mine')
    expect(await refusal()).toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('PG_VERSION is missing'),
    })
    expect(readFileSync(join(dataDir, 'postgres/data/notes.txt'), 'utf8')).toBe('mine')
  })

  test('with damaged files says so and starts nothing', async () => {
    template.copyTo(dataDir)
    writeFileSync(join(dataDir, 'postgres/data/global/pg_control'), Buffer.alloc(8192, 7))
    const error = await refusal()
    expect(error.message).toMatch(/could not start in .*untouched/)
  })

  test('without its password file says which file to restore', async () => {
    template.copyTo(dataDir)
    rmSync(join(dataDir, 'postgres/data/septet.password'))
    expect((await refusal()).message).toMatch(/password file .*septet\.password is missing/)
  })

  test('that is read-only says so', async () => {
    mkdirSync(dataDir)
    if (isRoot) mountOn(dataDir, 'ro')
    else chmodSync(dataDir, 0o500)
    expect(await refusal()).toMatchObject({
      code: 'read-only',
      message: expect.stringMatching(/read-only file system|may not be written/),
    })
  })

  test('that is a file says so', async () => {
    writeFileSync(dataDir, '')
    expect((await refusal()).message).toMatch(/cannot be used .*SEPTET_DATA_DIR/)
  })

  test.runIf(isRoot)('on a full disk says so before anything is made', async () => {
    mkdirSync(dataDir)
    mountOn(dataDir, 'size=512k,mode=755')
    const error = await refusal()
    expect(error).toMatchObject({ code: 'disk-full', message: expect.stringMatching(/is full.*Free some space/) })
  })

  test.runIf(isRoot)('on a disk that fills while the database is made says so and leaves nothing behind', async () => {
    mkdirSync(dataDir)
    mountOn(dataDir, 'size=12m,mode=755')
    expect(await refusal()).toMatchObject({ code: 'disk-full', message: expect.stringContaining('the disk is full') })
    expect(existsSync(join(dataDir, 'postgres/data'))).toBe(false)
  })

  test.runIf(isRoot)(
    'on a disk that fills later refuses writes, loses nothing, and goes on once there is room',
    async () => {
      mkdirSync(dataDir)
      mountOn(dataDir, 'size=120m,mode=755')
      template.copyTo(dataDir)
      const postgres = await start()
      const store = await openPostgresStore({ connection: postgres.connection, log: silent })
      await store.usage.write('c', bucketOf(0))
      const filler = join(dataDir, 'filler')
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'])
      let failure: unknown
      let done = 1
      for (; failure === undefined && done < 200; done += failure === undefined ? 1 : 0) {
        failure = await store.usage.write('c', bucketOf(done)).then(
          () => undefined,
          (error: unknown) => error,
        )
      }
      // A full disk fails the statement, or the log: then PostgreSQL ends itself and is started again.
      expect(['disk-full', 'unreachable']).toContain((failure as { code?: string }).code)
      rmSync(filler)
      for (let tries = 0; tries < 100; tries += 1) {
        const failed = await store.usage.write('c', bucketOf(done)).catch((error: unknown) => error)
        if (failed === undefined) break
        await delay(200)
      }
      const window = { from: NOW, to: instant(NOW + 1e9) }
      const totals = await store.usage.totals({ cluster: 'c', span: '5m', window, by: ['at'] })
      expect(totals.map((total) => total.rows)).toEqual(Array.from({ length: done + 1 }, () => 2000))
      await store.close()
      await postgres.stop()
    },
  )
})

describe('a second owner', () => {
  test('in another process is refused with the pid of the first', async () => {
    template.copyTo(dataDir)
    const first = await start()
    const program = join(import.meta.dirname, '..', 'own-process.fixture.ts')
    const second = spawn(process.execPath, [program, 'open', dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    second.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const code = await new Promise((resolve) => second.once('close', resolve))
    expect(code).toBe(1)
    expect(said).toContain(`Another Septet (process ${process.pid}) is using the data directory`)
    await first.stop()
  })

  test('takes over a lock whose process is gone, also when its number is in use again', async () => {
    mkdirSync(dataDir, { mode: 0o755 })
    const me = identityOf(process.pid)
    for (const left of [{ ...me, pid: 4_194_303 }, { ...me, started: '1' }, 'half a lo']) {
      writeFileSync(join(dataDir, 'septet.lock'), JSON.stringify(left))
      const lock = await lockDataDirectory(dataDir, silent)
      expect(JSON.parse(readFileSync(join(dataDir, 'septet.lock'), 'utf8'))).toMatchObject({ pid: process.pid })
      lock.release()
    }
  })

  test('on another machine is believed while its lock shows a heartbeat, and no longer', async () => {
    mkdirSync(dataDir)
    const path = join(dataDir, 'septet.lock')
    writeFileSync(path, JSON.stringify({ pid: 1, started: '5', place: 'elsewhere', host: 'septet-0' }))
    const beating = setInterval(() => utimesSync(path, new Date(), new Date()), 100)
    await expect(lockDataDirectory(dataDir, silent, 1500)).rejects.toThrow('Another Septet (process 1 on septet-0)')
    clearInterval(beating)
    const lock = await lockDataDirectory(dataDir, silent, 1500)
    lock.release()
  })

  test('of many that start at once exactly one wins', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'septet.lock'), JSON.stringify({ ...identityOf(process.pid), started: '1' }))
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDirectory(dataDir, silent)))
    const won = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(won).toHaveLength(1)
    won[0]?.release()
  })
})

describe('the programs', () => {
  test.runIf(isRoot)('run below a folder closed to others, with the one capability that searching needs', async () => {
    template.copyTo(dataDir)
    chmodSync(folder, 0o700)
    const postgres = await start()
    const state = postgres.state()
    const status = readFileSync(`/proc/${state.kind === 'running' ? state.pid : 0}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\s+65534\s+65534\s+65534/m)
    expect(status).toMatch(/^Groups:\s*$/m)
    expect(BigInt(`0x${/^CapEff:\s*(\w+)$/m.exec(status)?.[1]}`)).toBe(4n)
    await postgres.stop()
  })

  test.runIf(isRoot)('say what to do where a closed folder cannot be passed', async () => {
    chmodSync(folder, 0o700)
    const error = await refusal({ circumstances: { root: true, setpriv: undefined, capability: undefined } })
    expect(error.message).toMatch(/runs as root.*cannot reach.*SEPTET_DATA_DIR/)
  })

  test.runIf(isRoot)('are copied out of a closed folder when only they are in one', async () => {
    template.copyTo(dataDir)
    const closed = join(folder, 'closed')
    const installed = await findBinaries()
    mkdirSync(closed, { mode: 0o700 })
    cpSync(installed.root, join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = folder
    try {
      const postgres = await start({
        binaries: { ...installed, root: join(closed, 'native') },
        circumstances: { root: true, setpriv: undefined, capability: undefined },
      })
      const staged = join(folder, `septet-postgres-${installed.version}`)
      expect(statSync(staged).mode & 0o022).toBe(0)
      await postgres.stop()
      chownSync(staged, NOBODY, NOBODY)
      await expect(stageBinaries(installed)).rejects.toThrow(`${staged} belongs to someone else`)
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
  })

  test.runIf(isRoot)('make a new database for a checkout below a closed folder, programs and data alike', async () => {
    const installed = await findBinaries()
    const programs = join(folder, 'native')
    cpSync(installed.root, programs, { recursive: true, verbatimSymlinks: true })
    chmodSync(folder, 0o700)
    const postgres = await start({ binaries: { ...installed, root: programs } })
    expect(postgres.state().kind).toBe('running')
    await postgres.stop()
  })
})

describe('supervision', () => {
  test('can be stopped while it waits to start the server again, and stopped twice', async () => {
    template.copyTo(dataDir)
    const postgres = await start()
    const state = postgres.state()
    process.kill(state.kind === 'running' ? state.pid : 0, 'SIGKILL')
    await expect.poll(() => postgres.state().kind, { timeout: 10_000 }).toBe('restarting')
    await Promise.all([postgres.stop(), postgres.stop()])
    expect(postgres.state()).toEqual({ kind: 'stopped' })
    await (await start()).stop()
  })
})
