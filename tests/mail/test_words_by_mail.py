"""Words for the server, said by mail: they go the same way as orders, and are answered."""

from __future__ import annotations

from postbox import ALICE, BOB, Post, text_of

from pbem.matches import acts, desk, inbox, press


def test_words_and_orders_of_one_mail_are_carried_out_and_answered(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold\npress blue: Good luck!\nextend 12 hours")
    post.tick()
    texts = [text_of(message) for message in post.of(ALICE)]
    assert any("were sealed" in text for text in texts)
    assert any("Your letter to blue is on its way." in text and "The deadline is now" in text for text in texts)
    assert any("Good luck!" in text_of(message) for message in post.of(BOB))


def test_a_bad_word_refuses_the_whole_mail_with_its_line(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold\nabsent soon")
    post.tick()
    text = text_of(post.last(ALICE))
    assert "> absent soon" in text and "You could send: absent 1 May to 8 May." in text
    assert acts.read(post.house, match).sealed == {}


def test_a_resignation_from_a_foreign_address_waits_for_confirmation(post: Post) -> None:
    match, asked = post.begin(), post.last(ALICE)
    post.send(post.write(asked["Reply-To"], "resign", "alice@work.example"))
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.HELD and acts.read(post.house, match).ended is None
    post.reply(ALICE, "confirm")
    post.tick()
    assert desk.status(post.house, match).state == "over"


def test_the_same_letter_twice_is_sent_once(post: Post) -> None:
    match = post.begin()
    message = post.reply(ALICE, "press blue: Good luck!")
    post.send(message)
    post.tick()
    record = acts.read(post.house, match)
    assert [letter.text for letter in press.letters(post.house, record, "blue")] == ["Good luck!"]
