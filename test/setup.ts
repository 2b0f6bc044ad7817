import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { configureLog } from '#telemetry/log.ts'
import { dropTestDatabase } from './database.ts'

// After a timeout the promises of a test keep running and may still use its database.
afterEach(({ task }) => (task.result?.state === 'fail' ? dropTestDatabase({ inUse: true }) : undefined))
afterAll(() => dropTestDatabase())

const { Request, Response } = globalThis
// Test files share a process, and the HTTP server can replace these in it.
afterAll(() => expect([globalThis.Request, globalThis.Response]).toEqual([Request, Response]))

// Errors that another test has logged count as new.
beforeEach(() => configureLog({ level: 'info', format: 'text' }))
