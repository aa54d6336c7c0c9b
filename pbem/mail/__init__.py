"""Mail in and out. It only translates: what counts is decided by `pbem.matches.desk`.

    settings     Settings               domain, mailbox, how mail leaves
    doors        SmtpDoor, deliver      how mail comes in: kept durably, then acknowledged
    letters      Letter, read_letter    what a mail says: sender, tokens, new text
    new_text     new_text, text_of_html what somebody wrote, without what he quoted
    inbound      drain                  what a mail does
    outbound     compose, send_due      what the server writes
    transports   Maildir, Smtp          how mail leaves
"""
