import { brand } from '#app/brand.ts'
import type { ChangeListener } from '#db/changes.ts'
import type { OpenDatabase } from '#db/database.ts'
import { mailKinds } from '#shop/settings/mail-kinds.ts'
import type { ShopSettings } from '#shop/settings/settings.ts'
import { createSettingsMemory } from '#shop/settings/settings-memory.server.ts'
import { log } from '#telemetry/log.ts'

/** The settings, and a `watchChanges` that makes them forgotten before the pages that show them. */
export async function openSettings({ db, watchChanges }: OpenDatabase) {
  const settings = createSettingsMemory(db, defaultSettings(brand))
  await settings.read()
  return {
    settings,
    async watchChanges(listener: ChangeListener) {
      const watch = await watchChanges((changes) => {
        settings.forget(changes)
        listener(changes)
        settings.read().catch((err) => log.error({ err }, 'settings not read'))
      })
      settings.watch(watch.isConnected)
      return watch
    },
  }
}

const noText = { above: '', below: '' }

/** What the shop has until an admin saves something else. */
export function defaultSettings({
  name,
  contact,
  dispatch,
  orders,
  invoices,
}: Pick<typeof brand, 'name' | 'contact' | 'dispatch' | 'orders' | 'invoices'>): ShopSettings {
  const texts = Object.fromEntries(Object.keys(mailKinds).map((kind) => [kind, noText]))
  return {
    company: { name, ...contact },
    deliveryAndTax: { zones: [], tax: { mode: 'none', rates: [] }, note: '' },
    tax: { ids: invoices.taxId ?? '' },
    bank: { details: '' },
    texts: { terms: '', returns: '', privacy: '' },
    dispatch,
    changes: { cancelPaid: 'at once' },
    numbers: {
      order: orders.prefix,
      invoice: invoices.prefix,
      creditNote: invoices.creditNotePrefix,
      former: [],
    },
    mails: { senderName: '', ...(texts as Record<keyof typeof mailKinds, typeof noText>) },
    notifications: { paidOrders: '', messages: '', disputes: '', failedRefunds: '' },
  }
}
