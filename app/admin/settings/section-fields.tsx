import type { ReactNode } from 'react'
import { Field, SelectField, TextField } from '#app/ui/field.tsx'
import { listCountries } from '#shop/addresses/countries.ts'
import { type MailKind, mailKinds } from '#shop/settings/mail-kinds.ts'
import type { Section } from '#shop/settings/settings.ts'
import { HolidaysField, SavedPromise, WeekendField } from './dispatch-fields.tsx'
import { PreviewedMail } from './previewed-mail.tsx'
import type { SectionFields, SettingsForm } from './section-form.tsx'

/** What `Field` needs of a field of the form. */
function field({ register, formState: { errors } }: SettingsForm, name: string) {
  const [first = '', second] = name.split('.')
  const error = errors[first] as Record<string, { message?: string }> & { message?: string }
  return { error: (second ? error?.[second] : error)?.message, ...register(name) }
}

function row(children: ReactNode) {
  return <div className="grid gap-x-6 sm:grid-cols-2">{children}</div>
}

const company: SectionFields = {
  intro: 'On pages, papers and in emails. Invoices that were issued keep what they were issued with.',
  labels: { name: 'Name', address: 'Address', country: 'Country', phone: 'Phone', email: 'Email' },
  show: (form) => (
    <>
      <Field label="Company name" autoComplete="organization" {...field(form, 'name')} />
      <Field label="Company address" autoComplete="street-address" {...field(form, 'address')} />
      <SelectField
        label="Country"
        autoComplete="country"
        hint="Orders go there if their address names no other country. Papers and emails name the country of those that do."
        {...field(form, 'country')}
      >
        {listCountries().map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      {row(
        <>
          <Field label="Phone" type="tel" autoComplete="tel" {...field(form, 'phone')} />
          <Field label="Email" type="email" autoComplete="email" {...field(form, 'email')} />
        </>,
      )}
    </>
  ),
}

const tax: SectionFields = {
  intro: 'Below the company’s address on invoices and credit notes.',
  labels: { ids: 'Tax IDs' },
  show: (form) => (
    <TextField
      label="Tax IDs"
      rows={2}
      optional
      hint="Optional. One on each line, such as VAT ID: XX123456789."
      {...field(form, 'ids')}
    />
  ),
}

const bank: SectionFields = {
  intro: 'At the foot of invoices.',
  labels: { details: 'Bank details' },
  show: (form) => (
    <TextField
      label="Bank details"
      rows={3}
      optional
      hint="Optional. Bank, IBAN and BIC."
      {...field(form, 'details')}
    />
  ),
}

const textHint =
  'Leave it empty to show the text that the shop comes with. A line after ## is a heading, lines after - are a list, and an empty line ends a paragraph.'

const texts: SectionFields = {
  intro: 'Instead of the pages that the shop comes with, which know its deadlines and limits.',
  labels: { terms: 'Terms of sale', returns: 'Returns', privacy: 'Privacy' },
  show: (form) => (
    <>
      <TextField label="Terms of sale" rows={6} optional hint={textHint} {...field(form, 'terms')} />
      <TextField label="Returns" rows={4} optional {...field(form, 'returns')} />
      <TextField label="Privacy" rows={4} optional {...field(form, 'privacy')} />
    </>
  ),
}

const dispatch: SectionFields = {
  intro: 'When paid orders ship: customers see the date before they pay. Orders that are paid keep theirs.',
  labels: {
    workingDays: 'Working days',
    cutOffHour: 'Cut-off hour',
    weekend: 'Weekend',
    holidays: 'Holidays',
  },
  show: (form) => (
    <>
      {row(
        <>
          <Field
            label="Working days until an order ships"
            inputMode="numeric"
            hint="0 ships it on the day it is paid."
            {...field(form, 'workingDays')}
          />
          <Field
            label="Cut-off hour"
            inputMode="numeric"
            hint="From 0 to 23. What is paid later counts as paid on the next working day."
            {...field(form, 'cutOffHour')}
          />
        </>,
      )}
      <WeekendField form={form} />
      <HolidaysField form={form} />
      <SavedPromise />
    </>
  ),
}

const changes: SectionFields = {
  intro: 'Customers can cancel items until they ship. Unpaid ones are cancelled at once.',
  labels: { cancelPaid: 'When items are paid' },
  show: (form) => (
    <SelectField label="When items are paid" {...field(form, 'cancelPaid')}>
      <option value="at once">Refund them at once</option>
      <option value="on request">Ask an admin first</option>
    </SelectField>
  ),
}

const numbers: SectionFields = {
  intro: 'Printed before each number. Orders and papers that have a number keep it as it is.',
  labels: { order: 'Orders', invoice: 'Invoices', creditNote: 'Credit notes' },
  show: (form) => (
    <div className="grid gap-x-6 sm:grid-cols-3">
      <Field label="Prefix of orders" optional hint="Such as WW-" {...field(form, 'order')} />
      <Field label="Prefix of invoices" optional hint="Such as INV-" {...field(form, 'invoice')} />
      <Field label="Prefix of credit notes" optional hint="Such as CN-" {...field(form, 'creditNote')} />
    </div>
  ),
}

const mails: SectionFields = {
  intro: 'Lines of your own in the emails that customers get, below the greeting and above the signature.',
  labels: { senderName: 'Sender’s name', ...mailKinds },
  show: (form) => (
    <>
      <Field
        label="Sender’s name"
        optional
        hint="Optional. Without one, the company’s name."
        {...field(form, 'senderName')}
      />
      {(Object.keys(mailKinds) as MailKind[]).map((kind) => (
        <PreviewedMail key={kind} form={form} kind={kind}>
          <TextField
            label={`${mailKinds[kind]}: line above`}
            rows={2}
            optional
            {...field(form, `${kind}.above`)}
          />
          <TextField
            label={`${mailKinds[kind]}: line below`}
            rows={2}
            optional
            {...field(form, `${kind}.below`)}
          />
        </PreviewedMail>
      ))}
    </>
  ),
}

const notifications: SectionFields = {
  intro: 'Who gets the shop’s own emails. An empty field stands for the owner’s address of the installation.',
  labels: {
    paidOrders: 'Paid orders',
    messages: 'Messages',
    disputes: 'Disputes',
    failedRefunds: 'Failed refunds',
  },
  show: (form) =>
    row(
      <>
        <Field label="Paid orders" type="email" optional {...field(form, 'paidOrders')} />
        <Field label="Messages" type="email" optional {...field(form, 'messages')} />
        <Field label="Disputes" type="email" optional {...field(form, 'disputes')} />
        <Field label="Failed refunds" type="email" optional {...field(form, 'failedRefunds')} />
      </>,
    ),
}

/** What has no screen of its own. */
export const sectionFields: Record<Exclude<Section, 'deliveryAndTax'>, SectionFields> = {
  company,
  dispatch,
  changes,
  tax,
  bank,
  numbers,
  mails,
  notifications,
  texts,
}
