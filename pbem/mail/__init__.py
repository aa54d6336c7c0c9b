"""Mail in and out. It only translates: what counts is decided by `pbem.matches.desk`.

settings      Settings                domain, mailbox, doors, how mail leaves

doors, imap   Doors, SmtpDoor, ...    how mail comes in: kept durably, then acknowledged
limits        beyond                  what a mail may be, before anything is parsed
letters       Letter, read_letter     what a mail says: sender, tokens, new text
  mime, charsets, flowed, html_text   its parts as clean text, whatever its bytes are
  new_text, quoting                   what somebody wrote, without what he quoted
  machines, returned                  who is no person; what came back
inbound       drain                   what a mail does
soak          soak_mail               all this under load, with a crash

outbound      compose, send_due       what the server writes
transports    Maildir, Smtp           how mail leaves
"""
