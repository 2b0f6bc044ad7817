import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { AnyCall } from '#api/call.ts'
import { api } from '#api/contract.ts'
import { executeRows } from '#db/driver/rows.ts'
import { auditLog, paymentTasks, reviews } from '#db/schema.ts'
import { grantAdminIn } from '#server/commands/first-admin.ts'
import { reviewConditions } from '#shop/reviews/moderation.server.ts'
import { toBase64, triangle } from '#test/glb.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'
import { auditConditions } from './audit.server.ts'
import { auditActions } from './audit.ts'

const pdf = Buffer.from('%PDF-1.7\n%%EOF').toString('base64')
const form = {
  name: 'Hub',
  shortDescription: 'Rear',
  description: 'Rolls.',
  brand: 'Talon',
  category: 'Hubs',
  minQuantity: 4,
  availableQuantity: 40,
  perUnitPrice: 60,
  image: '/images/chain.webp',
}

const rotor = { name: 'Rotor', kind: 'number', unit: 'mm' } as const

async function createScene() {
  const shop = await testShop()
  const [boss, ada] = [await createUser(shop, 'Boss', 'admin'), await createUser(shop, 'Ada')]
  const [admin, customer] = [await clientOf(shop, boss), await clientOf(shop, ada)]
  const { _id: partId } = await createPart(shop)
  const place = () => customer.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  const placePaid = async () => payOrderByCard(shop, ada, await place())
  return { shop, boss, ada, admin, customer, partId, place, placePaid }
}
type Scene = Awaited<ReturnType<typeof createScene>>

async function sendMessage({ customer, ada }: Scene) {
  const body = { name: 'Ada', email: ada.email, phone: '5550100', message: 'Hello' }
  return (await customer.sendMessage({ body })).insertedId
}

async function addDrawing(admin: Scene['admin'], partId: string) {
  const { partNumber } = await admin.readPart({ params: { partId } })
  const spot = { partNumber, x: 500, y: 500, quantity: 1 }
  const body = { title: 'Brakes', image: form.image, hotspots: [spot] }
  return { id: (await admin.addDrawing({ body })).insertedId, body }
}

/** Each changes something by the call, and returns what the last entry of the log says. */
const changes: Record<string, (scene: Scene) => Promise<object>> = {
  async makeAdmin({ admin, ada }) {
    await admin.makeAdmin({ params: { email: ada.email } })
    const values = { before: { role: 'customer' }, after: { role: 'admin' } }
    return { subjectKind: 'user', subjectId: ada._id, subject: ada.email, ...values }
  },
  async removeAdmin({ shop, admin }) {
    const { email } = await createUser(shop, 'Other', 'admin')
    await admin.removeAdmin({ params: { email } })
    return { subject: email, before: { role: 'admin' }, after: { role: 'customer' } }
  },
  async inviteAdmin({ admin }) {
    await admin.inviteAdmin({ body: { email: 'new@example.com' } })
    return { subjectKind: 'invitation', subject: 'new@example.com', before: null, after: null }
  },
  async withdrawInvitation({ admin }) {
    const { insertedId: id } = await admin.inviteAdmin({ body: { email: 'new@example.com' } })
    await admin.withdrawInvitation({ params: { id } })
    return { subjectId: id, subject: 'new@example.com', before: null, after: null }
  },
  async tagCustomer({ admin, ada }) {
    await admin.tagCustomer({ params: { id: ada._id }, body: { tag: 'Workshop' } })
    return { subjectId: ada._id, subject: ada.email, before: null, after: { tag: 'Workshop' } }
  },
  async untagCustomer({ admin, ada }) {
    const tagged = { params: { id: ada._id }, body: { tag: 'Workshop' } }
    await admin.tagCustomer(tagged)
    await admin.untagCustomer(tagged)
    return { subjectId: ada._id, before: { tag: 'Workshop' }, after: null }
  },
  async saveInterface({ admin, partId }) {
    const body = { interface: 'freehub: hg', role: 'has', source: 'Data sheet', date: '2026-11-02' } as const
    await admin.saveInterface({ params: { partId }, body })
    return { subjectId: partId, before: null, after: { ...body, interface: 'freehub:HG' } }
  },
  async removeInterface({ admin, partId }) {
    const body = { interface: 'freehub:HG', role: 'has', source: 'Data sheet', date: '2026-11-02' } as const
    await admin.saveInterface({ params: { partId }, body })
    await admin.removeInterface({ params: { partId }, body: { interface: body.interface } })
    return { subjectId: partId, before: body, after: null }
  },
  async linkCustomers({ admin, ada, boss }) {
    await admin.linkCustomers({ params: { id: ada._id }, body: { other: boss.email } })
    // Each of the two has it.
    return { subjectId: boss._id, before: null, after: { account: ada.email } }
  },
  async unlinkCustomers({ admin, ada, boss }) {
    await admin.unlinkCustomers({ params: { id: ada._id }, body: { other: boss.email } })
    return { subjectId: boss._id, before: null, after: { account: ada.email } }
  },
  async decideTaxStatus({ admin, customer, ada }) {
    const params = { email: ada.email }
    const { digest: before } = await customer.readTaxStatus({ params })
    const vatId = { country: 'AT', number: 'ATU13585627' }
    const { digest } = await customer.updateTaxStatus({ params, body: { digest: before, vatId } })
    const body = { digest, proof: 'vatId', decision: 'decline', reason: 'Of another name' } as const
    await admin.decideTaxStatus({ params: { id: ada._id }, body })
    const after = { vatId: 'ATU13585627', answer: 'declined', reason: 'Of another name' }
    return { subjectKind: 'user', subjectId: ada._id, subject: ada.email, before: null, after }
  },
  async addCustomerNote({ admin, ada }) {
    await admin.addCustomerNote({ params: { id: ada._id }, body: { text: 'Pays late.' } })
    return { subjectId: ada._id, subject: ada.email, before: null, after: { note: 'Pays late.' } }
  },
  async updateCustomerNote({ admin, ada }) {
    const note = await admin.addCustomerNote({ params: { id: ada._id }, body: { text: 'Pays late.' } })
    await admin.updateCustomerNote({ params: { id: note.insertedId }, body: { text: 'Pays.' } })
    return { subjectId: ada._id, before: { note: 'Pays late.' }, after: { note: 'Pays.' } }
  },
  async deleteCustomerNote({ admin, ada }) {
    const note = await admin.addCustomerNote({ params: { id: ada._id }, body: { text: 'Pays late.' } })
    await admin.deleteCustomerNote({ params: { id: note.insertedId } })
    return { subjectId: ada._id, before: { note: 'Pays late.' }, after: null }
  },
  async addPart({ admin }) {
    const { insertedId } = await admin.addPart({ body: form })
    return { subjectId: insertedId, subject: 'Hub', before: null, after: expect.objectContaining(form) }
  },
  async updatePart({ admin, partId }) {
    const { availableQuantity, ...part } = await admin.readPart({ params: { partId } })
    const stock = { availableQuantity: 0, availableQuantityBefore: availableQuantity }
    const body = { ...part, ...stock, perUnitPrice: 9, cartonSize: undefined }
    await admin.updatePart({ params: { partId }, body })
    const before = { perUnitPrice: 7, availableQuantity: 50 }
    return { subject: 'Chain', before, after: { perUnitPrice: 9, availableQuantity: 0 } }
  },
  async restockPart({ admin, partId }) {
    await admin.restockPart({ params: { partId }, body: { arrived: 5 } })
    return { before: { availableQuantity: 50 }, after: { availableQuantity: 55 } }
  },
  async restockParts({ admin, partId }) {
    await admin.restockParts({ body: { arrivals: [{ partId, arrived: 5 }] } })
    return { before: { availableQuantity: 50 }, after: { availableQuantity: 55 } }
  },
  async addDelivery({ admin, partId }) {
    const body = { expectedOn: '2030-05-12', quantity: 40 }
    await admin.addDelivery({ params: { partId }, body })
    return { subject: 'Chain', before: null, after: body }
  },
  async receiveDelivery({ admin, partId }) {
    const body = { expectedOn: '2030-05-12', quantity: 40 }
    const { insertedId: id } = await admin.addDelivery({ params: { partId }, body })
    await admin.receiveDelivery({ params: { id }, body: { arrived: 38 } })
    return {
      before: { expectedQuantity: 40, availableQuantity: 50 },
      after: { expectedQuantity: 2, availableQuantity: 88 },
    }
  },
  async addSynonym({ admin }) {
    const { insertedId } = await admin.addSynonym({ body: { phrase: 'Cogs', terms: 'cassette or sprocket' } })
    const after = { phrase: 'cog', terms: 'cassette or sprocket or cog' }
    return { subjectKind: 'search', subjectId: insertedId, subject: 'cog', before: null, after }
  },
  async updateSynonym({ admin }) {
    const { insertedId: id } = await admin.addSynonym({ body: { phrase: 'sadel', terms: 'saddle' } })
    await admin.updateSynonym({ params: { id }, body: { phrase: 'sadel', terms: 'seat' } })
    return { subject: 'sadel', before: { terms: 'saddle or sadel' }, after: { terms: 'seat or sadel' } }
  },
  async deleteSynonym({ admin }) {
    const { insertedId: id } = await admin.addSynonym({ body: { phrase: 'velg', terms: 'rim' } })
    await admin.deleteSynonym({ params: { id } })
    return { subject: 'velg', before: { phrase: 'velg', terms: 'rim or velg' }, after: null }
  },
  async replacePart({ shop, admin, partId }) {
    const { _id: byId } = await createPart(shop, { name: 'Chain 12', partNumber: 'WW-CN12' })
    const how = { startsOn: '2099-12-31', kind: 'direct' as const, note: 'Same.' }
    await admin.replacePart({ params: { partId }, body: { ...how, byId } })
    return {
      subjectKind: 'part',
      subjectId: partId,
      subject: 'Chain',
      after: { ...how, replacedBy: 'WW-CN12' },
    }
  },
  async removeReplacement({ shop, admin, partId }) {
    const { _id: byId } = await createPart(shop, { name: 'Chain 12', partNumber: 'WW-CN12' })
    const how = { startsOn: '2099-12-31', kind: 'direct' as const, note: 'Same.' }
    await admin.replacePart({ params: { partId }, body: { ...how, byId } })
    await admin.removeReplacement({ params: { partId } })
    return { subject: 'Chain', before: { ...how, replacedBy: 'WW-CN12' }, after: null }
  },
  async removeDelivery({ admin, partId }) {
    const body = { expectedOn: '2030-05-12', quantity: 40 }
    const { insertedId: id } = await admin.addDelivery({ params: { partId }, body })
    await admin.removeDelivery({ params: { id } })
    return { subjectId: partId, before: body, after: null }
  },
  async changePrices({ admin, partId }) {
    const change = { ids: partId, amount: 2 }
    const { digest } = await admin.previewPrices({ body: change })
    await admin.changePrices({ body: { ...change, digest } })
    return { subject: 'Chain', before: { perUnitPrice: 7 }, after: { perUnitPrice: 9 } }
  },
  async importProducts({ admin, partId }) {
    const { partNumber } = await admin.readPart({ params: { partId } })
    const csv = `Part number,Price\n${partNumber},9\n`
    const { digest } = await admin.previewImport({ body: { csv } })
    await admin.importProducts({ body: { csv, digest } })
    return { subject: 'Chain', before: { perUnitPrice: 7 }, after: { perUnitPrice: 9 } }
  },
  async addAttribute({ admin }) {
    const { insertedId: id } = await admin.addAttribute({ body: rotor })
    const after = expect.objectContaining({ name: 'Rotor', kind: 'number', unit: 'mm' })
    return { subjectKind: 'attribute', subjectId: id, subject: 'Rotor', before: null, after }
  },
  async updateAttribute({ admin }) {
    const { insertedId: id } = await admin.addAttribute({ body: rotor })
    await admin.updateAttribute({ params: { id }, body: { ...rotor, isFilter: true } })
    return { subjectId: id, before: { isFilter: false }, after: { isFilter: true } }
  },
  async moveAttribute({ admin }) {
    await admin.addAttribute({ body: { ...rotor, name: 'Pads' } })
    const { insertedId: id } = await admin.addAttribute({ body: rotor })
    await admin.moveAttribute({ params: { id }, body: { direction: 'up' } })
    return { subjectId: id, before: null, after: { before: 'Pads' } }
  },
  async deleteAttribute({ admin }) {
    const { insertedId: id } = await admin.addAttribute({ body: rotor })
    await admin.deleteAttribute({ params: { id } })
    return { subjectId: id, before: expect.objectContaining({ name: 'Rotor', parts: 0 }), after: null }
  },
  async updateSpecifications({ admin, partId }) {
    const { insertedId: attributeId } = await admin.addAttribute({ body: rotor })
    const values = [{ attributeId, value: '18 cm', before: '' }]
    await admin.updateSpecifications({ params: { partId }, body: { values } })
    return { subjectId: partId, before: { Rotor: null }, after: { Rotor: '180 mm' } }
  },
  async importPartData({ admin, partId }) {
    await admin.addAttribute({ body: rotor })
    const { partNumber } = await admin.readPart({ params: { partId } })
    const csv = `Part number,Kind,Name,Value\n${partNumber},specification,Rotor,180\n`
    const { digest } = await admin.previewPartData({ body: { csv } })
    await admin.importPartData({ body: { csv, digest } })
    return { subjectId: partId, before: { Rotor: null }, after: { Rotor: '180 mm' } }
  },
  async exportPartData({ admin }) {
    await admin.exportPartData({ body: { category: 'Chains' } })
    return { subjectKind: 'export', after: { category: 'Chains' } }
  },
  async uploadModel({ admin, partId }) {
    await admin.uploadModel({ body: { part: partId, file: toBase64(triangle()) } })
    return { subjectId: partId, before: null, after: { size: expect.any(Number), triangles: 1 } }
  },
  async deleteModel({ admin, partId }) {
    await admin.uploadModel({ body: { part: partId, file: toBase64(triangle()) } })
    await admin.deleteModel({ params: { partId } })
    return { subjectId: partId, before: { size: expect.any(Number), triangles: 1 }, after: null }
  },
  async addPartDocument({ admin, partId }) {
    await admin.addPartDocument({ body: { part: partId, kind: 'manual', title: 'Mounting', file: pdf } })
    return { subjectId: partId, before: null, after: { kind: 'Manual', title: 'Mounting', size: 14 } }
  },
  async deletePartDocument({ admin, partId }) {
    const { _id: id } = await admin.addPartDocument({
      body: { part: partId, kind: 'manual', title: 'Mounting', file: pdf },
    })
    await admin.deletePartDocument({ params: { partId, id } })
    return { subjectId: partId, before: { kind: 'Manual', title: 'Mounting', size: 14 }, after: null }
  },
  async addDrawing({ admin, partId }) {
    const { id } = await addDrawing(admin, partId)
    return {
      subjectKind: 'drawing',
      subjectId: id,
      subject: 'Brakes',
      before: null,
      after: expect.any(Object),
    }
  },
  async updateDrawing({ admin, partId }) {
    const { id, body } = await addDrawing(admin, partId)
    await admin.updateDrawing({ params: { id }, body: { ...body, title: 'Brake', revision: 1 } })
    return { subjectId: id, before: { title: 'Brakes' }, after: { title: 'Brake' } }
  },
  async deleteDrawing({ admin, partId }) {
    const { id } = await addDrawing(admin, partId)
    await admin.deleteDrawing({ params: { id } })
    return { subjectId: id, before: expect.objectContaining({ title: 'Brakes' }), after: null }
  },
  async deleteProduct({ admin, partId }) {
    await admin.deleteProduct({ params: { id: partId } })
    return { subjectId: partId, before: expect.objectContaining({ name: 'Chain' }), after: null }
  },
  async shipOrder({ admin, placePaid }) {
    const { orderId, number } = await placePaid()
    await admin.shipOrder({ params: { id: orderId }, body: { carrier: 'UPS' } })
    const after = { shipped: ['10 × Chain'], carrier: 'UPS', trackingNumber: null }
    return { subjectKind: 'order', subjectId: orderId, subject: `#${number}`, before: null, after }
  },
  async shipPurchase({ admin, placePaid }) {
    const { _id: id, orderId } = await placePaid()
    await admin.shipPurchase({ params: { id } })
    return { subjectId: orderId, after: expect.objectContaining({ shipped: ['10 × Chain'] }) }
  },
  async shipOrders({ admin, placePaid }) {
    const { orderId } = await placePaid()
    await admin.shipOrders({ body: { orders: [orderId] } })
    return { subjectId: orderId, after: expect.objectContaining({ shipped: ['10 × Chain'] }) }
  },
  async saveTracking({ admin, placePaid }) {
    const { _id: id } = await placePaid()
    const { _id } = await admin.shipOrder({ params: { id }, body: {} })
    await admin.saveTracking({ body: { shipments: [{ _id, trackingNumber: 'X1' }] } })
    return { before: { trackingNumber: null }, after: { trackingNumber: 'X1' } }
  },
  async undoShipments({ admin, placePaid }) {
    const { _id: id } = await placePaid()
    const { _id } = await admin.shipOrder({ params: { id }, body: {} })
    await admin.undoShipments({ body: { shipments: [_id] } })
    return { before: { shipped: ['10 × Chain'] }, after: null }
  },
  async updateTracking({ admin, placePaid }) {
    const { _id: id } = await placePaid()
    const { _id } = await admin.shipOrder({ params: { id }, body: {} })
    await admin.updateTracking({ params: { id: _id }, body: { trackingNumber: 'X1' } })
    return { before: { trackingNumber: null }, after: { trackingNumber: 'X1' } }
  },
  async removeShipment({ admin, placePaid }) {
    const { _id: id } = await placePaid()
    const { _id } = await admin.shipOrder({ params: { id }, body: {} })
    await admin.removeShipment({ params: { id: _id } })
    return { before: { shipped: ['10 × Chain'] }, after: null }
  },
  async cancelPurchase({ admin, place }) {
    const { _id: id, orderId } = await place()
    await admin.cancelPurchase({ params: { id } })
    return { subjectId: orderId, before: { items: ['10 × Chain'] }, after: null }
  },
  async cancelOrder({ admin, place }) {
    const { orderId } = await place()
    await admin.cancelOrder({ params: { id: orderId } })
    return { subjectId: orderId, before: { items: ['10 × Chain'] }, after: null }
  },
  async refundPurchase({ admin, placePaid }) {
    const { _id: id } = await placePaid()
    await admin.refundPurchase({ params: { id }, body: { amount: 20, reason: 'Late', returned: 2 } })
    return { after: { item: '10 × Chain', refunded: 20, reason: 'Late', returnedToStock: 2 } }
  },
  async refundOrder({ admin, placePaid }) {
    const { _id: lineId, orderId } = await placePaid()
    const lines = [{ lineId, amount: 20, returned: 2 }]
    await admin.refundOrder({ params: { id: orderId }, body: { lines, reason: 'Late' } })
    const items = ['10 × Chain: $20']
    return {
      subjectId: orderId,
      after: { items, refunded: 20, reason: 'Late', returnedToStock: ['2 × Chain'] },
    }
  },
  async changeDelivery({ admin, place }) {
    const { orderId } = await place()
    await admin.changeDelivery({ params: { id: orderId }, body: { ...purchase, address: '5 Mill Lane' } })
    return { subjectId: orderId, after: expect.objectContaining({ address: '5 Mill Lane' }) }
  },
  async decideCancellation({ admin, customer, placePaid }) {
    const { _id: line, orderId } = await placePaid()
    await admin.updateSettings({ body: { section: 'changes', cancelPaid: 'on request', version: 0 } })
    await customer.cancelItems({ params: { id: orderId }, body: { lines: [line] } })
    const { requests } = await customer.readCancellations({ params: { id: orderId } })
    const body = { decision: 'decline', message: 'It is packed.' } as const
    await admin.decideCancellation({ params: { id: requests[0]!._id }, body })
    const after = { items: ['10 × Chain'], answer: 'declined', message: 'It is packed.' }
    return { subjectId: orderId, after }
  },
  async addQuote(scene) {
    const { id } = await addQuote(scene)
    const after = expect.objectContaining({ email: 'ada@example.com', items: ['10 × Chain at $6'] })
    return { subjectKind: 'quote', subjectId: id, before: null, after }
  },
  async updateQuote(scene) {
    const { id, quote } = await addQuote(scene)
    const { version } = await scene.admin.readQuote({ params: { id } })
    await scene.admin.updateQuote({ params: { id }, body: { ...quote, note: 'By Friday', version } })
    return { subjectId: id, before: { note: null }, after: { note: 'By Friday' } }
  },
  async sendQuote(scene) {
    const { id } = await addQuote(scene)
    await scene.admin.sendQuote({ params: { id } })
    return { subjectId: id }
  },
  async withdrawQuote(scene) {
    const { id } = await addQuote(scene)
    await scene.admin.sendQuote({ params: { id } })
    await scene.admin.withdrawQuote({ params: { id } })
    return { subjectId: id }
  },
  async completePaymentTask({ shop, admin, place }) {
    const { orderId, number } = await place()
    const task = { orderId, kind: 'dispute', reference: 'dp_1', detail: '' } as const
    const [{ _id: id } = { _id: '' }] = await shop.db.insert(paymentTasks).values(task).returning()
    await admin.completePaymentTask({ params: { id } })
    return { subject: `#${number}`, after: { task: 'dispute', reference: 'dp_1' } }
  },
  async replyToMessage(scene) {
    const id = await sendMessage(scene)
    await scene.admin.replyToMessage({ params: { id }, body: { text: 'Yes, we do.' } })
    return { subject: 'Ada', before: null, after: { reply: 'Yes, we do.' } }
  },
  async writeAboutOrder({ admin, place }) {
    const { orderId: id, number } = await place()
    await admin.writeAboutOrder({ params: { id }, body: { message: 'It ships on Monday.' } })
    return { subject: `#${number}`, before: null, after: { message: 'It ships on Monday.' } }
  },
  async assignMessage(scene) {
    const id = await sendMessage(scene)
    await scene.admin.assignMessage({ params: { id }, body: { assignee: scene.boss.email } })
    return { subject: 'Ada', before: { assignee: null }, after: { assignee: scene.boss.email } }
  },
  async markMessage(scene) {
    const id = await sendMessage(scene)
    const { admin } = scene
    await admin.markMessage({ params: { id }, body: { answered: true } })
    return { subject: 'Ada', before: { answered: false }, after: { answered: true } }
  },
  async hideReview(scene) {
    const id = await addReview(scene)
    await scene.admin.hideReview({ params: { id }, body: { reason: 'Names a person' } })
    const after = { hidden: true, reason: 'Names a person' }
    const values = { before: { hidden: false, reason: null }, after }
    return { subjectKind: 'review', subjectId: id, subject: 'Ada', ...values }
  },
  async showReview(scene) {
    const id = await addReview(scene)
    await scene.admin.hideReview({ params: { id }, body: { reason: 'Names a person' } })
    await scene.admin.showReview({ params: { id } })
    const before = { hidden: true, reason: 'Names a person' }
    return { subject: 'Ada', before, after: { hidden: false, reason: null } }
  },
  async updateSettings({ admin }) {
    const { value, version } = (await admin.readSettings()).company
    await admin.updateSettings({ body: { section: 'company', version, ...value, phone: '+1 555 010 7777' } })
    const values = { before: { phone: value.phone }, after: { phone: '+1 555 010 7777' } }
    return { subjectKind: 'settings', subjectId: 'company', subject: 'Company', ...values }
  },
  async answerReview(scene) {
    const id = await addReview(scene)
    await scene.admin.answerReview({ params: { id }, body: { answer: 'Thank you.' } })
    return { subject: 'Ada', before: { answer: null }, after: { answer: 'Thank you.' } }
  },
}

const exportQueries = {
  exportOrders: { q: 'ada', status: 'unpaid' },
  exportProducts: { q: 'chain' },
  exportMessages: { q: 'hello' },
  exportAuditLog: { q: 'boss' },
  exportPayments: { from: '2026-02-28', to: '2026-03-01' },
  exportUsers: { role: 'customer' },
} as const
for (const [name, query] of Object.entries(exportQueries))
  changes[name] = async ({ admin }) => {
    const send = admin[name as 'exportOrders']
    const file = await send({ body: query as object })
    return { subjectKind: 'export', subject: file.name, before: null, after: query }
  }
for (const name of ['exportSelectedOrders', 'exportSelectedProducts'] as const)
  changes[name] = async ({ admin, partId }) => {
    const file = await admin[name]({ body: { ids: [partId] } })
    return { subjectKind: 'export', subject: file.name, before: null, after: { selected: 1 } }
  }
function pickValues(entry: object) {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key === 'before' || key === 'after'))
}

async function addQuote({ admin, partId }: Scene) {
  const quote = {
    email: 'ada@example.com',
    name: 'Ada',
    validUntil: '2999-12-31',
    lines: [{ partId, quantity: 10, unitPrice: 6 }],
  }
  return { id: (await admin.addQuote({ body: quote })).insertedId, quote }
}

async function addReview({ customer }: Scene) {
  return (await customer.addReview({ body: { address: 'Gdynia', reviews: 'Runs true.', rating: 5 } }))
    .insertedId
}

/** The first only lets the admin upload a picture, which no page shows before a part has it; views are the admin’s own. */
const changesNothing = [
  'previewEmail',
  'previewSynonym',
  'createUpload',
  'previewImport',
  'previewPartData',
  'saveView',
  'deleteView',
]

const adminCalls = Object.entries(api as Record<string, AnyCall>)
  .filter(([name, { method, access }]) => {
    const isForAdmins = access === 'admin' || access === 'owner'
    const isExport = name.startsWith('export')
    return (method !== 'GET' || isExport) && isForAdmins && !changesNothing.includes(name)
  })
  .map(([name]) => name)

for (const name of adminCalls) {
  test(`${name} is in the audit log with the admin, the subject and what changed`, async () => {
    const scene = await createScene()
    const { boss, admin } = scene
    const expected = await changes[name]!(scene)
    const { rows } = await admin.listAuditLog({ body: { limit: 1 } })
    const by = { _id: boss._id, name: 'Boss', email: boss.email }
    const { before, after } = rows[0]!
    // Nothing that stayed the same.
    expect({ before, after }).toEqual({ before, after, ...pickValues(expected) })
    expect(rows).toMatchObject([{ action: name, by, network: '192.0.2.1', ...expected }])
  })
}

test('each action has a name for people, and each is a call', () => {
  // By somebody who becomes an admin.
  expect(Object.keys(auditActions).sort()).toEqual([...adminCalls, 'acceptInvitation'].sort())
})

test('a change that is refused, or changes nothing, is not in the audit log', async () => {
  const { admin, boss, customer, partId, place } = await createScene()
  const { _id: id } = await place()
  await expect(admin.shipPurchase({ params: { id } })).rejects.toMatchObject({ status: 409 })
  await expect(admin.removeAdmin({ params: { email: boss.email } })).rejects.toMatchObject({ status: 409 })
  await admin.makeAdmin({ params: { email: boss.email } })
  await customer.cancelPurchase({ params: { id } })
  await expect(admin.restockPart({ params: { partId }, body: { arrived: 1_000_000 } })).rejects.toMatchObject(
    { status: 400 },
  )
  expect(await admin.listAuditLog()).toEqual({ rows: [], total: 0 })
})

test('an admin who was made one on the command line is in the audit log', async () => {
  const { shop, admin, ada } = await createScene()
  await grantAdminIn(shop.db, { email: ada.email, confirmAddress: undefined })
  const { rows } = await admin.listAuditLog()
  expect(rows).toMatchObject([{ action: 'makeAdmin', by: { name: 'Command line' }, network: null }])
})

test('the database refuses to change, delete or truncate the audit log', async () => {
  const { shop, admin, partId } = await createScene()
  await admin.restockPart({ params: { partId }, body: { arrived: 5 } })
  for (const statement of [
    sql`update ${auditLog} set by_name = 'Nobody'`,
    sql`delete from ${auditLog}`,
    sql`truncate ${auditLog}`,
  ])
    await expect(shop.db.execute(statement)).rejects.toMatchObject({
      cause: { message: 'audit_log is append-only' },
    })
  expect((await admin.listAuditLog()).total).toBe(1)
})

test('listAuditLog supports search by subject and admin, filters, sort and paging', async () => {
  const { shop, admin, partId, ada } = await createScene()
  const eve = await clientOf(shop, await createUser(shop, 'Eve', 'admin'))
  const { _id: hub } = await createPart(shop, { name: 'Hub' })
  await eve.restockPart({ params: { partId: hub }, body: { arrived: 1 } })
  await eve.restockPart({ params: { partId }, body: { arrived: 1 } })
  await admin.restockPart({ params: { partId }, body: { arrived: 2 } })
  await admin.makeAdmin({ params: { email: ada.email } })
  const found = async (body: Parameters<typeof admin.listAuditLog>[0] extends infer T ? T : never) =>
    (await admin.listAuditLog(body)).rows.map(({ subject, by }) => `${by.name} ${subject}`)
  const [oldest, first, second, third] = ['Eve Hub', 'Eve Chain', 'Boss Chain', `Boss ${ada.email}`]
  expect(await found({})).toEqual([third, second, first, oldest])
  expect(await found({ body: { sort: 'added' } })).toEqual([oldest, first, second, third])
  expect(await found({ body: { q: 'CHÁIN ev' } })).toEqual([first])
  expect(await found({ body: { q: 'boss@example.com ADA@EXAMPLE' } })).toEqual([third])
  expect(await found({ body: { subjectKind: 'part' } })).toEqual([second, first, oldest])
  expect(await found({ body: { subjectId: hub } })).toEqual([oldest])
  expect(await found({ body: { subjectKind: 'part', subjectId: partId } })).toEqual([second, first])
  expect(await found({ body: { action: 'makeAdmin' } })).toEqual([third])
  // People read both as received stock.
  expect(await found({ body: { action: 'restockParts' } })).toEqual([second, first, oldest])
  expect(await found({ body: { limit: 1, page: 2 } })).toEqual([second])
})

test('indexes find the changes and the reviews of a search', async () => {
  const { shop } = await createScene()
  const planOf = (from: SQL) =>
    shop.db.transaction(async (tx) => {
      // Small tables are faster to read whole.
      await tx.execute(sql`set local enable_seqscan = off`)
      const rows = await executeRows<{ 'QUERY PLAN': string }>(tx, sql`explain ${from}`)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  expect(await planOf(sql`select from ${auditLog} where ${auditConditions({ q: 'boss chain' })}`)).toContain(
    'audit_log_text',
  )
  expect(await planOf(sql`select from ${reviews} where ${reviewConditions({ q: 'ada chain' })}`)).toContain(
    'reviews_text',
  )
})
