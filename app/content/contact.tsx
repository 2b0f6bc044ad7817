import type { ReactNode } from 'react'
import { useCompany } from '#app/company.ts'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { ContactForm } from './contact-form.tsx'

export function Contact() {
  const { address, phone, email } = useCompany()
  return (
    <section
      id="contact"
      tabIndex={-1}
      aria-labelledby="contact-heading"
      className="mt-20 grid outline-none gap-x-16 gap-y-8 border-t-2 border-base-content pt-8 lg:grid-cols-[1fr_1.6fr]"
    >
      <div>
        <h2 id="contact-heading">Contact us</h2>
        <p className="mt-3 max-w-[40ch] text-base-content/80">
          Questions about fit, bulk prices or a part that’s not in the catalogue? Email or call us, and
          someone who knows the parts will answer.
        </p>
        <address className="mt-6 flex flex-col gap-3 not-italic">
          <Detail icon="place">{address}</Detail>
          <Detail icon="phone">
            <a href={`tel:${phone.replaceAll(' ', '')}`} className="hover:underline">
              {phone}
            </a>
          </Detail>
          <Detail icon="mail">
            <a href={`mailto:${email}`} className="hover:underline">
              {email}
            </a>
          </Detail>
        </address>
      </div>
      <ContactForm />
    </section>
  )
}

function Detail({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className="flex items-center gap-3">
      <Icon name={icon} className="size-5 text-primary" />
      {children}
    </p>
  )
}
