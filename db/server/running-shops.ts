import { setTimeout } from 'node:timers/promises'
import { StartupError } from '#db/startup-error.ts'

const maxTries = 30

/**
 * Throws StartupError while another shop is connected to the same Postgres database. Waits for three seconds, because the server ends the
 * connections of a shop a moment after it has stopped. `run` runs a statement and returns its rows; `setting` names the database.
 */
export async function refuseRunningShops(
  run: (statement: string) => Promise<unknown[]>,
  setting = 'DATABASE_URL',
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const others = await run(
      `select 1 from pg_stat_activity where datname = current_database()
        and application_name like 'winged-wheels %' and application_name <> current_setting('application_name')`,
    )
    if (others.length === 0) return
    if (tries === maxTries)
      throw new StartupError(`${setting}: a shop is running on this database. Stop it, then try again.`)
    await setTimeout(100)
  }
}
