import type { ComponentProps } from 'react'
import { useCompany } from '#app/company.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { findRegions, listCountries } from '#shop/addresses/countries.ts'
import { exemptionForm, type MyTaxStatus, vatIdForm } from '#shop/charges/tax-status.ts'
import { useTaxForm } from './use-tax-form.ts'

interface Props {
  email: string
  status: MyTaxStatus
  onClose: () => void
}

export function VatIdDialog({ email, status, onClose }: Props) {
  const { country = '', number = '' } = status.vatId ?? {}
  const { dialog, form, message, submit, cancel } = useTaxForm({
    kind: 'vatId',
    email,
    status,
    schema: vatIdForm,
    initial: { country, number },
    names: ['country', 'number'],
  })
  const { register, formState } = form
  const { errors, isSubmitting } = formState
  return (
    <FormDialog
      ref={dialog}
      title={status.vatId ? 'Edit VAT ID' : 'Add VAT ID'}
      onSubmit={submit}
      onClose={onClose}
    >
      <CountryField error={errors.country?.message} {...register('country')} />
      <Field
        label="VAT ID"
        autoComplete="off"
        error={errors.number?.message}
        hint="With or without the country code"
        {...register('number')}
      />
      <FormError message={message} />
      <FormDialogActions label="Save VAT ID" busy={isSubmitting} onCancel={cancel} />
    </FormDialog>
  )
}

export function ExemptionDialog({ email, status, onClose }: Props) {
  const company = useCompany()
  const { exemption } = status
  const { country = company.country, region = '', number = '', until = '' } = exemption ?? {}
  const { dialog, form, message, submit, cancel } = useTaxForm({
    kind: 'exemption',
    email,
    status,
    schema: exemptionForm,
    initial: { country, region: region ?? '', number, until },
    names: ['country', 'region', 'number', 'until'],
  })
  const { register, setValue, watch, formState } = form
  const { errors, isSubmitting } = formState
  const regions = findRegions(watch('country'))
  return (
    <FormDialog
      ref={dialog}
      title={exemption ? 'Edit exemption certificate' : 'Add exemption certificate'}
      onSubmit={submit}
      onClose={onClose}
    >
      <CountryField
        error={errors.country?.message}
        {...register('country', { onChange: () => setValue('region', '') })}
      />
      {regions && (
        <SelectField label={regions.label} optional error={errors.region?.message} {...register('region')}>
          <option value="">All of the country</option>
          {regions.regions.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <Field
        label="Certificate number"
        autoComplete="off"
        error={errors.number?.message}
        {...register('number')}
      />
      <Field
        label="Last valid day"
        type="date"
        autoComplete="off"
        error={errors.until?.message}
        {...register('until')}
      />
      <FormError message={message} />
      <FormDialogActions label="Save certificate" busy={isSubmitting} onCancel={cancel} />
    </FormDialog>
  )
}

function CountryField(props: { error: string | undefined } & ComponentProps<'select'>) {
  return (
    <SelectField label="Country" {...props}>
      <option value="">Choose a country</option>
      {listCountries().map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
