import { expect, test } from 'vitest'
import { z } from 'zod'
import { messageForm } from '#shop/messages/message.ts'
import { loginForm, newPasswordForm, registrationForm } from './user.ts'

function errors(form: z.ZodType, input: object) {
  const result = form.safeParse(input)
  return result.success ? {} : z.flattenError(result.error).fieldErrors
}

test('the login form requires both fields with the specified messages', () => {
  expect(errors(loginForm, { email: '', password: '' })).toMatchObject({
    email: ['Email is required', 'Provide a valid email'],
    password: ['Password is required', 'Must be 6 characters or longer'],
  })
  expect(errors(loginForm, { email: 'ada', password: '12345' })).toEqual({
    email: ['Provide a valid email'],
    password: ['Must be 6 characters or longer'],
  })
})

test('the login form accepts valid email addresses', () => {
  for (const email of ['a.b@c.co.uk', 'x@y.info', ' Ada+shop@Example.com ']) {
    expect(errors(loginForm, { email, password: '123456' }), email).toEqual({})
  }
})

test('an international domain is the same email address in every browser', () => {
  const typed = [
    'ada@bücher.example',
    ' Ada@BÜCHER.example',
    'ada@bu\u0308cher.example',
    'ada@xn--bcher-kva.example',
  ]
  for (const email of typed)
    expect(loginForm.parse({ email, password: '123456' }).email).toBe('ada@xn--bcher-kva.example')
})

test('the login form rejects an invalid email address and says what to write', () => {
  const cases = {
    'ada@': 'Provide a valid email',
    'a b@example.com': 'Provide a valid email',
    '"ada"@example.com': 'Provide a valid email',
    'ada@bü/cher.example': 'Provide a valid email',
    'é@b.co': 'Before the @, use characters without accents, such as a to z',
    'a!b@example.com': 'Before the @, use only a to z, 0 to 9 and . _ + -',
    'ada@localhost': 'Enter an email like ada@example.com',
    'a..b@example.com': 'Enter an email like ada@example.com',
  }
  for (const [email, message] of Object.entries(cases))
    expect(errors(loginForm, { email, password: '123456' }), email).toEqual({ email: [message] })
})

test('forms and the sign-in provider accept the same email addresses', () => {
  const names = ['ada', 'a.b', '.a', 'a.', 'a..b', "o'brien", 'a+b', 'a_b', 'a!b', 'a/b', '-a', 'é', "a'"]
  const domains = [
    'example.com',
    'localhost',
    '-a.com',
    'a-.com',
    'a_b.com',
    'bücher.example',
    'a.b.c',
    '1.2.3.4',
    'b.co',
  ]
  for (const email of names.flatMap((name) => domains.map((domain) => `${name}@${domain}`))) {
    const login = loginForm.safeParse({ email, password: '123456' })
    const contact = messageForm.shape.email.safeParse(email)
    expect([email, contact.data]).toEqual([email, login.data?.email])
    if (contact.success) expect([email, z.email().safeParse(contact.data).success]).toEqual([email, true])
  }
})

test('a phone number has a digit at least, in any script', () => {
  const phones = messageForm.shape.phone
  for (const phone of ['+1 (555) 0100', '٠١٢٣', '5'])
    expect(phones.safeParse(phone).success, phone).toBe(true)
  for (const phone of ['none', '---', '+()'])
    expect(errors(z.object({ phone: phones }), { phone })).toEqual({
      phone: ['Enter a phone number with digits, such as +1 555 0100'],
    })
})

test('the login form rejects an overlong email address', () => {
  expect(errors(loginForm, { email: `${'a'.repeat(100_000)}@`, password: '123456' })).toHaveProperty('email')
})

test('the registration form requires its fields with the specified messages', () => {
  const messages = errors(registrationForm, {
    name: ' ',
    email: 'ada@',
    password: '12345',
    confirmPassword: '',
  })
  expect(messages).toMatchObject({
    name: ['Name is required'],
    email: ['Please provide a valid email...'],
    password: ['Password required Minimum 6 characters...'],
    confirmPassword: ['Confirm Password is required'],
  })
})

test('a password mismatch is reported at confirmPassword, together with other errors', () => {
  const input = { name: '', email: 'ada@example.com', password: '123456', confirmPassword: '1234567' }
  expect(errors(registrationForm, input)).toMatchObject({
    name: ['Name is required'],
    confirmPassword: ['Your Password did not matched!'],
  })
  expect(errors(newPasswordForm, input)).toEqual({ confirmPassword: ['Your Password did not matched!'] })
})
