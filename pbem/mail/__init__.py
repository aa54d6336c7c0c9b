"""Mail in and out. This package only translates between email and requests; `pbem.matches` decides what is valid.

settings    how the server is reached and how it sends mail
inbound     listeners, imap             receiving mail: stored durably, then acknowledged
            limits                      limits on messages, checked before anything is parsed
            message                     the sender, the tokens and the new text of a message
            mime, charsets, flowed, html_text, reply_text, reply_patterns
            autoresponders, bounces     automatic senders, and our own emails that bounce
            handle                      carrying out what a message asks
outbound    compose, transports         writing email, and sending it
"""
