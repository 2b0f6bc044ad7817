import { afterAll, afterEach } from 'vitest'
import { dropTestDatabase } from './database.ts'

// A test that failed may still be at work: on a timeout its promises go on.
afterEach(({ task }) => (task.result?.state === 'fail' ? dropTestDatabase({ inUse: true }) : undefined))
afterAll(() => dropTestDatabase())
