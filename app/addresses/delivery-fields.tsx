import { type ComponentProps, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCompany } from '#app/company.ts'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import {
  type Delivery,
  describeAddress,
  isSameDelivery,
  maxAddresses,
  type SavedAddress,
  toDeliveryInput,
} from '#shop/addresses/address.ts'
import { AddressFields } from './address-fields.tsx'
import { emptyDelivery } from './delivery.ts'

type InputProps = ComponentProps<'input'> & ComponentProps<'select'>

interface Props {
  addresses: SavedAddress[]
  /** The name of the account, to which an order goes without another one. */
  accountName: string
  /** As typed. */
  value: Delivery
  errors: { [Name in keyof Delivery]?: string | undefined }
  disabled?: boolean
  /** At the factory, so that the address is for the invoice. */
  isCollected?: boolean
  /** Whether the address can be saved for later orders. */
  canSave?: boolean
  /** Whether the fields are hidden while a saved address is chosen. */
  folds?: boolean
  /** What makes an input one of the form: `register` of React Hook Form, or its value and change handler. */
  field: (name: keyof Delivery | 'saveAddress') => InputProps
  onChoose: (delivery: Delivery) => void
  onCountry: (country: string) => void
}

/** Where an order goes: a choice of saved addresses, if there are any, and the fields that it fills in. */
export function DeliveryFields({
  addresses,
  accountName,
  value,
  errors,
  disabled = false,
  isCollected = false,
  canSave = true,
  folds = false,
  field: register,
  onChoose,
  onCountry,
}: Props) {
  const { country: home } = useCompany()
  const chosen = addresses.find((saved) => isSameDelivery(toDeliveryInput(saved, home), value))
  const [isTyping, setIsTyping] = useState(false)
  const isFolded =
    folds && !isTyping && !disabled && chosen !== undefined && !Object.values(errors).some(Boolean)
  const field: Props['field'] = (name) => ({ ...register(name), ...(isFolded && { tabIndex: -1 }) })
  // The first one is saved anyway.
  const canBeSaved = canSave && addresses.length > 0 && addresses.length < maxAddresses && !chosen
  return (
    <>
      {addresses.length > 0 && (
        <Chooser
          addresses={addresses}
          accountName={accountName}
          chosen={isTyping ? undefined : chosen}
          value={value}
          disabled={disabled}
          isCollected={isCollected}
          onChoose={(delivery, saved) => {
            setIsTyping(folds && !saved)
            onChoose(delivery)
          }}
        />
      )}
      {/* Folded fields stay where labels find them, and open when they are focused. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the focus is that of a field inside */}
      <div className={isFolded ? 'sr-only' : 'contents'} onFocus={() => isFolded && setIsTyping(true)}>
        <AddressFields
          value={value}
          errors={errors}
          disabled={disabled}
          field={field}
          onCountry={onCountry}
        />
        <Field
          label="Phone Number"
          type="tel"
          autoComplete="tel"
          error={errors.phoneNumber}
          hint="Up to 11 digits, such as +1 555 010 1992. Spaces, +, brackets and dashes don’t count."
          hintStays
          disabled={disabled}
          {...field('phoneNumber')}
        />
        {!disabled && !isFolded && (
          <RecipientFields
            accountName={accountName}
            value={value}
            errors={errors}
            isCollected={isCollected}
            field={field}
          />
        )}
        {!disabled && canBeSaved && value.address.trim() !== '' && (
          <label className="mb-4 flex items-center gap-3 text-sm">
            <input type="checkbox" className="checkbox checkbox-sm" {...field('saveAddress')} />
            Save for later orders
          </label>
        )}
      </div>
    </>
  )
}

interface ChooserProps
  extends Pick<Props, 'addresses' | 'accountName' | 'value' | 'disabled' | 'isCollected'> {
  chosen: SavedAddress | undefined
  /** Of a saved address, or of another one. */
  onChoose: (delivery: Delivery, saved: SavedAddress | undefined) => void
}

/** Shows the whole of the chosen address; the select over it is what is used. */
function Chooser({ addresses, accountName, chosen, value, disabled, isCollected, onChoose }: ChooserProps) {
  const { country: home } = useCompany()
  const typed = useRef<Delivery>(undefined)
  const id = useId()

  function choose(id: string) {
    if (!chosen) typed.current = value
    const saved = addresses.find(({ _id }) => _id === id)
    const another = typed.current ?? { ...emptyDelivery, country: home, phoneNumber: value.phoneNumber }
    onChoose(saved ? toDeliveryInput(saved, home) : another, saved)
  }

  return (
    <div className="mb-4 sm:col-span-full">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {isCollected ? 'Your address' : 'Deliver to'}
      </label>
      <div className="select h-auto w-full py-2.5 whitespace-normal">
        <p aria-hidden="true" className="min-w-0 wrap-anywhere">
          {chosen ? (
            <>
              <span className="font-semibold">{chosen.recipient || accountName}</span>
              <span className="block text-base-content/75">
                {describeAddress({ ...chosen, recipient: '' }, home)}
                <span className="block">{chosen.phoneNumber}</span>
              </span>
            </>
          ) : (
            'Another address'
          )}
        </p>
        <select
          id={id}
          className="absolute inset-0 m-0 size-full cursor-pointer appearance-none opacity-0"
          disabled={disabled}
          value={chosen?._id ?? ''}
          onChange={(event) => choose(event.target.value)}
        >
          {addresses.map((saved) => (
            <option key={saved._id} value={saved._id}>
              {describeAddress(saved, home)}
            </option>
          ))}
          <option value="">Another address</option>
        </select>
      </div>
    </div>
  )
}

/** A button until they are wanted or filled in. */
function RecipientFields({
  accountName,
  value,
  errors,
  isCollected,
  field,
}: Pick<Props, 'accountName' | 'value' | 'errors' | 'isCollected' | 'field'>) {
  const [isOpen, setIsOpen] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const isShown = isOpen || [value.recipient, value.company, errors.recipient, errors.company].some(Boolean)

  function open() {
    flushSync(() => setIsOpen(true))
    fields.current?.querySelector('input')?.focus()
  }

  if (!isShown)
    return (
      <button
        type="button"
        className="btn btn-ghost btn-sm -mt-1 mb-4 -ml-3 justify-self-start"
        onClick={open}
      >
        <Icon name="plus" className="size-4" />
        Add a name or company
      </button>
    )
  return (
    // Stays open while somebody empties a field.
    <div ref={fields} onInput={() => setIsOpen(true)}>
      <Field
        label={isCollected ? 'Name' : 'Name on the delivery'}
        optional
        autoComplete="name"
        error={errors.recipient}
        hint={`Leave empty for ${accountName}`}
        {...field('recipient')}
      />
      <Field
        label="Company"
        optional
        autoComplete="organization"
        error={errors.company}
        {...field('company')}
      />
    </div>
  )
}
