import { type AnyDatabase, outbox } from '#db/embedded.ts'
import type { Mail } from '#shop/ports.ts'

/** Keeps every message in the outbox instead of sending it. */
export function embeddedMail(db: Pick<AnyDatabase, 'insert'>): Mail {
  return {
    shopAddress: 'hello@wingedwheels.example',
    async send({ to, subject, text }) {
      await db.insert(outbox).values({ recipient: to, subject, body: text })
    },
  }
}
