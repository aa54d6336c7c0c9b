"""Mail in and out. This package only translates between email and requests; `pbem.matches` decides what is valid.

settings    how the server is reached and how it sends mail
inbound     listeners, imap             how mail comes in: stored durably, then acknowledged
            limits                      what a message may be, checked before anything is parsed
            message                     the sender, the tokens and the new text of a message
            mime, charsets, flowed, html_text, reply_text, reply_patterns
            autoresponders, bounces     automatic senders, and our own emails that bounce
            handle                      what a message does
outbound    compose, transports         what the server writes, and how it leaves
"""
