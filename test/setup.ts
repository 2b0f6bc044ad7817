import { afterAll, afterEach } from 'vitest'
import { dropTestDatabase } from './database.ts'

// After a timeout the promises of a test keep running and may still use its database.
afterEach(({ task }) => (task.result?.state === 'fail' ? dropTestDatabase({ inUse: true }) : undefined))
afterAll(() => dropTestDatabase())
