#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Most of what a short command takes is reading its own files: Node keeps what it made of them, in this user's cache.
// Where it cannot be written, the command only takes longer.
const { XDG_CACHE_HOME: cache = '' } = process.env
enableCompileCache(join(cache === '' ? join(homedir(), '.cache') : cache, 'septet', 'node'))
await import(new URL('main.ts', import.meta.url).href)
