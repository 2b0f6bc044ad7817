import { expect, test } from 'vitest'
import { z } from 'zod'
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

test('the login form rejects what the HTML standard does not call a valid address', () => {
  for (const email of ['é@b.co', 'ada@bücher.example', '"ada"@example.com', 'ada@', 'a b@example.com']) {
    expect(errors(loginForm, { email, password: '123456' }), email).toHaveProperty('email')
  }
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
