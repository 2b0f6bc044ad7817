-- Of the few customers who have entered a VAT ID or an exemption.
create index users_tax_status on users (number) where tax_status is not null;
